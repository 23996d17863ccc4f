package dev.clockwire.storage.load;

import dev.clockwire.sim.stats.Histogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Some of many operations, so that there is one for each percentile however many there were: of those that took equally long to within 1 % the last one, the
 * fastest and the slowest. For each doubling from the fastest to the slowest 128 are kept at most.
 */
public final class KeptOperations {
    /** Bits of a latency behind its highest one by which latencies are told apart. */
    private static final int BITS = 7;

    private final Histogram latency = new Histogram("latency", "ps", "operations that ended well");
    private final Map<Long, OperationSteps> alike = new TreeMap<>();
    private @Nullable OperationSteps fastest;
    private @Nullable OperationSteps slowest;

    KeptOperations() {}

    private static long band(long ps) {
        int above = Math.max(0, Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(Math.max(1, ps)));
        return (long) above << (BITS + 1) | ps >> above;
    }

    /**
     * Adds one.
     *
     * @return another one that is not kept any more, or this one; null if none is to spare
     */
    @Nullable
    OperationSteps add(OperationSteps op) {
        long ps = op.latencyPs();
        latency.record(ps);
        OperationSteps first = fastest;
        if (first == null || ps < first.latencyPs()) {
            fastest = op;
            return first == null ? null : among(first);
        }
        OperationSteps last = slowest;
        if (last == null || ps > last.latencyPs()) {
            slowest = op;
            return last == null ? null : among(last);
        }
        return among(op);
    }

    private @Nullable OperationSteps among(OperationSteps op) {
        return alike.put(band(op.latencyPs()), op);
    }

    /** Returns the latencies of all that were added, in ps. */
    public Histogram latency() {
        return latency;
    }

    /** Returns those that are kept, by ascending latency. */
    public List<OperationSteps> all() {
        List<OperationSteps> all = new ArrayList<>();
        if (fastest != null) {
            all.add(fastest);
        }
        all.addAll(alike.values());
        if (slowest != null) {
            all.add(slowest);
        }
        return all;
    }

    /** Returns the kept one whose latency is nearest to one in ps, null if there is none. */
    public @Nullable OperationSteps nearest(long latencyPs) {
        OperationSteps best = null;
        long distance = Long.MAX_VALUE;
        for (OperationSteps op : all()) {
            long off = Math.abs(op.latencyPs() - latencyPs);
            if (off < distance) {
                distance = off;
                best = op;
            }
        }
        return best;
    }
}
