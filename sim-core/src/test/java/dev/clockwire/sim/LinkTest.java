package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.LinkRig.Kind;
import dev.clockwire.sim.state.Snapshot;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every kind of link: snapshots at any time, the trace hash, the count of moves, and the line of the watchdog. */
class LinkTest {
    private static final SimSpec SPEC = SimSpec.of(1).withFullHash(true);
    private static final long END = 120_000;

    private static LinkRig rig(Kind kind) {
        return new LinkRig(SPEC, kind, 0, 0);
    }

    private static List<String> run(LinkRig rig, long until) {
        rig.sim.run(until);
        return rig.log;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyModeCarriesTheSameWordsInOrder(Kind kind) {
        List<String> words = run(rig(kind), END);
        assertThat(words).hasSizeGreaterThan(15);
        for (int i = 0; i < words.size(); i++) {
            assertThat(words.get(i)).endsWith(":" + i);
        }
        assertThat(run(new LinkRig(SPEC.withMode(KernelMode.EXHAUSTIVE), kind, 0, 0), END))
                .isEqualTo(words);
        assertThat(run(new LinkRig(SPEC.withChecked(true), kind, 0, 0), END)).isEqualTo(words);
        assertThat(run(new LinkRig(SPEC.withShuffle(3, 4), kind, 0, 0), END)).isEqualTo(words);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aSnapshotAtAnyTimeContinuesAsTheRun(Kind kind) {
        LinkRig whole = rig(kind);
        run(whole, END);
        LinkRig first = rig(kind);
        for (long half = 1; half < 80_000; half += 499) {
            run(first, half);
            List<String> before = List.copyOf(first.log);
            Snapshot s = first.sim.save();
            LinkRig second = rig(kind);
            second.sim.restore(s);
            assertThat(second.log).isEqualTo(before);
            run(second, END);
            assertThat(second.log).as("from %d ps", half).isEqualTo(whole.log);
            assertThat(second.sim.traceHash()).isEqualTo(whole.sim.traceHash());
            assertThat(second.link.moves()).isEqualTo(whole.link.moves());
        }
        Snapshot s = first.sim.save();
        run(first, END);
        first.sim.restore(s);
        run(first, END);
        assertThat(first.log).as("back in the same design").isEqualTo(whole.log);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void theTraceHashSeesEachWordAndItsTime(Kind kind) {
        LinkRig whole = rig(kind);
        run(whole, END);
        long hash = whole.sim.traceHash();
        LinkRig other = new LinkRig(SPEC, kind, 1, 0);
        run(other, END);
        assertThat(other.puts).isEqualTo(whole.puts);
        assertThat(other.sim.traceHash()).isNotEqualTo(hash);
        LinkRig later = new LinkRig(SPEC, kind, 0, 1);
        run(later, END);
        assertThat(later.sim.traceHash()).isNotEqualTo(hash);
        assertThat(whole.observed(kind.inlet() ? ".write" : ".put")).isEqualTo(whole.puts.size());
        assertThat(whole.observed(".take")).isEqualTo(kind.wire() ? whole.takes.size() : 0);
        LinkRig blind = new LinkRig(SPEC.withFullHash(false), kind, 0, 0);
        run(blind, END);
        assertThat(blind.sim.traceHash()).isEqualTo(new Sim(SPEC).traceHash());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void theWatchdogIsToldWhatWaitsSinceWhen(Kind kind) {
        LinkRig rig = rig(kind);
        boolean filled = false;
        // events reach inlets at half cycles: look just before an edge, when all that was sent has arrived
        for (long t = 900; t < END; t += 1000) {
            run(rig, t);
            int in = rig.puts.size();
            int out = rig.takes.size();
            assertThat(rig.link.moves()).isEqualTo(in + out);
            if (in == out) {
                assertThat(rig.link.waiting()).isNull();
                continue;
            }
            filled |= in - out == LinkRig.CAPACITY;
            assertThat(rig.link.waiting())
                    .startsWith(
                            rig.link.path() + " holds " + (in - out) + " of " + LinkRig.CAPACITY + " for reader since "
                                    + Ends.ns(since(kind, rig.puts.get(out), out == 0 ? 0 : rig.takes.get(out - 1))));
            if (kind.wire()) {
                assertThat(rig.link.waiting())
                        .matches(
                                in - out == LinkRig.CAPACITY
                                        ? ".*, and is full: writer waits for room"
                                        : ".* since [0-9.]* ns");
            }
        }
        assertThat(filled).isTrue();
    }

    /** When the head became visible to a reader that was free to take it, or, at a crossing, when it became the head. */
    private static long since(Kind kind, long put, long lastTake) {
        return switch (kind) {
            case LONG_CHANNEL, CHANNEL -> Math.max(put, lastTake) + 1000;
            case CREDIT_CHANNEL -> Math.max(put + 3000, lastTake);
            case ASYNC_FIFO -> Math.max(put, lastTake);
            default -> Math.max(put + 500, lastTake);
        };
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void namesAreUnique(Kind kind) {
        Sim sim = new Sim(SPEC);
        Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(1000));
        LambdaModule m = new LambdaModule(sim.root(), "m", clock);
        for (String name : new String[] {"clk", "x", "x"}) {
            assertThatThrownBy(() -> {
                        switch (kind) {
                            case LONG_CHANNEL -> new LongChannel(sim.root(), name, clock, 1);
                            case CHANNEL -> new Channel<TestToken>(sim.root(), name, clock, 1);
                            case CREDIT_CHANNEL -> new CreditChannel<TestToken>(sim.root(), name, clock, 1, 1, 1);
                            case ASYNC_FIFO -> new AsyncFifo<TestToken>(sim.root(), name, 1, 1);
                            case INLET -> new Inlet<TestToken>(m, name, 1, 1);
                            case LONG_INLET -> new LongInlet(m, name, 1, 1);
                        }
                        new Probe(kind.inlet() ? m : sim.root(), name);
                    })
                    .hasMessageContaining(name + ": this name exists already");
        }
    }
}
