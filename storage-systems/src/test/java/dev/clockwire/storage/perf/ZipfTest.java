package dev.clockwire.storage.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.sim.random.RandomStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares of the first places against the sums that define the distribution. */
class ZipfTest {
    @ParameterizedTest
    @CsvSource({"1000, 0.5", "1000, 0.99", "100000, 0.8", "100, 1.2", "50000000, 0.9"})
    void theFirstPlacesHaveTheirShares(long places, double theta) {
        Zipf zipf = new Zipf(places, theta);
        RandomStream random = RandomStream.named(3, "z");
        int n = 200_000;
        long[] first = new long[2];
        long last = 0;
        for (int i = 0; i < n; i++) {
            long at = zipf.draw(random);
            assertThat(at).isBetween(0L, places - 1);
            if (at < 2) {
                first[(int) at]++;
            }
            last += at >= places / 2 ? 1 : 0;
        }
        double sum = 0;
        for (long i = 1; i <= places; i++) {
            sum += Math.pow((double) i, -theta);
        }
        assertThat(first[0] / (double) n).isCloseTo(1 / sum, within(0.004));
        assertThat(first[1] / (double) n).isCloseTo(Math.pow(0.5, theta) / sum, within(0.004));
        assertThat(last).isPositive().isLessThan(n / 2);
    }
}
