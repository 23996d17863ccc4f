package dev.clockwire.bench.perftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatencyFiguresTest {
    @Test
    void percentilesAreOfTheNearestRank() {
        LatencyFigures t = LatencyFigures.of(
                LongStream.rangeClosed(1, 1000).map(i -> (1001 - i) * 1_000_000).toArray(), 1);
        assertThat(t.min()).isEqualTo(1);
        assertThat(t.max()).isEqualTo(1000);
        assertThat(t.p50()).isEqualTo(500);
        assertThat(t.p99()).isEqualTo(990);
        assertThat(t.p999()).isEqualTo(999);
        assertThat(t.avg()).isCloseTo(500.5, within(1e-9));
        assertThat(t.stdev()).isCloseTo(Math.sqrt((1000.0 * 1000 - 1) / 12), within(1e-7));
    }

    @Test
    void halfRoundTripsAreHalves() {
        LatencyFigures t = LatencyFigures.of(new long[] {3_000_001}, 0.5);
        assertThat(t.p50()).isEqualTo(1.5000005);
        assertThat(t.stdev()).isZero();
    }

    @Test
    void nothingIsZero() {
        assertThat(LatencyFigures.of(new long[0], 1).max()).isZero();
    }
}
