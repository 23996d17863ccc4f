package dev.clockwire.nic.mac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.encode.Encoder;
import dev.clockwire.nic.ether.EthFrame;
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
import dev.clockwire.testkit.LongSink;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that have nothing to do are not evaluated: of a million cycles, as many as something happens in, and a few. */
class TxMacSleepsTest {
    private static final long UNTIL_PS = 4_000_000_000L;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final DeviceParts parts = LoneParts.of(sim, clock, Profiles.named("cx7-400g"), new ContextTable());

    /** A line on which a frame takes a millisecond. */
    private static final class Slow implements Line {
        private long free;
        private int frames;

        private long next(long earliestPs) {
            long start = Math.max(earliestPs, free);
            free = start + 1_000_000_000L;
            frames++;
            return start;
        }

        @Override
        public long send(long earliestPs, RocePacket packet) {
            return next(earliestPs);
        }

        @Override
        public long send(long earliestPs, EthFrame frame) {
            return next(earliestPs);
        }

        @Override
        public long send(long earliestPs, PauseFrame frame) {
            throw new AssertionError("no pauses here");
        }

        @Override
        public long arrival() {
            return free;
        }
    }

    private static RocePacket packet(int psn) {
        RocePacket p = new RocePacket();
        p.opcode = Opcode.RC_SEND_ONLY.code();
        p.psn = psn;
        p.tag = 1L + psn;
        return p;
    }

    private static EthFrame frame() {
        EthFrame f = new EthFrame();
        f.resize(64);
        f.seal();
        return f;
    }

    private int mac(int packets, int frames, Stall notices) {
        Channel<RocePacket> in = new Channel<>(sim.root(), "in", clock, 2);
        new TokenSource<>(sim.root(), "packets", clock, in, Stall.none(), packets, TxMacSleepsTest::packet);
        Channel<EthFrame> ethernet = new Channel<>(sim.root(), "ethernet", clock, 2);
        new TokenSource<>(sim.root(), "frames", clock, ethernet, Stall.none(), frames, i -> frame());
        LongChannel told = new LongChannel(sim.root(), "told", clock, 1);
        Slow line = new Slow();
        new TxMac(sim.root(), clock, in, told, line, parts).also(ethernet);
        new LongSink(sim.root(), "sink", clock, told, notices);
        sim.run(UNTIL_PS);
        return line.frames;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7})
    void aMacThatWaitsForTheLineSleeps(int packets) {
        assertThat(mac(packets, 0, Stall.none())).isEqualTo(packets);
        assertThat(sim.evaluations()).isLessThan(200);
    }

    @Test
    void withFramesToo() {
        assertThat(mac(0, 7, Stall.none())).isEqualTo(7);
        assertThat(sim.evaluations()).isLessThan(200);
    }

    /** Nobody takes its notices for a while: a sink that stalls looks each cycle, the MAC does not. */
    @Test
    void aMacThatCannotTellSleeps() {
        mac(3, 0, cycle -> cycle > 900_000);
        assertThat(sim.evaluations()).isBetween(100_000L, 1_000_000L);
    }

    @Test
    void anEncoderAndAMemoryWithoutWorkSleep() {
        Channel<RocePacket> in = new Channel<>(sim.root(), "in", clock, 2);
        Channel<RocePacket> out = new Channel<>(sim.root(), "out", clock, 2);
        new TokenSource<>(sim.root(), "packets", clock, in, Stall.none(), 3, TxMacSleepsTest::packet);
        new Encoder(sim.root(), clock, List.of(in), out, parts);
        LongChannel told = new LongChannel(sim.root(), "told", clock, 1);
        new TxMac(sim.root(), clock, out, told, new Slow(), parts);
        new LongSink(sim.root(), "sink", clock, told, Stall.none());
        sim.run(UNTIL_PS);
        assertThat(sim.evaluations()).isLessThan(200);
    }
}
