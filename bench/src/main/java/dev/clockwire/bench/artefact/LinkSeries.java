package dev.clockwire.bench.artefact;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.sim.stats.Reading;
import dev.clockwire.sim.stats.Stat;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How busy links are, and what hosts tell each other of congestion, between two looks. Looking changes nothing. A frame or TLP counts with all
 * its bytes when it is handed to the line, so a short look may see a little more than 100 %.
 */
public final class LinkSeries {
    /** Share of the line's bits that were data of the user, in %. */
    public static final String PAYLOAD = "payload_percent";

    /** Share of the line's bits that were headers, framing and gaps, in %; what is left was idle. */
    public static final String OVERHEAD = "overhead_percent";

    private static final String RATE = ".line_kbps";
    /** Counters of hosts by the end of their names, and what they are called here: how many since the last look. */
    private static final Map<String, String> COUNTED = new LinkedHashMap<>();

    static {
        COUNTED.put(".np_ecn_marked_roce_packets", "ecn_marked_packets");
        COUNTED.put(".np_cnp_sent", "cnps_sent");
        COUNTED.put(".rp_cnp_handled", "cnps_handled");
    }

    private final List<Line> lines = new ArrayList<>();
    private final List<Count> counts = new ArrayList<>();

    /** Is told each value. */
    @FunctionalInterface
    public interface Sink {
        /** Takes the value of a link or host since the last look. */
        void add(String object, String metric, double value);
    }

    private record Line(String name, double bitsPerPs, LongSupplier wireBytes, LongSupplier payloadBytes) {}

    private record Count(String name, String metric, LongSupplier total) {}

    /**
     * Prepares to look at the links and hosts of a design that is built.
     *
     * @param stats with PCIe links, hosts, and perhaps Ethernet links
     * @param ends further ends of Ethernet links, which are not in the statistics
     */
    public LinkSeries(StatRegistry stats, List<LinkEnd> ends) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        for (Stat s : stats.all()) {
            if (s instanceof Reading r) {
                readings.put(r.name(), r);
            }
        }
        readings.forEach((name, rate) -> {
            if (name.endsWith(RATE)) {
                line(name.substring(0, name.length() - RATE.length()), rate, readings);
            }
            COUNTED.forEach((end, metric) -> {
                if (name.endsWith(end)) {
                    counts.add(new Count(name.substring(0, name.length() - end.length()), metric, rate::value));
                }
            });
        });
        ends.forEach(end -> lines.add(
                new Line(end.path(), bitsPerPs(end.spec().kbps()), end::lineBytesSent, end::payloadBytesSent)));
    }

    private void line(String path, Reading rate, Map<String, Reading> readings) {
        boolean pcie = readings.containsKey(path + ".wire_bytes");
        Reading wire = readings.get(path + (pcie ? ".wire_bytes" : ".tx_line_bytes"));
        Reading payload = readings.get(path + (pcie ? ".data_bytes" : ".tx_payload_bytes"));
        if (wire != null && payload != null) {
            lines.add(new Line(path, bitsPerPs(rate.value()), wire::value, payload::value));
        }
    }

    private static double bitsPerPs(long kbps) {
        return kbps / 1e9;
    }

    /** Returns what everything has counted up to now; {@link #differences} knows the order. */
    public long[] totals() {
        long[] all = new long[2 * lines.size() + counts.size()];
        int at = 0;
        for (Line line : lines) {
            all[at++] = line.wireBytes.getAsLong();
            all[at++] = line.payloadBytes.getAsLong();
        }
        for (Count count : counts) {
            all[at++] = count.total.getAsLong();
        }
        return all;
    }

    /**
     * Tells what was between two looks, of that which moved then or just before: a line that has become idle is told once more.
     *
     * @param before totals of the look before, which may be {@code first}
     * @param first totals of the first of three looks
     * @param after totals of the last one
     * @param ps time between {@code before} and {@code after}
     */
    public void differences(long[] first, long[] before, long[] after, long ps, Sink sink) {
        int at = 0;
        for (Line line : lines) {
            long wire = after[at] - before[at];
            if (wire > 0 || before[at] > first[at]) {
                long payload = after[at + 1] - before[at + 1];
                double percent = 100 * 8 / (line.bitsPerPs * ps);
                sink.add(line.name, PAYLOAD, payload * percent);
                sink.add(line.name, OVERHEAD, (wire - payload) * percent);
            }
            at += 2;
        }
        for (Count count : counts) {
            if (after[at] > first[at]) {
                sink.add(count.name, count.metric, (double) (after[at] - before[at]));
            }
            at++;
        }
    }
}
