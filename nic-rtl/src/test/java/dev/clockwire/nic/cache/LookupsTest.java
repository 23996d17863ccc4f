package dev.clockwire.nic.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import dev.clockwire.testkit.TokenSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Context lookups in cycles: hits, misses and what they say in the log, with a memory that answers after 100 cycles. */
class LookupsTest {
    private static final long CYCLE_PS = 4000;
    private static final long MEMORY_PS = 400_000;
    private static final int HIT = 3;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final ContextTable table = new ContextTable();
    private final Profile hardware = Profiles.named("cx7-400g");
    private final DeviceParts parts = LoneParts.of(sim, clock, hardware, table);
    private final List<DmaRead> asked = new ArrayList<>();
    private final EventPort answers = new EventPort(new SimNode(sim.root(), "memory") {}, "answers") {
        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            DmaRead r = (DmaRead) Objects.requireNonNull(token);
            r.error = fails ? DmaError.UNSUPPORTED : DmaError.NONE;
            Objects.requireNonNull(r.reply).write(r);
        }
    };
    private final EventPort reads = new EventPort(new SimNode(sim.root(), "requests") {}, "reads") {
        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            DmaRead r = (DmaRead) Objects.requireNonNull(token);
            asked.add(r);
            answers.send(now() + MEMORY_PS, 0, 0, 0, r);
        }
    };
    private boolean fails;

    LookupsTest() {
        table.setUars(64);
        for (int i = 0; i < 4; i++) {
            QpContext qp = new QpContext(0x20 + i, QpType.RC, 1, 0, 4, 0, 4, 16, 0, i, i);
            qp.contextAddress = 0x8000 + i * 256L;
            table.add(qp);
            table.cqContextAddress(i, 0x9000 + i * 64L);
        }
        sim.enableJourneys(64);
    }

    private JourneyLog log() {
        return Objects.requireNonNull(sim.journeys());
    }

    private static Wqe wqe(int i) {
        Wqe w = new Wqe();
        w.qpn = 0x20 + i;
        w.journey = 70L + i;
        return w;
    }

    private TokenSink<Wqe> wqes(QpcLookup lookup, boolean last, int... queues) {
        Channel<Wqe> in = new Channel<>(sim.root(), "in", clock, 2);
        Channel<Wqe> out = new Channel<>(sim.root(), "out", clock, 2);
        new TokenSource<>(sim.root(), "source", clock, in, Stall.none(), queues.length, i -> wqe(queues[i]));
        lookup.wqes(in, out, HIT, last);
        return new TokenSink<>(sim.root(), "sink", clock, out, Stall.none(), w -> w.unread ? -1 : w.qpn);
    }

    private QpcLookup lookup(int entries, int misses) {
        return new QpcLookup(sim.root(), clock, new CacheSpec(entries, entries, 256, misses), 1, reads, parts);
    }

    private long stat(String name) {
        return sim.stats().value("qpcLookup." + name);
    }

    /** What is visible in cycle 1 asks then; the context is here one crossing behind the answer, and is waited for only once. */
    @Test
    void aMissReadsTheContextAndAHitTakesItsCycles() {
        TokenSink<Wqe> sink = wqes(lookup(4, 2), true, 0, 0, 1, 0);
        sim.run(2_000_000);
        assertThat(sink.values()).containsExactly(0x20L, 0x20L, 0x21L, 0x20L);
        assertThat(asked).hasSize(2);
        assertThat(asked.get(0).address).isEqualTo(0x8000);
        assertThat(asked.get(1).address).isEqualTo(0x8100);
        assertThat(asked.get(0).length).isEqualTo(256);
        assertThat(stat("misses")).as("all came before the first answer").isEqualTo(4);
        assertThat(stat("hits")).isZero();
        assertThat(stat("evictions")).isZero();
        List<Long> cycles = sink.cycles();
        long first = cycles.get(0);
        assertThat(first).isBetween(1 + 100L, 1 + 100L + 4);
        assertThat(cycles.get(1)).isEqualTo(first + 1);
        JourneyLog log = log();
        List<Long> waits = new ArrayList<>();
        int fetches = 0;
        int lookups = 0;
        for (int i = 0; i < log.size(); i++) {
            if (log.isDelay(i)) {
                assertThat(log.cause(i)).isEqualTo(parts.journal().causes.qpcMiss);
                assertThat(log.out(i)).isGreaterThan(100 * CYCLE_PS);
                assertThat(log.stage(i))
                        .as("wherever the path shows it")
                        .isEqualTo(waits.size() % 2 == 0 ? parts.journal().qpcFetch : parts.journal().lookup);
                waits.add(log.in(i) / CYCLE_PS);
            } else if (log.stage(i) == parts.journal().qpcFetch) {
                fetches++;
                assertThat(log.out(i) - log.in(i)).isGreaterThan(90 * CYCLE_PS);
            } else {
                lookups++;
                assertThat(log.stage(i)).isEqualTo(parts.journal().lookup);
                assertThat(log.out(i)).isGreaterThan(log.in(i));
            }
        }
        assertThat(waits).as("since the cycle in which each asked").containsExactly(1L, 1L, 2L, 2L, 3L, 3L, 4L, 4L);
        assertThat(fetches).isEqualTo(4);
        assertThat(lookups).isEqualTo(4);
    }

    @Test
    void aLookupThatAnotherOneFollowsIsNoEndOfAStage() {
        TokenSink<Wqe> sink = wqes(lookup(4, 2), false, 0);
        sim.run(1_000_000);
        assertThat(log().size()).as("fetch, and the delay of either stage").isEqualTo(3);
        assertThat(sink.values()).hasSize(1);
    }

    /** What comes when the context is here takes the lookup's cycles, and has lost nothing. */
    @Test
    void aHitIsOnlyALookup() {
        Channel<Wqe> in = new Channel<>(sim.root(), "in", clock, 2);
        Channel<Wqe> out = new Channel<>(sim.root(), "out", clock, 2);
        new TokenSource<>(sim.root(), "source", clock, in, c -> c == 0 || c == 200, 2, i -> wqe(0));
        lookup(4, 2).wqes(in, out, HIT, true);
        TokenSink<Wqe> sink = new TokenSink<>(sim.root(), "sink", clock, out, Stall.none(), w -> w.qpn);
        sim.run(2_000_000);
        assertThat(sink.cycles().get(1)).isEqualTo(201L + HIT);
        assertThat(stat("hits")).isEqualTo(1);
        JourneyLog log = log();
        assertThat(log.size()).isEqualTo(5);
        assertThat(log.isDelay(4)).isFalse();
        assertThat(log.in(4)).isEqualTo(201 * CYCLE_PS);
        assertThat(log.out(4)).isEqualTo((201 + HIT) * CYCLE_PS);
    }

    /** One that hits behind one that misses keeps its place in line. */
    @Test
    void orderIsKeptAndOthersMissMeanwhile() {
        TokenSink<Wqe> sink = wqes(lookup(4, 4), true, 0, 1, 2, 3);
        sim.run(2_000_000);
        assertThat(sink.values()).containsExactly(0x20L, 0x21L, 0x22L, 0x23L);
        long first = sink.cycles().get(0);
        assertThat(sink.cycles()).containsExactly(first, first + 1, first + 2, first + 3);
    }

    @Test
    void onlySoManyReadsAreUnderWay() {
        TokenSink<Wqe> sink = wqes(lookup(4, 1), true, 0, 1);
        sim.run(2_000_000);
        assertThat(sink.cycles().get(1) - sink.cycles().get(0)).isGreaterThan(100);
        assertThat(asked).hasSize(2);
        assertThat(stat("evictions")).isZero();
    }

    @Test
    void whatIsFullMakesRoom() {
        wqes(lookup(1, 1), true, 0, 1, 0);
        sim.run(4_000_000);
        assertThat(stat("misses"))
                .as("the last found the first, which was still here")
                .isEqualTo(2);
        assertThat(stat("hits")).isEqualTo(1);
        assertThat(stat("evictions")).isEqualTo(1);
    }

    /** The first WQE that waited ends with an error, those behind it go on to be flushed. */
    @Test
    void aContextThatCannotBeRead() {
        fails = true;
        TokenSink<Wqe> sink = wqes(lookup(4, 2), true, 0, 0);
        sim.run(1_000_000);
        assertThat(sink.values()).containsExactly(-1L, 0x20L);
        assertThat(stat("read_errors")).isEqualTo(1);
        fails = false;
        assertThat(stat("hits")).isZero();
    }

    private static RocePacket packet(int i) {
        RocePacket p = new RocePacket();
        p.destQp = 0x20 + i;
        p.psn = i;
        p.journey = 90L + i;
        return p;
    }

    /** Packets share the cache with WQEs, one lookup a cycle: what a WQE has brought they find. */
    @Test
    void packetsLookUpInTheSameCache() {
        QpcLookup lookup = lookup(4, 2);
        Channel<RocePacket> in = new Channel<>(sim.root(), "packets", clock, 2);
        Channel<RocePacket> out = new Channel<>(sim.root(), "packetsOut", clock, 2);
        new TokenSource<>(sim.root(), "packetSource", clock, in, cycle -> cycle > 150, 1, i -> packet(0));
        TokenSink<Wqe> sink = wqes(lookup, true, 0, 1);
        lookup.packets(in, out, 2);
        TokenSink<RocePacket> packets = new TokenSink<>(sim.root(), "packetSink", clock, out, Stall.none(), p -> p.psn);
        sim.run(2_000_000);
        assertThat(sink.values()).hasSize(2);
        assertThat(packets.cycles()).containsExactly(152L + 2);
        assertThat(asked).hasSize(2);
        for (int i = 0; i < log().size(); i++) {
            assertThat(log().journey(i)).as("the packet lost nothing").isNotEqualTo(90);
        }
    }

    @Test
    void aPacketThatMissesSaysSo() {
        QpcLookup lookup = lookup(4, 2);
        Channel<RocePacket> in = new Channel<>(sim.root(), "packets", clock, 2);
        Channel<RocePacket> out = new Channel<>(sim.root(), "packetsOut", clock, 2);
        new TokenSource<>(sim.root(), "packetSource", clock, in, Stall.none(), 1, i -> packet(2));
        lookup.packets(in, out, 2);
        new TokenSink<>(sim.root(), "packetSink", clock, out, Stall.none(), p -> p.psn);
        sim.run(1_000_000);
        int[] stages = {parts.journal().ack, parts.journal().responderDma, parts.journal().rxDma};
        assertThat(log().size()).as("whatever it brings about").isEqualTo(stages.length);
        for (int i = 0; i < stages.length; i++) {
            assertThat(log().isDelay(i)).isTrue();
            assertThat(log().stage(i)).isEqualTo(stages[i]);
            assertThat(log().journey(i)).isEqualTo(92);
            assertThat(log().cause(i)).isEqualTo(parts.journal().causes.qpcMiss);
            assertThat(log().in(i)).isEqualTo(CYCLE_PS);
            assertThat(log().out(i)).isBetween(CYCLE_PS * 101, CYCLE_PS * 104);
        }
    }

    /** Two lanes that ask in the same cycle share a port in turns; the one that waits is a conflict. */
    @Test
    void lanesShareThePort() {
        QpcLookup lookup = lookup(4, 4);
        Channel<RocePacket> in = new Channel<>(sim.root(), "packets", clock, 2);
        Channel<RocePacket> out = new Channel<>(sim.root(), "packetsOut", clock, 2);
        new TokenSource<>(sim.root(), "packetSource", clock, in, Stall.none(), 2, i -> packet(i));
        TokenSink<Wqe> sink = wqes(lookup, true, 2, 3);
        lookup.packets(in, out, 2);
        new TokenSink<>(sim.root(), "packetSink", clock, out, Stall.none(), p -> p.psn);
        sim.run(2_000_000);
        assertThat(sink.values()).hasSize(2);
        assertThat(stat("port_conflicts")).isEqualTo(3);
    }

    @Test
    void completionsLookTheirQueueUp() {
        CqcLookup lookup = new CqcLookup(sim.root(), clock, new CacheSpec(2, 2, 64, 1), 1, reads, parts);
        Channel<Completion> in = new Channel<>(sim.root(), "in", clock, 2);
        Channel<Completion> out = new Channel<>(sim.root(), "out", clock, 2);
        new TokenSource<>(sim.root(), "source", clock, in, Stall.none(), 2, i -> {
            Completion c = new Completion();
            c.cqn = 3;
            c.journey = 60L + i;
            return c;
        });
        lookup.completions(in, out);
        TokenSink<Completion> sink = new TokenSink<>(sim.root(), "sink", clock, out, Stall.none(), c -> c.journey);
        sim.run(1_000_000);
        assertThat(sink.values()).containsExactly(60L, 61L);
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0).address).isEqualTo(0x9000 + 3 * 64);
        assertThat(asked.get(0).length).isEqualTo(64);
        assertThat(log().size()).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            assertThat(log().isDelay(i)).isTrue();
            assertThat(log().cause(i)).isEqualTo(parts.journal().causes.cqcMiss);
            assertThat(log().in(i)).isEqualTo(CYCLE_PS * (1 + i));
        }
    }
}
