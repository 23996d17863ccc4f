package dev.clockwire.nic.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import dev.clockwire.testkit.TokenSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the stages between fetch and execution do to a WQE. */
class WqeStageTest {
    private static final int RC = 0x20;
    private static final int UD = 0x21;
    private static final int CYCLES = 3;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final ContextTable table = new ContextTable();
    private final DeviceParts parts;
    private final List<Wqe> out = new ArrayList<>();

    WqeStageTest() {
        table.setUars(8);
        table.add(new QpContext(RC, QpType.RC, 1, 0, 4, 0, 4, 16, 0, 0, 0));
        table.add(new QpContext(UD, QpType.UD, 1, 0, 4, 0, 4, 16, 0, 0, 0));
        parts = LoneParts.of(sim, clock, Profiles.named("cx7-400g"), table);
    }

    /** A WQE as it comes from the ring: bytes, and whose ring it was. */
    private static Wqe fetched(int inBytes, int ringOf, boolean datagram) {
        WqeWriter writer = new WqeWriter();
        writer.begin(WqeOpcode.SEND, 9, inBytes, true, false, false, 0);
        if (datagram) {
            writer.datagram(0x1234, 0x55, new FlowAddress());
        }
        writer.data(0x7000, 100, 3);
        Wqe wqe = new Wqe();
        System.arraycopy(writer.bytes(), 0, wqe.raw, 0, writer.finish());
        wqe.qpn = ringOf;
        return wqe;
    }

    private TokenSink<Wqe> run(boolean parses, int stage, Wqe... wqes) {
        Channel<Wqe> in = new Channel<>(sim.root(), "in", clock, 2);
        Channel<Wqe> to = new Channel<>(sim.root(), "out", clock, 2);
        new TokenSource<>(sim.root(), "source", clock, in, Stall.none(), wqes.length, i -> wqes[i]);
        new WqeStage(sim.root(), "stage", clock, List.of(in), to, CYCLES, parses, stage, parts);
        TokenSink<Wqe> sink = new TokenSink<>(sim.root(), "sink", clock, to, Stall.none(), w -> {
            out.add(w);
            return w.index;
        });
        sim.run(200_000);
        return sink;
    }

    @Test
    void theParserReadsTheFields() {
        assertThat(run(true, 0, fetched(RC, RC, false)).cycles()).containsExactly(1L + CYCLES);
        Wqe w = out.get(0);
        assertThat(w.valid).isTrue();
        assertThat(w.sgeCount).isEqualTo(1);
        assertThat(w.length).isEqualTo(100);
    }

    @Test
    void otherStagesReadNothing() {
        run(false, 0, fetched(RC, RC, false));
        assertThat(out.get(0).valid).isFalse();
        assertThat(out.get(0).sgeCount).isZero();
    }

    /** Only the type of the queue pair tells whether a datagram segment stands in front of the data. */
    @Test
    void theWqeOfADatagramQueueHasADatagramSegment() {
        run(true, 0, fetched(UD, UD, true), fetched(RC, RC, false));
        assertThat(out.get(0).destQp).isEqualTo(0x55);
        assertThat(out.get(0).qkey).isEqualTo(0x1234);
        assertThat(out.get(0).sgeCount).isEqualTo(1);
        assertThat(out.get(1).destQp).isZero();
        assertThat(out.get(1).sgeCount).isEqualTo(1);
    }

    /** A WQE in one queue's ring that says it is another one's ends as an error of the ring's owner. */
    @Test
    void theNumberInTheBytesMustBeTheRings() {
        run(true, 0, fetched(UD, RC, false), fetched(RC, RC, false));
        assertThat(out.get(0).valid).isFalse();
        assertThat(out.get(0).qpn).isEqualTo(RC);
        assertThat(out.get(1).valid).isTrue();
    }

    @Test
    void aQueueThatIsGoneIsParsedAllTheSame() {
        run(true, 0, fetched(0x99, 0x99, false));
        assertThat(out.get(0).valid).isTrue();
        assertThat(out.get(0).sgeCount).isEqualTo(1);
    }

    /** Where the fetch failed there are no bytes to read: the number and the blocks stay as the fetch said. */
    @Test
    void whatCouldNotBeReadIsNotParsed() {
        Wqe lost = fetched(RC, RC, false);
        lost.unreadable(5, 2);
        run(true, 0, lost);
        assertThat(out.get(0).index).isEqualTo(5);
        assertThat(out.get(0).blocks).isEqualTo(2);
        assertThat(out.get(0).valid).isFalse();
        assertThat(out.get(0).sgeCount).isZero();
    }

    @Test
    void theEndOfAJournalsStageIsStamped() {
        sim.enableJourneys(16);
        Wqe wqe = fetched(RC, RC, false);
        wqe.journey = 77;
        run(true, parts.journal().lookup, wqe);
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isEqualTo(1);
        assertThat(log.journey(0)).isEqualTo(77);
        assertThat(log.stage(0)).isEqualTo(parts.journal().lookup);
        assertThat(log.in(0)).isEqualTo(4_000);
        assertThat(log.out(0)).isEqualTo(4_000 * (1 + CYCLES));
    }

    @Test
    void aStageInTheMiddleIsNot() {
        sim.enableJourneys(16);
        Wqe wqe = fetched(RC, RC, false);
        wqe.journey = 77;
        run(true, 0, wqe);
        assertThat(Objects.requireNonNull(sim.journeys()).size()).isZero();
    }

    /** What was fetched must not be overtaken by a BlueFlame WQE of the same queue: the first input always goes first. */
    @Test
    void fetchedWqesGoBeforeThoseThatCameByBlueFlame() {
        Channel<Wqe> fetched = new Channel<>(sim.root(), "fetched", clock, 2);
        Channel<Wqe> bypass = new Channel<>(sim.root(), "bypass", clock, 2);
        Channel<Wqe> to = new Channel<>(sim.root(), "out", clock, 2);
        new TokenSource<>(sim.root(), "a", clock, fetched, Stall.none(), 4, i -> fetched(RC, RC, false));
        new TokenSource<>(sim.root(), "b", clock, bypass, Stall.none(), 4, i -> fetched(UD, UD, true));
        new WqeStage(sim.root(), "stage", clock, List.of(fetched, bypass), to, CYCLES, true, 0, parts);
        TokenSink<Wqe> sink = new TokenSink<>(sim.root(), "sink", clock, to, Stall.none(), w -> w.qpn);
        sim.run(200_000);
        assertThat(sink.values()).containsExactly(32L, 32L, 32L, 32L, 33L, 33L, 33L, 33L);
    }
}
