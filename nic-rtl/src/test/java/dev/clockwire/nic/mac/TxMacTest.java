package dev.clockwire.nic.mac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.testkit.LongSink;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the MAC puts which frame on the line, by the latencies of its parts; the bus is 64 bytes wide. */
class TxMacTest {
    private static final long CYCLE_PS = 4000;
    private static final int ARBITER = 2;
    private static final int THRESHOLD = 3;
    private static final int CROSSING = 4;
    private static final int PCS = 5;
    private static final int FIXED = ARBITER + CROSSING + PCS;

    private Sim sim = new Sim(SimSpec.of(1));
    private Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final List<Long> notices = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private final Slow line = new Slow();
    private DeviceParts parts = parts(true);

    /** A line that takes a time for each frame, whatever its size. */
    private final class Slow implements Line {
        long framePs = 1;
        long freePs;

        private long send(String what, long earliestPs) {
            long start = Math.max(earliestPs, freePs);
            freePs = start + framePs;
            sent.add(what + "@" + start);
            return start;
        }

        @Override
        public long send(long earliestPs, RocePacket packet) {
            return send("p" + packet.psn, earliestPs);
        }

        @Override
        public long send(long earliestPs, EthFrame frame) {
            return send("f" + frame.bytes[0], earliestPs);
        }

        @Override
        public long send(long earliestPs, PauseFrame frame) {
            throw new AssertionError("no pauses here");
        }

        @Override
        public long arrival() {
            return freePs + 50_000;
        }
    }

    private DeviceParts parts(boolean cutThrough) {
        Profile hardware = Profiles.named("cx7-400g")
                .with("nic.datapath_bytes", "64")
                .with("nic.mac.arbiter_cycles", "" + ARBITER)
                .with("nic.mac.threshold_beats", "" + THRESHOLD)
                .with("nic.mac.crossing_cycles", "" + CROSSING)
                .with("nic.mac.pcs_cycles", "" + PCS)
                .with("nic.mac.cut_through", "" + cutThrough);
        return LoneParts.of(sim, clock, hardware, new ContextTable());
    }

    private void build(int packets, IntFunction<RocePacket> packet, int frames, IntFunction<EthFrame> frame) {
        Channel<RocePacket> in = new Channel<>(sim.root(), "in", clock, 2);
        new TokenSource<>(sim.root(), "packets", clock, in, Stall.none(), packets, packet);
        LongChannel told = new LongChannel(sim.root(), "told", clock, 2);
        TxMac mac = new TxMac(sim.root(), clock, in, told, line, parts);
        if (frames > 0) {
            Channel<EthFrame> ethernet = new Channel<>(sim.root(), "ethernet", clock, 2);
            new TokenSource<>(sim.root(), "frames", clock, ethernet, Stall.none(), frames, frame);
            mac.also(ethernet);
        }
        LongSink sink = new LongSink(sim.root(), "sink", clock, told, Stall.none());
        sim.run(3_000_000);
        notices.addAll(sink.values());
    }

    private static RocePacket packet(int psn, int payload) {
        RocePacket p = new RocePacket();
        p.opcode = Opcode.RC_SEND_ONLY.code();
        p.psn = psn;
        p.setPayloadLength(payload);
        return p;
    }

    private static EthFrame frame(int number, int bytes) {
        EthFrame f = new EthFrame();
        f.resize(bytes);
        f.bytes[0] = (byte) number;
        f.seal();
        return f;
    }

    private static long at(long cycles) {
        return cycles * CYCLE_PS;
    }

    /** A packet has 58 bytes of headers and ICRC; visible in cycle 1. */
    @ParameterizedTest
    @CsvSource({"true,4,1", "true,72,3", "true,600,3", "false,600,11", "false,4,1"})
    void aPacketStartsWhenItsBeatsAreInTheFifo(boolean cutThrough, int payload, int fill) {
        sim = new Sim(SimSpec.of(1));
        clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        parts = parts(cutThrough);
        build(1, i -> packet(0, payload), 0, i -> frame(0, 60));
        assertThat(packet(0, payload).wireBytes()).isEqualTo(58 + payload);
        assertThat(sent).containsExactly("p0@" + at(1 + FIXED + fill));
    }

    /** A frame's check sequence goes over the bus too: 60 bytes are one beat, 61 are two. */
    @ParameterizedTest
    @CsvSource({"true,60,1", "true,61,2", "true,640,3", "false,640,11", "false,188,3", "false,189,4"})
    void anEthernetFrameTheSame(boolean cutThrough, int bytes, int fill) {
        sim = new Sim(SimSpec.of(1));
        clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        parts = parts(cutThrough);
        build(0, i -> packet(0, 0), 1, i -> frame(7, bytes));
        assertThat(sent).containsExactly("f7@" + at(1 + FIXED + fill));
    }

    @Test
    void packetsFollowTheirBeatsApart() {
        build(3, i -> packet(i, 600), 0, i -> frame(0, 60));
        assertThat(sent).containsExactly("p0@" + at(15), "p1@" + at(15 + 11), "p2@" + at(15 + 22));
    }

    @Test
    void framesToo() {
        build(0, i -> packet(i, 600), 3, i -> frame(i, 640));
        assertThat(sent).containsExactly("f0@" + at(15), "f1@" + at(15 + 11), "f2@" + at(15 + 22));
    }

    @Test
    void packetsAndFramesTakeTurns() {
        build(4, i -> packet(i, 4), 3, i -> frame(i, 60));
        assertThat(sent.stream().map(s -> s.substring(0, 2))).containsExactly("p0", "f0", "p1", "f1", "p2", "f2", "p3");
    }

    /** Four packets may wait for the line: the fifth enters when the first has started, and so on. */
    @Test
    void aFewPacketsWaitInsideTheRestInFront() {
        line.framePs = 100_000;
        sim.enableJourneys(64);
        build(
                6,
                i -> {
                    RocePacket p = packet(i, 4);
                    p.journey = 1;
                    return p;
                },
                0,
                i -> frame(0, 60));
        long first = at(1 + FIXED + 1);
        for (int i = 0; i < 6; i++) {
            assertThat(sent.get(i)).isEqualTo("p" + i + "@" + (first + i * 100_000L));
        }
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        for (int i = 0; i < 6; i++) {
            int k = 2 * i;
            long enters = i < MacState.FIFO ? at(1 + i) : first + (i - MacState.FIFO) * 100_000L;
            assertThat(log.stage(k)).isEqualTo(parts.journal().txMac);
            assertThat(log.seq(k)).isEqualTo(i);
            assertThat(log.in(k)).as("packet " + i).isEqualTo(enters);
            assertThat(log.out(k)).isEqualTo(first + i * 100_000L);
            assertThat(log.cause(k)).isEqualTo(i == 0 ? 0 : parts.journal().behind);
            assertThat(log.stage(k + 1)).isEqualTo(parts.journal().wire);
            assertThat(log.in(k + 1)).isEqualTo(first + i * 100_000L);
            assertThat(log.out(k + 1)).isEqualTo(first + (i + 1) * 100_000L + 50_000);
        }
    }

    @Test
    void framesWaitForTheLineAsPacketsDo() {
        line.framePs = 100_000;
        build(0, i -> packet(0, 0), 6, i -> frame(i, 60));
        for (int i = 0; i < 6; i++) {
            assertThat(sent.get(i)).isEqualTo("f" + i + "@" + (at(1 + FIXED + 1) + i * 100_000L));
        }
    }

    /** The send engine hears of a marked packet when its first bit has left, not before; the mark is not for the far end. */
    @Test
    void marksComeBackWhenTheirPacketsStart() {
        List<RocePacket> packets = List.of(packet(0, 4), packet(1, 4), packet(2, 4));
        packets.get(0).tag = 11;
        packets.get(2).tag = 13;
        line.framePs = 20_000;
        build(3, packets::get, 0, i -> frame(0, 60));
        assertThat(notices).containsExactly(11L, 13L);
        assertThat(packets.stream().mapToLong(p -> p.tag)).containsOnly(0L);
    }

    @Test
    void aMarkIsToldAtTheFirstEdgeFromItsStart() {
        RocePacket marked = packet(0, 4);
        marked.tag = 5;
        Channel<RocePacket> in = new Channel<>(sim.root(), "in", clock, 2);
        new TokenSource<>(sim.root(), "packets", clock, in, Stall.none(), 1, i -> marked);
        LongChannel told = new LongChannel(sim.root(), "told", clock, 2);
        line.freePs = at(30) + 1;
        new TxMac(sim.root(), clock, in, told, line, parts);
        LongSink sink = new LongSink(sim.root(), "sink", clock, told, Stall.none());
        sim.run(1_000_000);
        assertThat(sent).containsExactly("p0@" + (at(30) + 1));
        assertThat(sink.cycles()).as("put in cycle 31").containsExactly(32L);
    }

    @Test
    void aHeldSenderKeepsPacketsAndFrames() {
        Channel<RocePacket> in = new Channel<>(sim.root(), "in", clock, 2);
        Channel<EthFrame> ethernet = new Channel<>(sim.root(), "ethernet", clock, 2);
        new TokenSource<>(sim.root(), "packets", clock, in, Stall.none(), 1, i -> packet(0, 4));
        new TokenSource<>(sim.root(), "frames", clock, ethernet, Stall.none(), 1, i -> frame(1, 60));
        LongChannel told = new LongChannel(sim.root(), "told", clock, 2);
        TxMac mac = new TxMac(sim.root(), clock, in, told, line, parts);
        mac.also(ethernet);
        new LongSink(sim.root(), "sink", clock, told, Stall.none());
        sim.elaborate();
        mac.pause().send(1, 0, 1, 0);
        mac.pause().send(at(50), 0, 0, 0);
        sim.run(at(49));
        assertThat(sent).isEmpty();
        sim.run(at(100));
        assertThat(sent).containsExactly("p0@" + at(50 + FIXED + 1), "f1@" + at(51 + FIXED + 1));
    }
}
