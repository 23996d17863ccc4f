package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clockwire.sim.stats.HgrmText;
import dev.clockwire.sim.stats.Histogram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the steps of a latency curve end. */
class LatencyCurveTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void aStepEndsAtTheShareOfItsMessages() throws IOException {
        LatencyCurve curve = curve(15_840, 160);
        assertThat(curve.points())
                .extracting(LatencyCurve.Point::percentile, LatencyCurve.Point::ns)
                .containsExactly(tuple(0.0, 1000.0), tuple(99.0, 1000.0), tuple(100.0, 2000.0));
    }

    @Test
    void oneMessageMoreIsBeyondThePercentile() throws IOException {
        List<LatencyCurve.Point> points = curve(15_839, 161).points();
        assertThat(points.get(1).percentile()).isLessThan(99);
        assertThat(points.get(1).count()).isEqualTo(15_839);
    }

    private LatencyCurve curve(int quick, int slow) throws IOException {
        Histogram latency = new Histogram("latency", "ns", "");
        for (int i = 0; i < quick + slow; i++) {
            latency.record(i < quick ? 1000 : 2000);
        }
        return LatencyCurve.read(Files.writeString(folder.resolve("latency.hgrm"), HgrmText.of(latency, 1)));
    }
}
