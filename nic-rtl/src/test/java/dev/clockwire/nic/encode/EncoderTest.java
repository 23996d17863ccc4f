package dev.clockwire.nic.encode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import dev.clockwire.testkit.TokenSource;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long the encoder has a packet, from both of its parameters. */
class EncoderTest {
    private static final long CYCLE_PS = 4000;

    private Sim sim = new Sim(SimSpec.of(1));
    private Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private DeviceParts parts = parts(6, 9);

    private DeviceParts parts(int header, int icrc) {
        return LoneParts.of(
                sim,
                clock,
                Profiles.named("cx7-400g")
                        .with("nic.tx.header_cycles", "" + header)
                        .with("nic.tx.icrc_cycles", "" + icrc),
                new ContextTable());
    }

    private TokenSink<RocePacket> run(int count, IntFunction<RocePacket> maker) {
        Channel<RocePacket> in = new Channel<>(sim.root(), "in", clock, 2);
        Channel<RocePacket> out = new Channel<>(sim.root(), "out", clock, 2);
        new TokenSource<>(sim.root(), "source", clock, in, Stall.none(), count, maker);
        new Encoder(sim.root(), clock, List.of(in), out, parts);
        TokenSink<RocePacket> sink =
                new TokenSink<>(sim.root(), "sink", clock, out, Stall.none(), p -> p.icrcOk ? p.psn : -1);
        sim.run(2_000_000);
        return sink;
    }

    private static RocePacket packet(Opcode opcode, int psn, int payload) {
        RocePacket p = new RocePacket();
        p.opcode = opcode.code();
        p.psn = psn;
        p.setPayloadLength(payload);
        p.icrcOk = false;
        return p;
    }

    /** The cycle of the handover is the first of all; an ACK has its headers already. What the source puts is visible in cycle 1. */
    @ParameterizedTest
    @CsvSource({"6,9,14,8", "1,9,9,8", "6,1,6,1", "1,0,1,1", "2,0,1,1", "5,2,6,1"})
    void headersAndIcrcTakeTheirCyclesAndAnAckTheIcrcOnly(int header, int icrc, int request, int ack) {
        sim = new Sim(SimSpec.of(1));
        clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        parts = parts(header, icrc);
        TokenSink<RocePacket> sink =
                run(2, i -> packet(i == 0 ? Opcode.RC_SEND_ONLY : Opcode.RC_ACKNOWLEDGE, i, i == 0 ? 64 : 0));
        assertThat(sink.values()).containsExactly(0L, 1L);
        assertThat(sink.cycles().get(0)).isEqualTo(1 + request);
        int beats = parts.spec().beats(packet(Opcode.RC_SEND_ONLY, 0, 64).wireBytes());
        assertThat(sink.cycles().get(1)).isEqualTo(Math.max(1 + beats + ack, 2 + request));
    }

    @Test
    void anAckAloneIsThroughAfterTheIcrc() {
        TokenSink<RocePacket> sink = run(1, i -> packet(Opcode.RC_ACKNOWLEDGE, 7, 0));
        assertThat(sink.cycles()).containsExactly(1L + 14 - 6);
        assertThat(sink.values()).as("sealed").containsExactly(7L);
    }

    /** A response with payload is built like a request. */
    @Test
    void aResponseWithDataNeedsItsHeaders() {
        assertThat(run(1, i -> packet(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 1, 8)).cycles())
                .containsExactly(1L + 14);
    }

    @Test
    void thePacketBehindComesItsBeatsLater() {
        List<Long> cycles = run(3, i -> packet(Opcode.RC_SEND_ONLY, i, 1000)).cycles();
        int wire = packet(Opcode.RC_SEND_ONLY, 0, 1000).wireBytes();
        long beats =
                ((long) wire + parts.spec().datapathBytes() - 1) / parts.spec().datapathBytes();
        assertThat(beats).isGreaterThan(1);
        assertThat(cycles).containsExactly(15L, 15 + beats, 15 + 2 * beats);
    }

    @Test
    void eachKindIsStampedInItsOwnStageFromEntryToHandover() {
        sim.enableJourneys(16);
        Opcode[] kinds = {Opcode.RC_SEND_ONLY, Opcode.RC_RDMA_READ_RESPONSE_ONLY, Opcode.RC_ACKNOWLEDGE};
        run(3, i -> {
            RocePacket p = packet(kinds[i], 40 + i, 0);
            p.journey = 5L + i;
            return p;
        });
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isEqualTo(3);
        int[] stages = {parts.journal().assembly, parts.journal().responseAssembly, parts.journal().ack};
        for (int i = 0; i < 3; i++) {
            assertThat(log.stage(i)).isEqualTo(stages[i]);
            assertThat(log.journey(i)).isEqualTo(5 + i);
            assertThat(log.seq(i)).isEqualTo(40 + i);
        }
        assertThat(log.in(0)).isEqualTo(CYCLE_PS);
        assertThat(log.out(0)).isEqualTo(CYCLE_PS * (1 + 14));
    }
}
