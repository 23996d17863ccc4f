package dev.clockwire.testkit;

import static dev.clockwire.testkit.SimAssertions.assertThat;
import static dev.clockwire.testkit.SimAssertions.assertThatJourney;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.stats.Counter;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.StageRegistry;
import dev.clockwire.sim.trace.Waterfall;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each assertion holds where it should, and where it does not its error says what is wrong. */
class SimAssertionsTest {
    private final StatRegistry stats = new StatRegistry();

    private static void fails(ThrowingCallable assertion, String path, String... parts) {
        assertThatThrownBy(assertion)
                .isInstanceOfSatisfying(
                        ModelAssertionError.class, e -> assertThat(e.path()).isEqualTo(path))
                .hasMessageContainingAll(parts);
    }

    @Test
    void percentiles() {
        Histogram h = stats.histogram("nic.latency", "ns", "Latency");
        for (int i = 1; i <= 100; i++) {
            h.record(i);
        }
        assertThat(h).hasCount(100).percentileIsBetween(50, 50, 50).percentileIsAtMost(99, 99);
        fails(
                () -> assertThat(h).percentileIsAtMost(99, 98),
                "nic",
                "nic.latency (100 (min 1",
                "p99 is 99 ns, expected at most 98 ns");
        fails(() -> assertThat(h).percentileIsAtLeast(50, 51), "nic", "p50 is 50 ns, expected at least 51 ns");
        fails(() -> assertThat(h).percentileIsBetween(99.9, 1, 2), "nic", "p99.9 is 100 ns, expected 1 to 2 ns");
        fails(
                () -> assertThat(h).as("after warm-up").hasCount(99),
                "nic",
                "[after warm-up] nic.latency: the count is 100, expected 99");
        Histogram none = stats.histogram("nic.size", "B", "Sizes");
        fails(() -> assertThat(none).percentileIsAtMost(50, 1), "nic", "nic.size has no values, expected p50");
    }

    @Test
    void counters() {
        Counter drops = stats.counter("host0.nic.rx.drops", "", "Frames dropped");
        stats.counter("host1.nic.rx.drops", "", "Frames dropped");
        stats.reading("host1.nic.tx.frames", "", "Frames sent", () -> 7);
        assertThat(stats).hasZero("*.drops").has("host1.nic.tx.frames", 7).hasBetween("*.frames", 7, 8);
        Counts before = Counts.of(stats);
        drops.add(3);
        assertThat(Counts.of(stats).since(before)).has("host0.nic.rx.drops", 3).hasZero("host1.*");
        fails(() -> assertThat(stats).hasZero("*.drops"), "host0.nic.rx", "host0.nic.rx.drops is 3, expected 0");
        fails(
                () -> assertThat(stats).hasPositive("*.drops"),
                "host1.nic.rx",
                "host1.nic.rx.drops is 0, expected more than 0");
        assertThat(before).has("host0.nic.rx.drops", 0);
        assertThatThrownBy(() -> assertThat(stats).hasZero("host0.nic.rx.drop"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("did you mean host0.nic.rx.drops?");
    }

    @Test
    void journeys() {
        StageRegistry names = new StageRegistry();
        JourneyLog log = new JourneyLog(8);
        log.stamp(5, names.id("fetch"), 0, 1000, 4000, 0);
        log.stamp(5, names.id("wire"), 0, 4000, 9000, 0);
        Waterfall whole = Waterfall.of(new JourneyIndex(log), names, 5);
        assertThat(whole)
                .passes("fetch", "wire")
                .isComplete()
                .lastsBetween(8000, 8000)
                .spendsBetween("wire", 1, 5000);
        fails(
                () -> assertThat(whole).passes("wire", "fetch"),
                "",
                "does not pass fetch behind wire",
                "1.000 ns  fetch");
        fails(
                () -> assertThat(whole).spendsBetween("wire", 0, 4999),
                "",
                "its time in wire is 5000 ps, expected 0 to 4999 ps");
        fails(() -> assertThat(whole).lastsBetween(0, 1), "", "its duration is 8000 ps, expected 0 to 1 ps");
        fails(() -> assertThat(whole).passes("fetsh"), "", "does not pass fetsh; did you mean fetch?");
        Sim sim = new Sim(SimSpec.of(1));
        assertThatThrownBy(() -> assertThatJourney(sim, 0)).hasMessageStartingWith("journeys are off");
        sim.enableJourneys(8);
        Objects.requireNonNull(sim.journeys()).stamp(5, sim.stages().id("wire"), 0, 4000, 9000, 0);
        assertThatJourney(sim, 0).passes("wire").lastsBetween(5000, 5000);
        assertThatThrownBy(() -> assertThatJourney(sim, 1)).hasMessage("journey 1: 1 operations were followed");
        Waterfall gap = Waterfall.of(new JourneyIndex(log), names, 5, 0, 9000);
        fails(() -> assertThat(gap).isComplete(), "", "stages cover 8000 of 9000 ps");
    }
}
