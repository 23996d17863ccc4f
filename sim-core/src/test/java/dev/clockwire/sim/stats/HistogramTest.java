package dev.clockwire.sim.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import org.junit.jupiter.api.Test;

class HistogramTest {
    private final Histogram h = new Histogram("lat", "ps", "latency");

    @Test
    void empty() {
        assertThat(h.count()).isZero();
        assertThat(h.min()).isZero();
        assertThat(h.max()).isZero();
        assertThat(h.mean()).isZero();
        assertThat(h.stdev()).isZero();
        assertThat(h.percentile(50)).isZero();
        assertThat(HgrmText.of(h, 1)).contains("Total count    =            0");
    }

    @Test
    void nearestRankOfAThousand() {
        for (int i = 1; i <= 1000; i++) {
            h.record(i);
        }
        assertThat(h.percentile(0)).isEqualTo(1);
        assertThat(h.percentile(50)).isEqualTo(500);
        assertThat(h.percentile(50.01)).isEqualTo(501);
        assertThat(h.percentile(99.9)).isEqualTo(999);
        assertThat(h.percentile(100)).isEqualTo(1000);
        assertThat(h.mean()).isEqualTo(500.5);
        assertThat(h.stdev()).isEqualTo(Math.sqrt(83333.25));
        assertThat(h.text(0)).isEqualTo("1000 (min 1, mean 500.500, p50 500, p99 990, max 1000, stdev 288.675)");
    }

    @Test
    void bucketsTileTheAxis() {
        Histogram coarse = new Histogram("c", "", "", 3);
        coarse.record(Long.MAX_VALUE);
        long last = -1;
        for (int i = 0; i < coarse.buckets(); i++) {
            long begin = last + 1;
            last = coarse.bucketEnd(i);
            assertThat(last).isGreaterThanOrEqualTo(begin);
            assertThat(last - begin).isLessThanOrEqualTo(begin >>> 3);
            Histogram one = new Histogram("o", "", "", 3);
            one.record(begin);
            assertThat(one.bucketCount(i)).isEqualTo(1);
        }
        assertThat(last).isEqualTo(Long.MAX_VALUE);
        assertThat(coarse.percentile(50)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void manyAtOnceIsManyTimesOne() {
        Histogram loop = new Histogram("lat", "ps", "latency");
        for (int i = 0; i < 7; i++) {
            loop.record(123_456_789_012L);
        }
        h.record(123_456_789_012L, 7);
        h.record(5, 0);
        assertThat(h.text(0)).isEqualTo(loop.text(0));
        h.reset(0);
        assertThat(h.count()).isZero();
        assertThat(h.max()).isZero();
    }

    @Test
    void wrongUseIsRefused() {
        assertThatThrownBy(() -> h.record(-1))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("lat");
        assertThatThrownBy(() -> new Histogram("x", "", "", 17)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> h.add(new Histogram("x", "", "", 5))).hasMessageContaining("10 and 5 bits");
        h.record(1);
        assertThatThrownBy(() -> h.percentile(100.5)).hasMessageContaining("from 0 to 100");
        assertThatThrownBy(() -> h.percentile(Double.NaN)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> Percentiles.rank(50, 0)).hasMessageContaining("no values");
    }

    @Test
    void samplesAreExact() {
        Samples s = new Samples(2);
        for (long v : new long[] {30, 10, 20, 1L << 50 | 1}) {
            s.record(v);
        }
        assertThat(s.percentile(25)).isEqualTo(10);
        assertThat(s.percentile(75)).isEqualTo(30);
        assertThat(s.percentile(75.1)).isEqualTo(1L << 50 | 1);
        dev.clockwire.sim.state.Snapshot snapshot = new dev.clockwire.sim.state.Snapshot();
        s.save(snapshot);
        Samples other = new Samples(1);
        other.load(snapshot);
        assertThat(other.count()).isEqualTo(4);
        assertThat(other.percentile(50)).isEqualTo(20);
        other.clear();
        assertThat(other.count()).isZero();
        other.record(3);
        assertThat(other.percentile(99)).isEqualTo(3);
    }
}
