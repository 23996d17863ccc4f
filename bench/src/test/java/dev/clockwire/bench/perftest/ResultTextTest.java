package dev.clockwire.bench.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The expected lines were printed by perftest itself on two virtual machines. */
class ResultTextTest {
    private static PerftestResult result(long size, long n, LatencyFigures t, double mpps, double gbps, double peak) {
        return new PerftestResult(
                "x", size, n, 1, 1, 4096, t, gbps, mpps, 1, 0, 0, 0, 0, 0, 0, "", "", List.of(), null, null, null, null,
                null, null, List.of(), peak, n);
    }

    private static final LatencyFigures NONE = new LatencyFigures(0, 0, 0, 0, 0, 0, 0);

    @Test
    void latencyHasTheRealColumns() {
        LatencyFigures t = new LatencyFigures(7190.34, 8631.21, 8631.21, 13872.87, 13872.87, 13872.87, 1440);
        assertThat(ResultText.row(Tool.WRITE_LAT, result(64, 5, t, 0, 0, 0), false, false))
                .isEqualTo(
                        " 64      5          7190.34        13872.87      8631.21  \t       8631.21     \t1440.00\t\t"
                                + "13872.87 \t\t13872.87");
        assertThat(ResultText.heading(Tool.SEND_LAT, false))
                .isEqualTo(" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                        + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ");
    }

    @Test
    void bandwidthHasTheRealColumns() {
        double rate = 0.000065;
        double gbps = 4.07 * 1048576 * 8 / 1e9;
        double peak = 12.39 * 1048576 / 65536;
        assertThat(ResultText.row(Tool.READ_BW, result(65536, 5, NONE, rate, gbps, peak), false, false))
                .isEqualTo(" 65536      5                12.39              4.07   \t\t   0.000065");
        assertThat(ResultText.heading(Tool.READ_BW, false))
                .isEqualTo(" #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]");
    }

    @Test
    void gigabitsAreDecimal() {
        assertThat(ResultText.row(Tool.WRITE_BW, result(65536, 5, NONE, 0.372644, 195.37, 0), true, false))
                .isEqualTo(" 65536      5                0.00               195.37 \t\t   0.372644");
        assertThat(ResultText.heading(Tool.WRITE_BW, true)).contains("BW average[Gb/sec]");
    }
}
