package dev.clockwire.bench.storage;

import dev.clockwire.storage.load.LoadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Rows of a comparison as text. */
public final class CompareText {
    private CompareText() {}

    /** Returns a table: what the wire carries, one line for each operation and size, overheads and differences below it. */
    public static List<String> wire(List<StorageCompare.Row> rows) {
        List<String> out = new ArrayList<>();
        out.add(String.format(
                Locale.ROOT,
                "%-17s %-5s %8s %5s %9s %5s %9s %9s %8s  bytes out/in: nodes, client",
                "system",
                "op",
                "size",
                "SEND",
                "one-sided",
                "trips",
                "payload",
                "headers",
                "acks"));
        for (StorageCompare.Row r : rows) {
            Wire w = r.wire();
            String line = String.format(
                    Locale.ROOT,
                    "%-17s %-5s %8d %5d %9d %5d %9d %9d %8d  %s",
                    r.system(),
                    r.op(),
                    r.size(),
                    w.send(),
                    w.oneSided(),
                    w.trips(),
                    w.payload(),
                    w.headers(),
                    w.acks(),
                    nics(w));
            if (!out.contains(line)) {
                out.add(line);
                w.overheads()
                        .forEach((name, o) -> out.add(String.format(
                                Locale.ROOT, "    beside it: %s, %d messages, %d B", name, o.messages(), o.bytes())));
                w.differences().forEach(d -> out.add("    not as computed: " + d));
            }
        }
        return out;
    }

    private static String nics(Wire w) {
        return w.nics().stream()
                .map(n -> n.operationTx() + "/" + n.operationRx())
                .collect(Collectors.joining(" "));
    }

    /** Returns a table: latency and throughput, one line for each row. */
    public static List<String> speed(List<StorageCompare.Row> rows) {
        List<String> out = new ArrayList<>();
        out.add(String.format(
                Locale.ROOT,
                "%-17s %-5s %8s %9s %9s %10s %10s %9s %8s %10s %10s %10s",
                "system",
                "op",
                "size",
                "alone us",
                "p99 us",
                "client ns",
                "server ns",
                "wake-ups",
                "clients",
                "Gbit/s",
                "p50 us",
                "p99 us"));
        for (StorageCompare.Row r : rows) {
            out.add(String.format(
                    Locale.ROOT,
                    "%-17s %-5s %8d %9.2f %9.2f %10.0f %10.0f %9.1f %8d %10.3f %10.2f %10.2f",
                    r.system(),
                    r.op(),
                    r.size(),
                    r.aloneUs(),
                    r.aloneP99Us(),
                    r.cpu().clientNs(),
                    r.cpu().serverNs(),
                    r.cpu().wakeUps(),
                    r.clients(),
                    r.gbps(),
                    r.p50Us(),
                    r.p99Us()));
        }
        return out;
    }

    /** Returns all rows as comma-separated values with a heading. */
    public static String csv(List<StorageCompare.Row> rows) {
        StringBuilder out = new StringBuilder(
                "system,op,size,send,one_sided,trips,client_tx,client_rx,payload,one_sided_bytes,headers,acks,overheads,differences,client_ns,server_ns,client_touches,server_touches,wake_ups,alone_us,alone_p99_us,clients,gbps,p50_us,p99_us\n");
        for (StorageCompare.Row r : rows) {
            Wire w = r.wire();
            LoadResult.Nic client = w.nics().get(w.nics().size() - 1);
            out.append(String.format(
                            Locale.ROOT,
                            "%s,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%s,%s,%.1f,%.1f,%.3f,%.3f,%.2f,%.3f,%.3f,%d,%.4f,%.3f,"
                                    + "%.3f",
                            r.system(),
                            r.op(),
                            r.size(),
                            w.send(),
                            w.oneSided(),
                            w.trips(),
                            client.operationTx(),
                            client.operationRx(),
                            w.payload(),
                            w.oneSidedBytes(),
                            w.headers(),
                            w.acks(),
                            quoted(w.overheads().entrySet().stream()
                                    .map(e -> e.getKey() + " " + e.getValue().messages() + " x "
                                            + e.getValue().bytes() + " B")
                                    .collect(Collectors.joining("; "))),
                            quoted(String.join("; ", w.differences())),
                            r.cpu().clientNs(),
                            r.cpu().serverNs(),
                            r.cpu().clientTouches(),
                            r.cpu().serverTouches(),
                            r.cpu().wakeUps(),
                            r.aloneUs(),
                            r.aloneP99Us(),
                            r.clients(),
                            r.gbps(),
                            r.p50Us(),
                            r.p99Us()))
                    .append('\n');
        }
        return out.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }
}
