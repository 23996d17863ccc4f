package dev.clockwire.roce.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LinkFaultsTest {
    /** 80 ps a byte, 6 ns flight: an empty WRITE takes 6.72 ns of line. */
    private static final LinkSpec GBPS_100 = LinkSpec.ethernet(100, 5_000, 1_000);

    private static final long SLOT = 84 * 80;

    private static Ends ends(FaultRule... rules) {
        return new Ends(GBPS_100, KernelMode.ACTIVITY, FaultPlan.of(rules));
    }

    /** Sends frames from both ends back to back; the PSNs of the second end's start at 1000. */
    private static Ends sent(int frames, FaultRule... rules) {
        Ends ends = ends(rules);
        send(ends, frames);
        ends.sim.run(1_000_000_000);
        return ends;
    }

    private static void send(Ends ends, int frames) {
        for (int i = 1; i <= frames; i++) {
            ends.a.sendAt(i * SLOT, Ends.write(0, i));
            ends.b.sendAt(i * SLOT, Ends.write(0, 1000 + i));
        }
    }

    private static List<Integer> psns(Ends.Station station) {
        return station.arrivals.stream().map(Ends.Arrival::psn).toList();
    }

    private static FaultRule at(FaultAction action, long... frames) {
        return FaultRule.of(
                action, new FaultTrigger.Frames(LongStream.of(frames).boxed().toList()));
    }

    private static final FaultAction DROP = new FaultAction.Drop();

    @Test
    void dropsTheFramesOfTheListInEachDirection() {
        Ends ends = sent(5, at(DROP, 2, 4));
        assertThat(psns(ends.b)).containsExactly(1, 3, 5);
        assertThat(psns(ends.a)).containsExactly(1001, 1003, 1005);
        assertThat(ends.link.a().framesLost()).isEqualTo(2);
        assertThat(ends.link.a().framesSent()).isEqualTo(5);
    }

    @Test
    void orInOneOnly() {
        Ends ends = sent(3, at(DROP, 2).in(FaultDirection.BACKWARD));
        assertThat(psns(ends.b)).containsExactly(1, 2, 3);
        assertThat(psns(ends.a)).containsExactly(1001, 1003);
    }

    @Test
    void countsOnlyWhatMatches() {
        Ends ends = ends(at(DROP, 1, 3).where(FrameMatch.of(List.of("RC_ACKNOWLEDGE", "RC_SEND*"), 7)));
        Opcode[] opcodes = {
            Opcode.RC_RDMA_WRITE_MIDDLE,
            Opcode.RC_SEND_ONLY,
            Opcode.RC_ACKNOWLEDGE,
            Opcode.RC_SEND_FIRST,
            Opcode.RC_SEND_LAST
        };
        int i = 0;
        for (Opcode opcode : opcodes) {
            RocePacket packet = Ends.write(0, ++i);
            packet.opcode = opcode.code();
            packet.destQp = opcode == Opcode.RC_ACKNOWLEDGE ? 8 : 7;
            ends.a.sendAt(i * 100_000L, packet);
        }
        ends.sim.run(1_000_000_000);
        // of queue pair 7 match the packets 2, 4 and 5
        assertThat(psns(ends.b)).containsExactly(1, 3, 4);
    }

    @Test
    void refusesAnOpcodeThatFitsNothing() {
        assertThatThrownBy(() -> FrameMatch.of(List.of("RC_ACKNOWLEGE"), FrameMatch.ANY_QP))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("RC_ACKNOWLEDGE?");
    }

    /** A bit that a frame does not have: nothing happens to it, and nothing is said to have happened. */
    @Test
    void aBitBeyondTheFrameHitsNothing() {
        int bits = 8 * Ends.write(0, 1).wireBytes();
        for (int bit : new int[] {bits - 1, bits, bits + 400}) {
            Ends ends = sent(3, at(new FaultAction.Corrupt(bit), 2));
            long hit = bit < bits ? 1 : 0;
            assertThat(ends.link.a().framesCorrupted())
                    .as("bit %d of %d", bit, bits)
                    .isEqualTo(hit);
            assertThat(ends.link.b().framesCorrupted()).isEqualTo(hit);
        }
    }

    @Test
    void probabilityIsWhatIsLost() {
        Ends ends = sent(20_000, FaultRule.of(DROP, new FaultTrigger.Probability(0.1)));
        // standard deviation of a binomial: sqrt(20000 * 0.1 * 0.9) = 42
        assertThat(ends.link.a().framesLost()).isCloseTo(2000, within(170L));
        assertThat(ends.link.b().framesLost()).isCloseTo(2000, within(170L));
        assertThat(psns(ends.a))
                .isNotEqualTo(psns(ends.b).stream().map(psn -> psn + 1000).toList());
    }

    @Test
    void aRuleMovesNoOtherRulesChances() {
        FaultRule chance = FaultRule.of(DROP, new FaultTrigger.Probability(0.2)).named("chance");
        List<Integer> alone = psns(sent(200, chance).b);
        Ends both = sent(200, at(new FaultAction.Duplicate(), 5), chance);
        List<Integer> firsts = new ArrayList<>(psns(both.b));
        firsts.remove(Integer.valueOf(5));
        assertThat(both.link.a().framesDuplicated()).isEqualTo(1);
        assertThat(firsts.stream().filter(psn -> psn != 5).toList())
                .isEqualTo(alone.stream().filter(psn -> psn != 5).toList());
    }

    @Test
    void aDuplicateTakesLineTimeRightBehind() {
        Ends ends = sent(3, at(new FaultAction.Duplicate(), 2).in(FaultDirection.FORWARD));
        assertThat(psns(ends.b)).containsExactly(1, 2, 2, 3);
        assertThat(ends.b.arrivals)
                .extracting(Ends.Arrival::first)
                .containsExactly(SLOT + 6_000, 2 * SLOT + 6_000, 3 * SLOT + 6_000, 4 * SLOT + 6_000);
        assertThat(ends.link.a().framesSent()).isEqualTo(4);
    }

    @Test
    void aReorderedFrameArrivesBehindTheNext() {
        Ends ends = sent(4, at(new FaultAction.Reorder(), 2).in(FaultDirection.FORWARD));
        assertThat(psns(ends.b)).containsExactly(1, 3, 2, 4);
        assertThat(ends.link.a().framesLate()).isEqualTo(1);
    }

    @Test
    void andAfterAWhileIfNoOtherComes() {
        Ends ends = sent(2, at(new FaultAction.Reorder(), 2).lasting(1_000_000));
        assertThat(psns(ends.b)).containsExactly(1, 2);
        assertThat(ends.b.arrivals.get(1).at()).isBetween(1_000_000L, 1_040_000L);
    }

    @Test
    void aDelayedFrameIsOvertaken() {
        Ends ends = sent(4, at(new FaultAction.Delay(), 1).lasting(2 * SLOT + 1).in(FaultDirection.FORWARD));
        assertThat(psns(ends.b)).containsExactly(2, 3, 1, 4);
        assertThat(ends.b.arrivals.get(2).first()).isEqualTo(SLOT + 6_000 + 2 * SLOT + 1);
    }

    @Test
    void aTimeHitsTheNextFrameOrAWindow() {
        FaultRule once = FaultRule.of(DROP, new FaultTrigger.At(2 * SLOT + 1));
        assertThat(psns(sent(5, once).b)).containsExactly(1, 2, 4, 5);
        assertThat(psns(sent(5, once.lasting(SLOT)).b)).containsExactly(1, 2, 4, 5);
        assertThat(psns(sent(5, once.lasting(SLOT + 1)).b)).containsExactly(1, 2, 4, 5);
        assertThat(psns(sent(5, once.lasting(2 * SLOT)).b)).containsExactly(1, 2, 5);
    }

    @Test
    void chanceWithADurationIsABurst() {
        FaultRule burst = at(DROP, 2).lasting(2 * SLOT + 1);
        assertThat(psns(sent(6, burst).b)).containsExactly(1, 5, 6);
    }

    @Test
    void anEventIsTheFirstOfItsKind() {
        FaultRule rule = FaultRule.of(DROP, new FaultTrigger.AtEvent("nak", FrameEvent.NAK));
        assertThat(withNak(rule)).containsExactly(1, 2, 51, 52);
        FaultRule behind = rule.where(FrameMatch.opcode(Opcode.RC_RDMA_WRITE_MIDDLE));
        assertThat(withNak(behind)).containsExactly(1, 2, 50, 52);
    }

    /** Sends two WRITEs, a NAK with number 50 and two WRITEs; returns what arrives. */
    private static List<Integer> withNak(FaultRule rule) {
        Ends ends = ends(rule);
        send(ends, 2);
        RocePacket nak = Ends.write(0, 50);
        nak.opcode = Opcode.RC_ACKNOWLEDGE.code();
        nak.syndrome = 0x60;
        ends.a.sendAt(3 * SLOT, nak);
        ends.a.sendAt(4 * SLOT, Ends.write(0, 51));
        ends.a.sendAt(5 * SLOT, Ends.write(0, 52));
        ends.sim.run(1_000_000_000);
        return psns(ends.b);
    }

    @Test
    void aLinkIsDownInBothDirectionsAndComesUp() {
        FaultRule down = FaultRule.of(new FaultAction.LinkDown("cable"), new FaultTrigger.At(2 * SLOT + 1))
                .lasting(SLOT);
        Ends ends = sent(5, down);
        // frame 2 is still on the line when the link goes down, frame 3 starts before it is up
        assertThat(psns(ends.b)).containsExactly(1, 4, 5);
        assertThat(psns(ends.a)).containsExactly(1001, 1004, 1005);
        FaultRule other = FaultRule.of(new FaultAction.LinkDown("elsewhere"), new FaultTrigger.At(0));
        assertThat(psns(sent(2, other).b)).containsExactly(1, 2);
    }

    @Test
    void theOtherEndLearnsOfALinkThatFailsAtAFrame() {
        FaultRule down = at(new FaultAction.LinkDown("cable"), 2).in(FaultDirection.BOTH);
        Ends ends = ends(down);
        for (int i = 1; i <= 3; i++) {
            ends.a.sendAt(i * SLOT, Ends.write(0, i));
        }
        ends.b.sendAt(SLOT, Ends.write(0, 1001));
        ends.b.sendAt(5 * SLOT, Ends.write(0, 1002));
        ends.sim.run(1_000_000_000);
        assertThat(psns(ends.b)).containsExactly(1);
        assertThat(psns(ends.a)).containsExactly(1001);
    }

    @Test
    void runningOnFromASnapshotChangesNothing() {
        FaultRule[] rules = {
            FaultRule.of(DROP, new FaultTrigger.Probability(0.1)),
            FaultRule.of(new FaultAction.Corrupt(FaultAction.Corrupt.ANY_BIT), new FaultTrigger.Probability(0.1)),
            FaultRule.of(new FaultAction.Reorder(), new FaultTrigger.Probability(0.3))
        };
        for (KernelMode mode : KernelMode.values()) {
            Ends ends = new Ends(GBPS_100, mode, FaultPlan.of(rules));
            send(ends, 100);
            ends.sim.run(50 * SLOT + 10);
            Snapshot snapshot = ends.sim.save();
            ends.sim.run(1_000_000_000);
            long hash = ends.sim.traceHash();
            List<Integer> rest = psns(ends.b);
            int before = (int) IntStream.range(0, ends.b.arrivals.size())
                    .filter(i -> ends.b.arrivals.get(i).at() < 50 * SLOT + 10)
                    .count();
            ends.b.arrivals.clear();
            ends.sim.restore(snapshot);
            ends.sim.run(1_000_000_000);
            assertThat(ends.sim.traceHash()).isEqualTo(hash);
            assertThat(psns(ends.b)).isEqualTo(rest.subList(before, rest.size()));
        }
    }
}
