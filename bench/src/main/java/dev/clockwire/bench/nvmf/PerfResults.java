package dev.clockwire.bench.nvmf;

import dev.clockwire.bench.explain.PercentileWaterfall;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.perf.PerfResult;
import dev.clockwire.storage.perf.StageTimes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a load has measured.
 *
 * @param rows one for each queue, in the order of the tool
 * @param latency of all I/Os, in ps; null without queues
 * @param stages of all I/Os, null if the stack does not know them
 * @param cores in the time that counts
 * @param perIo what the stack counts, for each I/O that was measured
 * @param cost of the run
 * @param ranPs simulated from the first I/O to the end of the last that was waited for
 * @param undrained I/Os that had not ended when nobody waited any longer
 * @param interrupted whether the user stopped it
 */
public record PerfResults(
        List<Row> rows,
        @Nullable Histogram latency,
        @Nullable StageTimes stages,
        List<Core> cores,
        Map<String, Double> perIo,
        Cost cost,
        long ranPs,
        long undrained,
        boolean interrupted) {
    private static final double PS_PER_US = 1e6;
    private static final double PS_PER_NS = 1e3;
    private static final double PS_PER_S = 1e12;
    /** Little's law is checked from a hundred I/Os on for each that is outstanding; a mean of a short run may be too low. */
    private static final double ENOUGH_LATENCIES = 150;

    /** What one queue has done. */
    public record Row(String name, int lcore, PerfResult result) {}

    /**
     * What a core has done.
     *
     * @param name host and number of the core
     * @param path of it in the statistics
     * @param busyFraction share of the time in steps
     * @param cqPollingFraction share of the time in steps that looked at queues and found nothing
     */
    public record Core(String name, String path, double busyFraction, double cqPollingFraction) {}

    /** Seconds of the user's clock and of the processor. */
    public record Cost(double wallS, double cpuS) {}

    /** Latencies in microseconds. */
    public record Latency(double avg, double min, double max, double p50, double p99, double p999, double p9999) {}

    /**
     * A stage of the mean I/O.
     *
     * @param startNs from its submission
     * @param share of the mean latency
     */
    public record Stage(String name, double startNs, double durationNs, double share) {}

    /** Copies the lists. */
    public PerfResults {
        rows = List.copyOf(rows);
        cores = List.copyOf(cores);
        perIo = Collections.unmodifiableMap(new LinkedHashMap<>(perIo));
    }

    /** Returns I/Os per second. */
    public double iops() {
        return rows.stream().mapToDouble(r -> r.result().iops()).sum();
    }

    /** Returns 2^20 bytes per second. */
    public double mebibytesPerSecond() {
        return rows.stream().mapToDouble(r -> r.result().mebibytesPerSecond()).sum();
    }

    /** Returns the outstanding I/Os in the mean over the time, integrated. */
    public double inFlight() {
        return rows.stream().mapToDouble(r -> r.result().meanOutstanding()).sum();
    }

    /** Returns I/Os that did not succeed. */
    public long errors() {
        return rows.stream().mapToLong(r -> r.result().errors()).sum();
    }

    /** Returns I/Os that ended in the time. */
    public long ios() {
        return rows.stream().mapToLong(r -> r.result().latency().count()).sum();
    }

    /** Returns the latencies of all I/Os; null if none ended in the time that counts. */
    public @Nullable Latency latencyUs() {
        Histogram h = latency;
        if (h == null || h.count() == 0) {
            return null;
        }
        return new Latency(
                h.mean() / PS_PER_US,
                h.min() / PS_PER_US,
                h.max() / PS_PER_US,
                h.percentile(50) / PS_PER_US,
                h.percentile(99) / PS_PER_US,
                h.percentile(99.9) / PS_PER_US,
                h.percentile(99.99) / PS_PER_US);
    }

    /** Returns where the time went of the I/Os at some percentiles; one is left out if no I/O near it is known, all if the stack does not know stages. */
    public List<PercentileWaterfall> waterfalls() {
        Histogram all = latency;
        StageTimes known = stages;
        if (all == null || known == null) {
            return List.of();
        }
        return PercentileWaterfall.all("", all, wanted -> {
            Map<String, Long> stages = new LinkedHashMap<>();
            long[] ps = known.nearest(wanted);
            for (int i = 0; i < ps.length; i++) {
                stages.put(known.names().get(i), ps[i]);
            }
            return stages;
        });
    }

    /** Returns the stages of the mean I/O; those that no I/O has are left out. They sum to the mean latency. */
    public List<Stage> meanStages() {
        StageTimes s = stages;
        if (s == null || s.count() == 0) {
            return List.of();
        }
        double total = 0;
        for (int i = 0; i < s.names().size(); i++) {
            total += s.sumPs(i);
        }
        List<Stage> list = new ArrayList<>();
        double at = 0;
        for (int i = 0; i < s.names().size(); i++) {
            if (s.sumPs(i) > 0) {
                double ns = s.sumPs(i) / PS_PER_NS / s.count();
                list.add(new Stage(s.names().get(i), at, ns, s.sumPs(i) / total));
                at += ns;
            }
        }
        return list;
    }

    /** Returns a time in seconds, of one digit, in which each queue ends enough I/Os for its figures to be checked. */
    public double enoughSeconds() {
        double longest = 1;
        for (Row r : rows) {
            Histogram h = r.result().latency();
            double rate =
                    r.result().iops() / PS_PER_S; // the first I/Os are quicker than those that wait for each other
            longest = Math.max(longest, h.count() > 0 ? h.mean() : ranPs);
            longest = Math.max(longest, rate > 0 ? r.result().meanOutstanding() / rate : 0);
        }
        double seconds = ENOUGH_LATENCIES * longest / PS_PER_S;
        double digit = Math.pow(10, Math.floor(Math.log10(seconds)));
        return Math.ceil(seconds / digit) * digit;
    }

    /**
     * Checks Little's law for each queue.
     *
     * @return false if the run was too short for one of them
     */
    public boolean checkLittle() {
        boolean all = true;
        for (Row r : rows) {
            all &= r.result().checkLittle();
        }
        return all;
    }
}
