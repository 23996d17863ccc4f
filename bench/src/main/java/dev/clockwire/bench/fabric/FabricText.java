package dev.clockwire.bench.fabric;

import dev.clockwire.bench.text.Count;
import dev.clockwire.bench.text.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What a fabric did, for people: its flows, the ports that had to do with it, and sums. */
public final class FabricText {
    private static final int MOST_PORTS = 12;
    private static final int SHORT = 20;

    private FabricText() {}

    /** Returns the lines. */
    public static List<String> lines(FabricResult r) {
        List<String> lines = new ArrayList<>(flows(r.flows()).lines());
        List<FabricResult.Port> ports = busiest(r.switches());
        if (!ports.isEmpty()) {
            lines.add("");
            lines.addAll(
                    ports(ports.subList(0, Math.min(ports.size(), MOST_PORTS))).lines());
        }
        if (ports.size() > MOST_PORTS) {
            lines.add("... and " + Count.of(ports.size() - MOST_PORTS, "more port") + "; --json shows all");
        }
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "Jain %.4f, %d notifications, %d pauses, %d drops, deadlock %s; %d packets in %.2f CPU s: %.0f k/s",
                r.jain(),
                r.cnps(),
                r.pauses(),
                r.drops(),
                r.deadlocks().isEmpty() ? "none" : r.deadlocks(),
                r.dataPackets(),
                r.cpuS(),
                r.cpuS() > 0 ? r.dataPackets() / r.cpuS() / 1e3 : 0.0));
        for (FabricResult.Finding f : r.findings()) {
            lines.add("finding " + f.rule() + " at " + f.where() + ": " + f.text());
        }
        return lines;
    }

    private static TextTable flows(List<FabricResult.Flow> flows) {
        TextTable table = new TextTable("flow", "bytes", "completion us", "goodput Gb/s", "packets sent again");
        for (FabricResult.Flow f : flows) {
            table.row(
                    f.name(),
                    Long.toString(f.bytes()),
                    f.fctUs() == null ? f.status() : String.format(Locale.ROOT, "%.1f", f.fctUs()),
                    String.format(Locale.ROOT, "%.2f", f.goodputGbps()),
                    Long.toString(f.retransmissions()));
        }
        return table;
    }

    private static TextTable ports(List<FabricResult.Port> ports) {
        TextTable table = new TextTable(
                "port",
                "longest queue B",
                "pauses sent",
                "pauses taken",
                "frames marked",
                "dropped of those that came in");
        for (FabricResult.Port p : ports) {
            table.row(
                    p.port(),
                    Long.toString(p.maxQueueBytes()),
                    Long.toString(p.pauseTx()),
                    Long.toString(p.pauseRx()),
                    Long.toString(p.ecnMarked()),
                    Long.toString(p.drops()));
        }
        return table;
    }

    /** Ports with a long queue, and those that paused, marked or lost something or were paused. */
    private static List<FabricResult.Port> busiest(List<FabricResult.Switch> switches) {
        List<FabricResult.Port> all =
                switches.stream().flatMap(s -> s.ports().stream()).toList();
        long longest =
                all.stream().mapToLong(FabricResult.Port::maxQueueBytes).max().orElse(0);
        return all.stream()
                .filter(p -> p.pauseTx() + p.pauseRx() + p.ecnMarked() + p.drops() > 0
                        || p.maxQueueBytes() > longest / SHORT)
                .sorted(Comparator.comparingLong(FabricResult.Port::drops)
                        .thenComparingLong(FabricResult.Port::maxQueueBytes)
                        .reversed())
                .toList();
    }
}
