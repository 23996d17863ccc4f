package dev.clockwire.roce.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkTest {
    private static final LinkSpec GBPS_100 = LinkSpec.ethernet(100, 5_000, 1_000);

    @Test
    void aPacketTakes82BytesBesidesItsPayload() {
        RocePacket packet = Ends.write(4096, 0);
        assertThat(Framing.ETHERNET.lineBytes(packet)).isEqualTo(4096 + 82);
        packet.flow.setIpv6(1, 2, 3, 4);
        assertThat(Framing.ETHERNET.lineBytes(packet)).isEqualTo(4096 + 102);
        assertThat(Framing.INFINIBAND.lineBytes(packet)).isEqualTo(4096 + 16 + 12);
    }

    @Test
    void shortFramesArePadded() {
        assertThat(Framing.ETHERNET.lineBytes(42)).isEqualTo(84);
        assertThat(Framing.ETHERNET.lineBytes(60)).isEqualTo(84);
        assertThat(Framing.ETHERNET.lineBytes(61)).isEqualTo(85);
    }

    @Test
    void arrivesWithItsLastBit() {
        Ends ends = new Ends(GBPS_100);
        ends.a.sendAt(1_000, Ends.write(1024, 7));
        ends.sim.run(1_000_000);
        // 80 ps a byte; the gap of 12 bytes comes after the last bit
        long last = 1_000 + (1024 + 82 - 12) * 80 + 6_000;
        assertThat(ends.b.arrivals).containsExactly(new Ends.Arrival(last, 7_000, last, 7));
        assertThat(ends.a.arrivals).isEmpty();
    }

    @Test
    void orWithItsFirst() {
        Ends ends = new Ends(GBPS_100.withAtFirstBit(true));
        ends.a.sendAt(1_000, Ends.write(1024, 7));
        ends.sim.run(1_000_000);
        assertThat(ends.b.arrivals).containsExactly(new Ends.Arrival(7_000, 7_000, 94_520, 7));
    }

    @Test
    void directionsDoNotDisturbEachOther() {
        Ends ends = new Ends(GBPS_100);
        ends.a.sendAt(1_000, Ends.write(1024, 1));
        ends.b.sendAt(1_000, Ends.write(1024, 2));
        ends.sim.run(1_000_000);
        assertThat(ends.a.arrivals.get(0).at()).isEqualTo(ends.b.arrivals.get(0).at());
        assertThat(ends.a.arrivals.get(0).psn()).isEqualTo(2);
    }

    @Test
    void framesQueueBehindEachOther() {
        Ends ends = new Ends(GBPS_100);
        for (int i = 0; i < 3; i++) {
            ends.a.sendAt(1_000 + i, Ends.write(0, i));
        }
        ends.sim.run(1_000_000);
        assertThat(ends.b.arrivals).extracting(Ends.Arrival::psn).containsExactly(0, 1, 2);
        assertThat(ends.b.arrivals).extracting(Ends.Arrival::first).containsExactly(7_000L, 13_720L, 20_440L);
        assertThat(ends.link.a().framesSent()).isEqualTo(3);
        assertThat(ends.link.a().freeAt()).isEqualTo(1_000 + 3 * 84 * 80);
    }

    @Test
    void aMillionFramesEndWhereTheFormulaSays() {
        // 56 Gbit/s: 1000 / 7 ps a byte
        LinkSpec spec = LinkSpec.ethernet(56, 1, 0);
        Serialiser line = new Serialiser(spec);
        for (int n = 1; n <= 1_000_000; n++) {
            line.begin(line.free(), 85);
        }
        assertThat(line.free()).isEqualTo((85L * 1_000_000 * 1000 + 6) / 7);
        assertThat(spec.linePs(85)).isEqualTo(12_143);
    }

    @Test
    void anIdleLineBeginsOnTheDot() {
        Serialiser line = new Serialiser(LinkSpec.ethernet(56, 1, 0));
        line.begin(0, 84);
        assertThat(line.free()).isEqualTo(12_000);
        line.begin(0, 85);
        assertThat(line.firstBit()).isEqualTo(12_000);
        line.begin(30_000, 85);
        assertThat(line.firstBit()).isEqualTo(30_000);
        assertThat(line.lastBit()).isEqualTo(30_000 + 10_429);
    }

    @Test
    void tapSeesEachFrameOnceWhereItIsSent() {
        Ends ends = new Ends(GBPS_100);
        List<String> seen = new ArrayList<>();
        FrameTap tap = (ps, end, frame) -> seen.add(ps + " " + end.path());
        ends.link.a().tap(tap);
        ends.link.b().tap(tap);
        ends.a.sendAt(1_000, Ends.write(1, 1));
        ends.b.sendAt(2_000, Ends.write(1, 2));
        ends.sim.run(1_000_000);
        assertThat(seen).containsExactly("1000 cable.a", "2000 cable.b");
        ends.link.a().tap((ps, end, frame) -> seen.add("another"));
        ends.a.sendAt(1_001_000, Ends.write(1, 3));
        ends.sim.run(2_000_000);
        ends.link.a().tap(null);
        ends.a.sendAt(2_001_000, Ends.write(1, 4));
        ends.sim.run(3_000_000);
        assertThat(seen).endsWith("1001000 cable.a", "another").hasSize(4);
    }

    @Test
    void traceHashKnowsHeadersAndTimes() {
        assertThat(hash(1_000, 5)).isEqualTo(hash(1_000, 5));
        assertThat(hash(1_000, 5)).isNotEqualTo(hash(1_000, 6));
        assertThat(hash(1_000, 5)).isNotEqualTo(hash(1_001, 5));
    }

    private static long hash(long at, int psn) {
        Ends ends = new Ends(GBPS_100);
        ends.a.sendAt(at, Ends.write(100, psn));
        ends.sim.run(1_000_000);
        return ends.sim.traceHash();
    }

    @Test
    void kernelModesAgree() {
        Ends fast = new Ends(GBPS_100);
        Ends exhaustive = new Ends(GBPS_100, KernelMode.EXHAUSTIVE);
        for (Ends ends : List.of(fast, exhaustive)) {
            for (int i = 0; i < 50; i++) {
                ends.a.sendAt(1 + i * 700L, Ends.write(i * 13 % 400, i));
                ends.b.sendAt(1 + i * 900L, Ends.write(i * 7 % 300, i));
            }
            ends.sim.run(100_000_000);
        }
        assertThat(exhaustive.sim.traceHash()).isEqualTo(fast.sim.traceHash());
        assertThat(exhaustive.a.arrivals).isEqualTo(fast.a.arrivals);
    }

    @Test
    void snapshotInTheMiddleChangesNothing() {
        Ends whole = new Ends(GBPS_100);
        Ends halves = new Ends(GBPS_100);
        for (Ends ends : List.of(whole, halves)) {
            for (int i = 0; i < 10; i++) {
                ends.a.sendAt(1_000 + i, Ends.write(1000, i));
            }
        }
        whole.sim.run(10_000_000);
        halves.sim.run(200_000);
        Snapshot half = halves.sim.save();
        halves.sim.run(400_000);
        halves.sim.restore(half);
        halves.sim.run(10_000_000);
        assertThat(halves.sim.traceHash()).isEqualTo(whole.sim.traceHash());
        assertThat(halves.link.a().lineBytesSent()).isEqualTo(whole.link.a().lineBytesSent());
    }

    @Test
    void counters() {
        Ends ends = new Ends(GBPS_100);
        StatRegistry stats = new StatRegistry();
        ends.link.a().register(stats);
        ends.a.sendAt(1_000, Ends.write(1024, 1));
        RocePacket ack = new RocePacket();
        ack.opcode = Opcode.RC_ACKNOWLEDGE.code();
        ends.a.sendAt(2_000, ack);
        ends.sim.run(1_000_000);
        assertThat(stats.value("cable.a.tx_frames")).isEqualTo(2);
        assertThat(stats.value("cable.a.tx_payload_bytes")).isEqualTo(1024);
        assertThat(stats.value("cable.a.tx_line_bytes")).isEqualTo(1024 + 82 + 86);
    }

    @Test
    void badSpecs() {
        assertThatThrownBy(() -> LinkSpec.ethernet(0, 1, 1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("link rate 0 kbit/s: must be 1..10000000000");
        assertThatThrownBy(() -> LinkSpec.ethernet(100, 0, 0)).hasMessageContaining("together at least 1");
        assertThatThrownBy(() -> LinkSpec.ethernet(100, -1, 5)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aLooseEndIsNamed() {
        Sim sim = new Sim(SimSpec.of(1));
        Link link = new Link(sim.root(), "cable", GBPS_100);
        assertThatThrownBy(() -> link.a().transmit(0, Ends.write(0, 0)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("cable.a: sends, but nothing is attached");
        Ends ends = new Ends(GBPS_100);
        assertThatThrownBy(() -> ends.a.on(ends.link.a())).hasMessageContaining("already attached to left.receive");
    }
}
