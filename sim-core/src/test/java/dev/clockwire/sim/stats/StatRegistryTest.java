package dev.clockwire.sim.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.Test;

class StatRegistryTest {
    private final StatRegistry stats = new StatRegistry();

    @Test
    void treeIsInNameOrderWhateverTheOrderOfRegistration() {
        stats.counter("host0.nic.txMac.frames", "frames", "frames sent").add(3);
        stats.gauge("host0.nic-b.level", "", "a neighbour whose name sorts close")
                .set(10, 2);
        stats.counter("host0.nic.rxMac.frames", "frames", "frames received").inc();
        stats.reading("clock", "ps", "the time", () -> 42);
        stats.histogram("host0.latency", "ps", "post to completion").record(7);

        assertThat(stats.tree(20)).isEqualTo("""
                        clock = 42 ps  # the time
                        host0
                          latency = 1 (min 7, mean 7.000, p50 7, p99 7, max 7, stdev 0.000) ps  # post to completion
                          nic
                            rxMac
                              frames = 1 frames  # frames received
                            txMac
                              frames = 3 frames  # frames sent
                          nic-b
                            level = 2 (mean 1.000, min 0, max 2)  # a neighbour whose name sorts close
                        """);
        assertThat(stats.all()).hasSize(5);
        assertThat(stats.value("host0.nic.txMac.frames")).isEqualTo(3);
        assertThat(stats.value("clock")).isEqualTo(42);
    }

    @Test
    void wrongNamesAreRefused() {
        stats.counter("a.b", "", "");
        for (String wrong : new String[] {"", ".a", "a.", "a..c"}) {
            assertThatThrownBy(() -> stats.counter(wrong, "", "")).hasMessageContaining("single dots");
        }
        assertThatThrownBy(() -> stats.counter("a.b", "", "")).hasMessageContaining("exists already");
        assertThatThrownBy(() -> stats.counter("a", "", "")).hasMessageContaining("parent of a.b");
        stats.counter("a.b-c", "", "");
        assertThatThrownBy(() -> stats.counter("a.b.c", "", "")).hasMessageContaining("child of a.b");
        assertThatThrownBy(() -> stats.find("a.d"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("did you mean a.b?");
        stats.gauge("g", "", "");
        assertThatThrownBy(() -> stats.value("g")).hasMessageContaining("is a Gauge");
    }

    @Test
    void gaugeMeanIsWeightedWithTime() {
        Gauge g = stats.gauge("queue", "frames", "occupancy");
        assertThat(g.mean(0)).isZero();
        g.set(100, 4);
        g.add(150, -6);
        assertThat(g.mean(200)).isEqualTo((100 * 0 + 50 * 4 + 50 * -2) / 200.0);
        assertThat(g.value()).isEqualTo(-2);
        assertThat(g.min()).isEqualTo(-2);
        assertThat(g.max()).isEqualTo(4);
        g.reset(200);
        assertThat(g.mean(200)).isEqualTo(-2);
        assertThat(g.max()).isEqualTo(-2);
        g.set(300, 8);
        assertThat(g.mean(400)).isEqualTo(3);
        assertThatThrownBy(() -> g.set(299, 1))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("queue");
    }

    @Test
    void gaugeAreaDoesNotOverflow() {
        Gauge g = stats.gauge("bytes", "B", "level");
        long tenBillion = 10_000_000_000L;
        g.set(0, tenBillion);
        assertThat(g.mean(3_600_000_000_000_000L)).isEqualTo(1e10);
    }

    @Test
    void restoredStatisticsGoOnFromTheSavedValues() {
        Counter c = stats.counter("c", "", "");
        Gauge g = stats.gauge("g", "", "");
        stats.histogram("h", "", "").record(9);
        stats.reading("r", "", "", () -> 1);
        c.add(5);
        g.set(10, 3);
        String before = stats.tree(50);
        Snapshot s = new Snapshot();
        stats.save(s);
        c.inc();
        g.set(20, 9);
        stats.reset(30);
        assertThat(c.value()).isZero();
        stats.load(s);
        assertThat(stats.tree(50)).isEqualTo(before);
    }
}
