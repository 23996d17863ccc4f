package dev.clockwire.roce.fabric.net;

import static dev.clockwire.roce.fabric.net.Fabrics.KBPS;
import static dev.clockwire.roce.fabric.net.Fabrics.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.roce.wire.LldpFrame;
import dev.clockwire.roce.wire.LldpPacket;
import dev.clockwire.roce.wire.PfcSettings;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.Modes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two agents and the cable between them: what is said when, what is lost, what is forgotten. Times are those of IEEE 802.1AB. */
class LldpAgentTest {
    private static final long S = 1_000_000_000_000L;

    private static DcbSettings pfc(boolean willing, int enabled) {
        return new DcbSettings(null, null, new PfcSettings(willing, false, 8, enabled), List.of());
    }

    /** A cable whose two ends speak, and what their ports are told: {time, priorities}. */
    private static final class Pair {
        final Sim sim;
        final Link link;
        final LldpAgent a;
        final LldpAgent b;
        final List<Long> sent = new ArrayList<>();
        final List<List<Long>> told = new ArrayList<>();

        Pair(SimSpec kernel, DcbSettings low, DcbSettings high, FaultRule... rules) {
            sim = new Sim(kernel.withWatchdogPs(0));
            LinkSpec spec = new LinkSpec(KBPS, US, 0, Framing.ETHERNET, false);
            link = new Link(sim.root(), "cable", spec, FaultPlan.of(rules));
            a = new LldpAgent(sim.root(), "a", LldpSpec.STANDARD, link.a(), 1, "low", low, false);
            b = new LldpAgent(sim.root(), "b", LldpSpec.STANDARD, link.b(), 2, "high", high, false);
            SimNode port = new SimNode(sim.root(), "port") {};
            a.tells(
                    new EventPort(port, "settings") {
                        @Override
                        protected void event(int kind, long priorities, long which, @Nullable Token token) {
                            told.add(List.of(sim.now(), priorities, which));
                        }
                    },
                    0,
                    7);
            link.a().tap((ps, end, frame) -> sent.add(ps));
            sim.elaborate();
            link.start();
            a.start();
            b.start();
        }

        Pair(DcbSettings low, DcbSettings high, FaultRule... rules) {
            this(SimSpec.of(1), low, high, rules);
        }

        Pair until(long ps) {
            sim.run(ps);
            return this;
        }
    }

    private static FaultRule drop(FaultDirection way, Long... frames) {
        return FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Frames(List.of(frames)))
                .in(way);
    }

    /** One at once, one to the new neighbour, three more a second apart, then each 30 s; the time of the first arrival is that of its bits. */
    @Test
    void framesGoOutWhenTheStandardSays() {
        Pair pair = new Pair(pfc(true, 0), pfc(false, 8)).until(100 * S);
        LldpFrame heard = Objects.requireNonNull(pair.a.neighbour());
        assertThat(heard.port()).isEqualTo("high");
        assertThat(heard.seconds()).as("30 x 4 + 1").isEqualTo(121);
        long line = (long) Framing.ETHERNET.lineBytes(new LldpFrame(2, "high", 121, pfc(false, 8)).encode().length);
        long first = pair.sent.get(0);
        long gap = Framing.ETHERNET.gapBytes();
        long there = first + US + (line - gap) * 80;
        assertThat(pair.told).containsExactly(List.of(1L, 0L, 7L), List.of(there + 1, 8L, 7L));
        long fast = there + 1;
        List<Long> times = new ArrayList<>(List.of(first));
        for (long after : List.of(0L, 1L, 2L, 3L, 33L, 63L, 93L)) {
            times.add(fast + after * S);
        }
        assertThat(pair.sent).isEqualTo(times);
        assertThat(pair.b.taken()).isEqualTo(times.size());
        assertThat(pair.a.priorities()).isEqualTo(8);
        assertThat(pair.a.differences()).isEmpty();
    }

    /** The first frames of one side are lost: the other's new neighbour brings more within the second. */
    @Test
    void aLostFrameIsMadeUpForByTheFastOnes() {
        Pair pair = new Pair(pfc(true, 0), pfc(false, 8), drop(FaultDirection.BACKWARD, 1L, 2L));
        pair.until(S);
        assertThat(pair.a.neighbour()).isNull();
        assertThat(pair.a.priorities()).isZero();
        pair.until(S + 10 * US);
        assertThat(pair.a.priorities()).isEqualTo(8);
    }

    /** All frames of one side are lost: it is not heard, hears the other, and each goes by what it knows. */
    @Test
    void whoIsNotHeardChangesNothing() {
        FaultRule all =
                FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Always()).in(FaultDirection.BACKWARD);
        Pair pair = new Pair(pfc(true, 1), pfc(true, 8), all).until(200 * S);
        assertThat(pair.a.neighbour()).isNull();
        assertThat(pair.a.priorities()).isEqualTo(1);
        assertThat(pair.b.priorities()).as("the lower address keeps its own").isEqualTo(1);
        assertThat(pair.a.taken()).isZero();
        assertThat(pair.b.aged()).isZero();
    }

    /** The cable breaks for good after 10 s: each forgets the other 121 s after the newest frame, and works with its own settings again. */
    @Test
    void aNeighbourIsForgottenWhenItsTimeIsOver() {
        FaultRule outage = FaultRule.of(new FaultAction.LinkDown("cable"), new FaultTrigger.At(10 * S))
                .lasting(1000 * S);
        Pair pair = new Pair(pfc(true, 0), pfc(false, 8), outage).until(100 * S);
        assertThat(pair.a.priorities()).isEqualTo(8);
        long newest =
                pair.sent.stream().filter(t -> t < 10 * S).max(Long::compare).orElseThrow();
        pair.until(newest + 121 * S);
        assertThat(pair.a.neighbour()).isNotNull();
        pair.until(newest + 121 * S + 10 * US);
        assertThat(pair.a.neighbour()).isNull();
        assertThat(pair.a.aged()).isEqualTo(1);
        assertThat(pair.a.priorities()).isZero();
        assertThat(pair.told.get(pair.told.size() - 1).get(1)).isZero();
        pair.until(1100 * S);
        assertThat(pair.a.priorities()).as("the cable is whole again").isEqualTo(8);
    }

    /** Garbage and another time to live; 0 s takes everything back at once. */
    @Test
    void theNeighbourCanTakeItBackAndTalkNonsense() {
        Pair pair = new Pair(pfc(true, 0), pfc(false, 8)).until(5 * S);
        assertThat(pair.a.priorities()).isEqualTo(8);
        byte[] torn = new LldpFrame(2, "high", 121, pfc(false, 16)).encode();
        torn[14] = 9;
        say(pair, torn);
        assertThat(pair.a.priorities()).isEqualTo(8);
        say(pair, new LldpFrame(2, "high", 0, pfc(false, 8)).encode());
        assertThat(pair.a.neighbour()).isNull();
        assertThat(pair.a.aged()).isZero();
        say(pair, new LldpFrame(9, "other", 2, pfc(false, 16)).encode());
        assertThat(pair.a.priorities()).isEqualTo(16);
        pair.until(pair.sim.now() + 3 * S);
        assertThat(pair.a.priorities()).as("2 s are over").isZero();
    }

    private static void say(Pair pair, byte[] bytes) {
        LldpPacket packet = new LldpPacket(bytes);
        pair.link.b().transmit(pair.sim.now(), packet, Framing.ETHERNET.lineBytes(packet.wireBytes()), 0);
        pair.until(pair.sim.now() + 10 * US);
    }

    @ParameterizedTest
    @CsvSource({"false, false, 3, 12", "true, false, 12, 12", "false, true, 3, 3", "true, true, 3, 3"})
    void bothEndsComeToTheOutcomeOfTheStandard(boolean low, boolean high, int atLow, int atHigh) {
        Pair pair = new Pair(pfc(low, 3), pfc(high, 12)).until(S);
        assertThat(pair.a.priorities()).isEqualTo(atLow);
        assertThat(pair.b.priorities()).isEqualTo(atHigh);
        assertThat(pair.a.differences()).isEqualTo(pair.b.differences());
        assertThat(pair.a.differences().isEmpty()).isEqualTo(atLow == atHigh);
    }

    @Test
    void everyModeAndASnapshotGiveOneTrace() {
        TreeSet<Long> hashes = new TreeSet<>();
        for (Map.Entry<String, SimSpec> mode : Modes.all(5).entrySet()) {
            Pair pair = new Pair(mode.getValue(), pfc(true, 0), pfc(false, 8), drop(FaultDirection.BACKWARD, 1L));
            hashes.add(pair.until(40 * S).sim.traceHash());
        }
        Pair whole = new Pair(pfc(true, 0), pfc(false, 8), drop(FaultDirection.BACKWARD, 1L));
        whole.until(1_000_100L); // a frame is under way
        var snapshot = whole.sim.save();
        Pair half = new Pair(pfc(true, 0), pfc(false, 8), drop(FaultDirection.BACKWARD, 1L));
        half.sim.restore(snapshot);
        assertThat(half.until(40 * S).sim.traceHash())
                .isEqualTo(whole.until(40 * S).sim.traceHash());
        assertThat(half.a.priorities()).isEqualTo(8);
        assertThat(half.a.sent()).isEqualTo(whole.a.sent());
        assertThat(hashes).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 4, 1, 4", "3601, 4, 1, 4", "30, 0, 1, 4", "30, 101, 1, 4", "30, 4, 0, 4", "30, 4, 1, 9"})
    void timesOutOfRangeAreRefused(int interval, int hold, int fast, int frames) {
        assertThatThrownBy(() -> new LldpSpec(interval, hold, fast, frames))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("is not in 1..");
        assertThat(new LldpSpec(3600, 100, 1, 1).seconds()).isEqualTo(65_535);
    }
}
