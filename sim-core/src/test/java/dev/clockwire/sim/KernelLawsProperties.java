package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;

/** The laws of the kernel on random designs: the trace does not depend on how the kernel gets there. */
class KernelLawsProperties {
    private static final long END = 4_000_000;
    private static final String PLAIN = "activity";

    private static Map<String, SimSpec> modes(long seed) {
        SimSpec plain = SimSpec.of(seed).withFullHash(true).withLoop(LoopKind.PLAIN);
        SimSpec exhaustive = plain.withMode(KernelMode.EXHAUSTIVE);
        Map<String, SimSpec> all = new LinkedHashMap<>();
        all.put(PLAIN, plain);
        all.put("exhaustive", exhaustive);
        all.put("specialised", plain.withLoop(LoopKind.SPECIALISED));
        all.put("evaluation order", plain.withShuffle(seed | 1, 0));
        all.put("scheduling order", plain.withShuffle(0, seed | 1));
        all.put("both orders, exhaustive", exhaustive.withShuffle(seed | 1, seed | 1));
        all.put("checked", plain.withChecked(true));
        all.put("2-bit wheel", plain.withWheelBits(2));
        all.put("2-bit wheel, scheduling order", plain.withWheelBits(2).withShuffle(0, seed | 1));
        return all;
    }

    private static SimSpec spec(long seed, String mode) {
        return Objects.requireNonNull(modes(seed).get(mode));
    }

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void everyModeGivesTheSameTrace(@ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        long wanted = 0;
        for (Map.Entry<String, SimSpec> m : modes(seed).entrySet()) {
            Sim sim = RandomDesign.build(m.getValue());
            sim.run(END);
            wanted = m.getKey().equals(PLAIN) ? sim.traceHash() : wanted;
            assertThat(sim.traceHash()).as(m.getKey()).isEqualTo(wanted);
        }
    }

    /** Whoever stops the run ends it where one ends that asks behind every instant, with the same past, whatever lies at that time. */
    @Property(tries = 30, shrinking = ShrinkingMode.OFF)
    void aRunThatIsStoppedEndsWithTheInstant(
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed, @ForAll @LongRange(min = 1, max = END) long first) {
        for (Map.Entry<String, SimSpec> m : modes(seed).entrySet()) {
            long[] at = new long[2];
            long[] hash = new long[2];
            for (int i = 0; i < 2; i++) {
                Sim sim = RandomDesign.open(m.getValue());
                Stopper stopper = new Stopper(sim, first);
                if (i == 0) {
                    assertThat(sim.runUntil(() -> stopper.stopped, END + 1)).isTrue();
                } else {
                    assertThat(sim.runUntilStopped(END + 1)).isTrue();
                }
                at[i] = sim.now();
                hash[i] = sim.traceHash();
                sim.run(END + 1); // goes on from there
                hash[i] += 31 * sim.traceHash();
            }
            assertThat(at).as(m.getKey()).containsExactly(first, first);
            assertThat(hash[1]).as(m.getKey()).isEqualTo(hash[0]);
        }
    }

    /** Stops the run at a time, behind or in front of other events of that instant, and once more later. */
    private static final class Stopper extends SimNode {
        private boolean stopped;

        Stopper(Sim sim, long at) {
            super(sim.root(), "stopper");
            EventPort port = new EventPort(this, "port") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    stopped = true;
                    sim.stop();
                }
            };
            port.send(at, 0, 0, 0);
            port.send(at + 1, 0, 0, 0);
        }
    }

    @Property(tries = 25, shrinking = ShrinkingMode.OFF)
    void aRunContinuedFromASnapshotIsTheRun(
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed, @ForAll @LongRange(min = 0, max = END) long half) {
        Sim whole = RandomDesign.build(spec(seed, PLAIN));
        whole.run(END);
        for (String from : new String[] {PLAIN, "exhaustive", "both orders, exhaustive"}) {
            Sim first = RandomDesign.build(spec(seed, from));
            first.run(half);
            Snapshot snapshot = first.save();
            for (Map.Entry<String, SimSpec> m : modes(seed).entrySet()) {
                Sim second = RandomDesign.build(m.getValue());
                second.restore(snapshot);
                second.run(END);
                assertThat(second.traceHash()).as(from + " -> " + m.getKey()).isEqualTo(whole.traceHash());
            }
            first.run(END);
            assertThat(first.traceHash()).as(from + " after saving").isEqualTo(whole.traceHash());
            assertThat(first.events()).isEqualTo(whole.events());
        }
    }

    @Property(tries = 20, shrinking = ShrinkingMode.OFF)
    void aRunInPiecesIsTheRun(@ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        Sim whole = RandomDesign.build(spec(seed, PLAIN));
        whole.run(END);
        Sim pieces = RandomDesign.build(spec(seed, PLAIN));
        for (long t = 1; t < END; t += 1 + t / 7) {
            pieces.run(t);
        }
        pieces.runUntil(() -> pieces.now() > END / 2, END);
        pieces.runUntil(() -> false, END);
        assertThat(pieces.traceHash()).isEqualTo(whole.traceHash());
    }
}
