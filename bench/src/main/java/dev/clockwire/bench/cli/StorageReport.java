package dev.clockwire.bench.cli;

import dev.clockwire.bench.storage.StorageRun;
import dev.clockwire.bench.text.Count;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.check.Operation;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code storage run} says of a run.
 *
 * @param slow whether it waits as long as the real system, and something is meant to go wrong
 */
record StorageReport(String system, LoadSpec.Op op, int size, int replicas, int clients, boolean slow) {
    private static final double PS_PER_US = 1e6;
    private static final int MOST_LINES = 64;

    /** Latencies as the document has them. */
    record Latency(double min, double mean, double p50, double p90, double p99, double p999, double max) {
        static Latency of(Histogram h) {
            return new Latency(
                    h.min() / PS_PER_US,
                    h.mean() / PS_PER_US,
                    h.percentile(50) / PS_PER_US,
                    h.percentile(90) / PS_PER_US,
                    h.percentile(99) / PS_PER_US,
                    h.percentile(99.9) / PS_PER_US,
                    h.max() / PS_PER_US);
        }
    }

    /** Messages of operations by kind. */
    record Messages(long send, long write, long read, long imm) {}

    /** Returns the document of a run. */
    JsonDocument document(String profile, long seed, StorageRun run, LoadResult r) {
        LoadResult.Traffic t = r.traffic();
        var sim = run.system().cluster().sim();
        JsonDocument d = new JsonDocument("storage")
                .with("system", system)
                .with("profile", profile)
                .with("seed", seed)
                .with("op", op.name().toLowerCase(Locale.ROOT))
                .with("size", size)
                .with("replicas", replicas)
                .with("clients", clients)
                .with("ops", r.ended())
                .with("ops_failed", failed(r))
                .with("failures", reasons(r))
                .with("latency_us", r.ended() == 0 ? Map.of() : Latency.of(r.latency()))
                .with("throughput_gbps", r.gbps())
                .with("messages", new Messages(t.sends(), t.writes(), t.reads(), t.immediates()))
                .with("overheads", t.overheads())
                .with("nic_bytes", t.nics())
                .with("one_way_trips", t.trips())
                .with("linearizable", r.verdict().isLinearizable())
                .with("verdict", r.verdict().text())
                .with("lost_acked_writes", r.lostAcked())
                .with("replicas_equal", r.gaveUp().isEmpty() ? r.differences().isEmpty() : null)
                .with("differences", r.differences())
                .with("gave_up", r.gaveUp().isEmpty() ? null : r.gaveUp())
                .with("gone", r.gone())
                .with("begun_ns", r.begunPs() / 1e3)
                .with("simulated_ns", sim.now() / 1e3)
                .with("cpu_s", run.cpuSeconds())
                .with("events", sim.events())
                .with("evaluations", sim.evaluations())
                .with("trace_hash", String.format(Locale.ROOT, "0x%016x", sim.traceHash()));
        return run.isInterrupted() ? d.with("interrupted", true) : d;
    }

    /** Returns what people read of a run. */
    List<String> lines(StorageRun run, LoadResult r) {
        List<String> out = new ArrayList<>();
        if (run.isInterrupted()) {
            out.add("INTERRUPTED: what follows is what was done until then");
        }
        add(
                out,
                "%s, %s of %d B, %s, %s: %s ended well, %d without success%s",
                run.system().name(),
                op.name().toLowerCase(Locale.ROOT),
                size,
                Count.of(replicas, "replica"),
                Count.of(clients, "client"),
                Count.of(r.ended(), "operation"),
                failed(r),
                uncounted(r));
        failures(out, r);
        if (r.ended() > 0) {
            Latency l = Latency.of(r.latency());
            add(
                    out,
                    "  latency us  min %.2f  mean %.2f  p50 %.2f  p99 %.2f  p99.9 %.2f  max %.2f",
                    l.min(),
                    l.mean(),
                    l.p50(),
                    l.p99(),
                    l.p999(),
                    l.max());
            add(out, "  throughput  %.3f Gbit/s", r.gbps());
        }
        traffic(out, r.traffic());
        out.add("  history     " + r.verdict().text());
        if (!r.gone().isEmpty()) {
            out.add("  gone for good: " + String.join(", ", r.gone())
                    + (r.gaveUp().isEmpty()
                            ? "; replicas are those in service"
                            : "; what waits for it waits for ever"));
        }
        out.add("  acknowledged writes lost: " + r.lostAcked() + ", replicas " + compared(r));
        return out;
    }

    /** Clients have given up, were refused, or never heard. */
    private static long failed(LoadResult r) {
        return r.history().operations().stream()
                .filter(o -> o.outcome() != Operation.Outcome.OK)
                .count();
    }

    /** Returns how many failed by reason; what has no reason was under way when the run ended. */
    private static Map<String, Long> reasons(LoadResult r) {
        Map<String, Long> all = new TreeMap<>(r.failures());
        long never =
                failed(r) - all.values().stream().mapToLong(Long::longValue).sum();
        if (never > 0) {
            all.put("never answered", never);
        }
        return all;
    }

    private void failures(List<String> out, LoadResult r) {
        List<String> counts = new ArrayList<>();
        reasons(r).forEach((why, n) -> counts.add(n + " " + why));
        if (!counts.isEmpty()) {
            out.add("  no success  " + String.join(", ", counts));
        }
        if (slow && (!counts.isEmpty() || !r.gaveUp().isEmpty())) {
            out.add("  hint        silence counts after as long as in the real system: --quick-timers has a failed"
                    + " machine noticed after 12 ms");
        }
    }

    private static String uncounted(LoadResult r) {
        long others = r.begun() - r.ended() - failed(r);
        return others > 0 ? ", " + others + " outside the time that counts" : "";
    }

    private static String compared(LoadResult r) {
        if (!r.gaveUp().isEmpty()) {
            return "not compared: " + r.gaveUp();
        }
        return r.differences().isEmpty() ? "equal" : "differ: " + String.join("; ", r.differences());
    }

    private static void traffic(List<String> out, LoadResult.Traffic t) {
        add(
                out,
                "  messages    %d SEND, %d RDMA READ, %d RDMA WRITE%s",
                t.sends(),
                t.reads(),
                t.writes(),
                t.trips() == 0 ? "" : "; " + t.trips() + " one-way trips");
        out.add("  beside them " + (t.overheads().isEmpty() ? "nothing" : t.overheads()));
        if (t.nics().size() <= MOST_LINES) {
            t.nics().forEach(n -> add(out, "  %-10s  %d B out, %d B in", n.node(), n.tx(), n.rx()));
        }
    }

    private static void add(List<String> out, String format, Object... values) {
        out.add(String.format(Locale.ROOT, format, values));
    }
}
