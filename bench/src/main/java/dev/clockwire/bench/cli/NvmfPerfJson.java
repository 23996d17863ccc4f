package dev.clockwire.bench.cli;

import dev.clockwire.bench.nvmf.NvmfSpec;
import dev.clockwire.bench.nvmf.PerfResults;
import dev.clockwire.bench.nvmf.PerfRun;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.stats.Histogram;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The JSON document of {@code nvmf perf}. */
final class NvmfPerfJson {
    private static final double PS_PER_US = 1e6;
    private static final double PS_PER_NS = 1e3;

    private NvmfPerfJson() {}

    /** One queue of the table. */
    record Row(
            String name,
            int lcore,
            @Nullable Double iops,
            @Nullable Double mibS,
            @Nullable Double avgUs,
            @Nullable Double minUs,
            @Nullable Double maxUs) {}

    static JsonDocument of(NvmfSpec spec, String media, PerfRun run, PerfResults r) {
        Sim sim = run.stack().sim();
        JsonDocument d = new JsonDocument("nvmf-perf")
                .with("profile", spec.profile().name())
                .with("seed", spec.kernel().seed())
                .with("stack", spec.stack().toString())
                .with("media", media)
                .with("io_size", spec.load().ioBytes())
                .with("workload", spec.workload())
                .with("queue_depth", spec.load().queueDepth())
                .with("iops", r.ios() == 0 ? null : r.iops())
                .with("mib_s", r.ios() == 0 ? null : r.mebibytesPerSecond())
                .with("latency_us", r.latencyUs())
                .with("in_flight_avg", r.inFlight())
                .with("cores", r.cores())
                .with("stages", r.meanStages())
                .with("devices", rows(r))
                .with("ios", r.ios())
                .with("errors", r.errors())
                .with("simulated_ns", sim.now() / PS_PER_NS)
                .with("events", sim.events())
                .with("evaluations", sim.evaluations())
                .with("wall_s", r.cost().wallS())
                .with("cpu_s", r.cost().cpuS())
                .with("trace_hash", String.format(Locale.ROOT, "0x%016x", sim.traceHash()));
        if (!r.perIo().isEmpty()) {
            d = d.with("per_io", r.perIo());
        }
        if (r.undrained() > 0) {
            d = d.with("undrained", r.undrained());
        }
        return r.interrupted() ? d.with("interrupted", true) : d;
    }

    private static List<Row> rows(PerfResults r) {
        return r.rows().stream().map(NvmfPerfJson::row).toList();
    }

    /** A queue of which no I/O ended has no figures. */
    private static Row row(PerfResults.Row x) {
        Histogram h = x.result().latency();
        if (h.count() == 0) {
            return new Row(x.name(), x.lcore(), null, null, null, null, null);
        }
        return new Row(
                x.name(),
                x.lcore(),
                x.result().iops(),
                x.result().mebibytesPerSecond(),
                h.mean() / PS_PER_US,
                h.min() / PS_PER_US,
                h.max() / PS_PER_US);
    }
}
