package dev.clockwire.sim.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.sim.state.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The histogram against a sorted list of all values, and against HdrHistogram. */
class HistogramProperties {
    @Provide
    Arbitrary<Long> values() {
        return Arbitraries.oneOf(
                Arbitraries.longs().between(0, 3000),
                Arbitraries.longs().between(2040, 2060),
                Arbitraries.longs().between(0, 1L << 40),
                Arbitraries.longs().between(0, Long.MAX_VALUE));
    }

    @Provide
    Arbitrary<Long> smallValues() {
        return Arbitraries.longs().between(0, 2047);
    }

    @Provide
    Arbitrary<Long> latencies() {
        return Arbitraries.longs().between(1, 1L << 42);
    }

    private static Histogram of(List<Long> values, int bits) {
        Histogram h = new Histogram("h", "ps", "test", bits);
        values.forEach(h::record);
        return h;
    }

    private static long[] sorted(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    @Property
    void percentilesAreThoseOfTheSortedListWithinTheResolution(
            @ForAll @Size(min = 1, max = 200) List<@From("values") Long> values,
            @ForAll @IntRange(min = 1, max = 12) int bits,
            @ForAll @DoubleRange(min = 0, max = 100) double p) {
        Histogram h = of(values, bits);
        long[] sorted = sorted(values);
        long exact = Percentiles.of(sorted, sorted.length, p);
        long told = h.percentile(p);
        assertThat(told).isBetween(exact, sorted[sorted.length - 1]);
        assertThat(told - exact).isLessThanOrEqualTo(exact >>> bits);
        if (exact < 2L << bits) {
            assertThat(told).isEqualTo(exact);
        }
    }

    @Property
    void momentsAreExact(@ForAll @Size(min = 1, max = 100) List<@From("latencies") Long> values) {
        Histogram h = of(values, 5);
        long[] sorted = sorted(values);
        double mean = Arrays.stream(sorted).average().orElseThrow();
        double variance = Arrays.stream(sorted)
                .mapToDouble(v -> (v - mean) * (v - mean))
                .average()
                .orElseThrow();
        assertThat(h.count()).isEqualTo(sorted.length);
        assertThat(h.min()).isEqualTo(sorted[0]);
        assertThat(h.max()).isEqualTo(sorted[sorted.length - 1]);
        assertThat(h.mean()).isCloseTo(mean, within(mean * 1e-12));
        assertThat(h.stdev()).isCloseTo(Math.sqrt(variance), within(mean * 1e-9));
    }

    @Property
    void addingHistogramsIsRecordingBoth(
            @ForAll @Size(max = 50) List<@From("values") Long> a,
            @ForAll @Size(max = 50) List<@From("values") Long> b) {
        Histogram sum = of(a, 7);
        sum.add(of(b, 7));
        Histogram both = of(a, 7);
        b.forEach(both::record);
        assertSame(sum, both);
    }

    @Property
    void restoredHistogramsAreEqual(
            @ForAll @Size(max = 50) List<@From("values") Long> a,
            @ForAll @Size(max = 50) List<@From("values") Long> b) {
        Histogram original = of(a, 7);
        Snapshot s = new Snapshot();
        original.save(s);
        s.mark("end");
        Histogram other = of(b, 7);
        other.load(s);
        s.expectMark("end");
        assertSame(other, original);
    }

    private static void assertSame(Histogram a, Histogram b) {
        assertThat(a.text(0)).isEqualTo(b.text(0));
        assertThat(HgrmText.of(a, 1).replaceAll("#\\[Buckets.*", ""))
                .isEqualTo(HgrmText.of(b, 1).replaceAll("#\\[Buckets.*", ""));
    }

    /** Below 2,048 all buckets are one wide in both, so the whole text must agree. */
    @Property(tries = 100)
    void textIsThatOfHdrHistogram(@ForAll @Size(min = 1, max = 300) List<@From("smallValues") Long> values) {
        assertThat(body(HgrmText.of(of(values, 10), 1))).isEqualTo(body(hdrText(values, 1.0)));
    }

    /** Above, ours stops at the true maximum where HdrHistogram prints the end of its bucket; moments are exact in ours only. */
    @Property(tries = 100)
    void linesOfLargeValuesAreThoseOfHdrHistogram(
            @ForAll @Size(min = 1, max = 300) List<@From("latencies") Long> values) {
        String[] ours = body(HgrmText.of(of(values, 10), 1000)).split("\n");
        String[] theirs = body(hdrText(values, 1000.0)).split("\n");
        double max = sorted(values)[values.size() - 1] / 1000.0;
        assertThat(ours).hasSameSizeAs(theirs);
        for (int i = 2; i < ours.length && !ours[i].startsWith("#"); i++) {
            List<String> our = List.of(ours[i].trim().split(" +"));
            List<String> their = List.of(theirs[i].trim().split(" +"));
            assertThat(our.subList(1, our.size())).isEqualTo(their.subList(1, their.size()));
            double expected = Math.min(max, Double.parseDouble(their.get(0)));
            assertThat(Double.parseDouble(our.get(0))).isCloseTo(expected, within(0.0011));
        }
    }

    /** Everything but the line that tells the size of the tables. */
    private static String body(String text) {
        return text.substring(0, text.indexOf("#[Buckets"));
    }

    private static String hdrText(List<Long> values, double divisor) {
        org.HdrHistogram.Histogram hdr = new org.HdrHistogram.Histogram(1L << 43, 3);
        values.forEach(hdr::recordValue);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        hdr.outputPercentileDistribution(new PrintStream(bytes, true, StandardCharsets.UTF_8), 5, divisor);
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
