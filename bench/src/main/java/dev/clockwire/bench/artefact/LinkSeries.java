package dev.clockwire.bench.artefact;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.net.Wiring;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.stats.Reading;
import dev.clockwire.sim.stats.Stat;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * How busy links are, and what hosts tell each other of congestion, between two looks. Looking changes nothing. A frame or TLP counts with all
 * its bytes when it is handed to the line, so a short look may see a little more than 100 %.
 */
public final class LinkSeries {
    /** Share of the line's bits that were data of the user, in %. */
    public static final String PAYLOAD = "payload_percent";

    /** Share of the line's bits that were headers, framing and gaps, in %; what is left was idle. */
    public static final String OVERHEAD = "overhead_percent";

    /** Bytes that wait for a port of a switch. */
    public static final String QUEUE = "queue_bytes";

    /** Whether a port of a switch must not send: 1 or 0. */
    public static final String PAUSED = "paused";

    /** Frames that a port of a switch has marked since the last look. */
    public static final String MARKS = "ecn_marks";

    private static final double GBPS = 8_000;
    private static final double KOPS = 1e9;
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

    private record Count(String name, String metric, Kind kind, double factor, LongSupplier value) {}

    /** What is told of a number. */
    private enum Kind {
        /** How much more it is. */
        MORE,
        /** How much more it is in a ps, times a factor. */
        RATE,
        /** It itself. */
        LEVEL
    }

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
                    counted(name.substring(0, name.length() - end.length()), metric, rate::value);
                }
            });
        });
        ends.forEach(end -> lines.add(
                new Line(end.path(), bitsPerPs(end.spec().kbps()), end::lineBytesSent, end::payloadBytesSent)));
    }

    /** Has a total looked at, too: how much it has grown since the last look. */
    public void counted(String object, String metric, LongSupplier total) {
        counts.add(new Count(object, metric, Kind.MORE, 1, total));
    }

    /** Has a total looked at, too: how much it has grown in a ps, times a factor. */
    public void rate(String object, String metric, double factor, LongSupplier total) {
        counts.add(new Count(object, metric, Kind.RATE, factor, total));
    }

    /** Has a level looked at, too, as it is at the look. */
    public void level(String object, String metric, LongSupplier now) {
        counts.add(new Count(object, metric, Kind.LEVEL, 1, now));
    }

    /**
     * Has a load looked at, too.
     *
     * @param ended operations
     * @param bytes of these
     * @param outstanding operations
     */
    public void load(String object, LongSupplier ended, LongSupplier bytes, LongSupplier outstanding) {
        rate(object, "goodput_gbps", GBPS, bytes);
        rate(object, "kops", KOPS, ended);
        level(object, "outstanding", outstanding);
    }

    /**
     * Has the ports of switches looked at, too, all classes of traffic together.
     *
     * @param wiring with the switches
     */
    public void ports(Wiring wiring) {
        for (int s = 0; s < wiring.switches().size(); s++) {
            FabricSwitch sw = wiring.switches().get(s);
            for (int i = 0; i < sw.ports(); i++) {
                int port = i;
                String name = wiring.portName(s, port);
                level(name, QUEUE, () -> sum(c -> sw.queued(port, c)));
                level(name, PAUSED, () -> Math.min(1, sum(c -> sw.isPaused(port, c) ? 1 : 0)));
                counted(name, MARKS, () -> sum(sw.counters(port)::marked));
            }
        }
    }

    private static long sum(IntToLongFunction ofClass) {
        return IntStream.range(0, PauseFrame.CLASSES).mapToLong(ofClass).sum();
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

    /** Returns how many numbers a look takes down. */
    int size() {
        return 2 * lines.size() + counts.size();
    }

    /** Returns what everything has counted up to now; {@link #differences} knows the order. */
    public long[] totals() {
        return totals(new long[size()]);
    }

    /** Takes the same down in an array of {@link #size} places. */
    long[] totals(long[] all) {
        int at = 0;
        for (Line line : lines) {
            all[at++] = line.wireBytes.getAsLong();
            all[at++] = line.payloadBytes.getAsLong();
        }
        for (Count count : counts) {
            all[at++] = count.value.getAsLong();
        }
        return all;
    }

    /**
     * Tells what was between two looks, of that which moved then, just before or just behind: a line that has become idle, or will be busy, is told once more.
     *
     * @param looks totals of four looks, one behind the other, of which the first two and the last two may be the same; what was not looked at yet was 0
     * @param ps time between the second and the third
     */
    public void differences(long[][] looks, long ps, Sink sink) {
        long[] before = looks[1];
        long[] after = looks[2];
        int at = 0;
        for (Line line : lines) {
            if (moved(looks, at)) {
                long wire = after[at] - of(before, at);
                long payload = after[at + 1] - of(before, at + 1);
                double percent = 100 * 8 / (line.bitsPerPs * ps);
                sink.add(line.name, PAYLOAD, payload * percent);
                sink.add(line.name, OVERHEAD, (wire - payload) * percent);
            }
            at += 2;
        }
        for (Count count : counts) {
            tell(count, looks, at++, ps, sink);
        }
    }

    private static void tell(Count count, long[][] looks, int at, long ps, Sink sink) {
        long now = of(looks[2], at);
        long more = now - of(looks[1], at);
        boolean level = count.kind == Kind.LEVEL;
        if (level ? of(looks[1], at) != 0 || now != 0 || of(looks[3], at) != 0 : moved(looks, at)) {
            sink.add(count.name, count.metric, level ? now : count.kind == Kind.MORE ? more : more * count.factor / ps);
        }
    }

    private static boolean moved(long[][] looks, int at) {
        return of(looks[3], at) > of(looks[0], at);
    }

    private static long of(long[] totals, int at) {
        return at < totals.length ? totals[at] : 0;
    }
}
