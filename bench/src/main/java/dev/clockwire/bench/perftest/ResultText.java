package dev.clockwire.bench.perftest;

import java.util.Locale;

/** The tables of results in the columns of the real perftest. */
public final class ResultText {
    private static final double MEBIBYTE = 0x100000;
    private static final double GIGABIT = 1e9;

    private ResultText() {}

    /** Returns the headings that fit the tool. */
    public static String heading(Tool tool, boolean gbits) {
        if (tool.isLatency()) {
            return " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
                    + "   99% percentile[usec]   99.9% percentile[usec] ";
        }
        String unit = gbits ? "[Gb/sec]" : "[MB/sec]";
        return " #bytes     #iterations    BW peak" + unit + "    BW average" + unit + "   MsgRate[Mpps]";
    }

    /** Returns one row; {@code noPeak} leaves the peak bandwidth at 0, as the option of that name. */
    public static String row(Tool tool, PerftestResult result, boolean gbits, boolean noPeak) {
        return tool.isLatency() ? latency(result) : bandwidth(result, gbits, noPeak);
    }

    private static String latency(PerftestResult r) {
        LatencyFigures t = r.latencyUs();
        return String.format(
                Locale.ROOT,
                " %-7d %d          %-7.2f        %-7.2f      %-7.2f  \t       %-7.2f     \t%-7.2f\t\t%-7.2f \t\t%-7.2f",
                r.size(),
                r.iterations(),
                t.min(),
                t.max(),
                t.p50(),
                t.avg(),
                t.stdev(),
                t.p99(),
                t.p999());
    }

    private static String bandwidth(PerftestResult r, boolean gbits, boolean noPeak) {
        double unit = gbits ? GIGABIT / 8 : MEBIBYTE;
        return String.format(
                Locale.ROOT,
                " %-7d    %-10d       %-7.2f            %-7.2f\t\t   %-7.6f",
                r.size(),
                r.messages(),
                noPeak ? 0 : r.peakRate() * r.size() / unit,
                r.bandwidthGbps() * GIGABIT / 8 / unit,
                r.msgRateMpps());
    }
}
