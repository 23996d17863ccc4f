package dev.clockwire.storage.perf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How long the stages of I/Os took together. Each instant of an I/O belongs to one stage, so the sums are those of the latencies. A stack
 * stamps the end of each stage but the last; a stage that an I/O does not have is not stamped.
 */
public final class StageTimes {
    private static final long NEVER = -1;

    /** So many of the last I/Os are kept one by one; behind them stand the slowest and the fastest. */
    private static final int KEPT = 4096;

    private static final int SLOWEST = KEPT;
    private static final int FASTEST = KEPT + 1;

    private final List<String> names;
    /** End of each stage, by the stage and the tag. */
    private final long[][] ends;

    private final long[] sums;
    /** Time in each stage, I/O behind I/O; nothing where only sums are added up. */
    private final long[] kept;
    /** When each of these began. */
    private final long[] begun;

    private final List<StageTimes> parts = new ArrayList<>();
    private long slowestPs = Long.MIN_VALUE;
    private long fastestPs = Long.MAX_VALUE;
    private long slowestAt;
    private long fastestAt;
    private long count;

    /** Is told of I/Os. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes an I/O.
         *
         * @param begunPs its submission
         * @param ps time in each stage; 0 in one that it has not had
         */
        void io(long begunPs, long[] ps);
    }

    /** Creates it for tags from 0 to one less. */
    public StageTimes(int tags, List<String> names) {
        this.names = List.copyOf(names);
        sums = new long[names.size()];
        kept = new long[tags == 0 ? 0 : (KEPT + 2) * names.size()];
        begun = new long[tags == 0 ? 0 : KEPT + 2];
        ends = new long[names.size()][tags];
        for (long[] of : ends) {
            Arrays.fill(of, NEVER);
        }
    }

    /** Returns the names, in the order of time. */
    public List<String> names() {
        return names;
    }

    /** An I/O begins with this tag: what was stamped before is no more. */
    public void begin(int tag) {
        for (long[] of : ends) {
            of[tag] = NEVER;
        }
    }

    /** A stage of an I/O ends; of several times the last one counts. */
    public void stamp(int stage, int tag, long ps) {
        ends[stage][tag] = ps;
    }

    /** Adds an I/O: what is behind its last stamp belongs to the last stage. */
    public void count(int tag, long fromPs, long toPs) {
        long at = fromPs;
        int last = names.size() - 1;
        int base = (int) (count % KEPT) * names.size();
        for (int stage = 0; stage < last; stage++) {
            long end = Math.max(at, Math.min(ends[stage][tag], toPs));
            sums[stage] += end - at;
            kept[base + stage] = end - at;
            at = end;
        }
        sums[last] += toPs - at;
        kept[base + last] = toPs - at;
        begun[(int) (count % KEPT)] = fromPs;
        long latency = toPs - fromPs;
        if (latency > slowestPs) {
            slowestPs = latency;
            System.arraycopy(kept, base, kept, SLOWEST * names.size(), names.size());
            begun[SLOWEST] = fromPs;
            slowestAt = count;
        }
        if (latency < fastestPs) {
            fastestPs = latency;
            System.arraycopy(kept, base, kept, FASTEST * names.size(), names.size());
            begun[FASTEST] = fromPs;
            fastestAt = count;
        }
        count++;
    }

    /** Adds what another one of the same names has counted. */
    public void add(StageTimes other) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += other.sums[i];
        }
        count += other.count;
        parts.add(other);
    }

    /**
     * Returns the time in each stage, in ps, of the I/O whose latency is nearest to one; empty if there is none. It is looked for among the last
     * 4096 I/Os of each part, its slowest and its fastest.
     */
    public long[] nearest(long latencyPs) {
        long[] best = {};
        long distance = Long.MAX_VALUE;
        for (StageTimes part : parts.isEmpty() ? List.of(this) : parts) {
            int n = names.size();
            for (int slot = 0; slot < KEPT + 2 && part.count > 0; slot++) {
                if (slot >= part.count && slot < KEPT) {
                    continue;
                }
                long total = 0;
                for (int stage = 0; stage < n; stage++) {
                    total += part.kept[slot * n + stage];
                }
                if (Math.abs(total - latencyPs) < distance) {
                    distance = Math.abs(total - latencyPs);
                    best = Arrays.copyOfRange(part.kept, slot * n, slot * n + n);
                }
            }
        }
        return best;
    }

    /** Tells of the last 4096 I/Os of each part, in the order of their ends, and before them of its fastest and slowest if these are older. */
    public void each(Sink sink) {
        for (StageTimes part : parts.isEmpty() ? List.of(this) : parts) {
            long oldest = Math.max(0, part.count - KEPT);
            if (part.fastestAt < oldest) {
                part.tell(FASTEST, sink);
            }
            if (part.slowestAt < oldest && part.slowestAt != part.fastestAt) {
                part.tell(SLOWEST, sink);
            }
            for (long i = oldest; i < part.count; i++) {
                part.tell((int) (i % KEPT), sink);
            }
        }
    }

    private void tell(int slot, Sink sink) {
        int n = names.size();
        sink.io(begun[slot], Arrays.copyOfRange(kept, slot * n, slot * n + n));
    }

    /** Returns the time that I/Os were in a stage. */
    public long sumPs(int stage) {
        return sums[stage];
    }

    /** Returns the I/Os that were added. */
    public long count() {
        return count;
    }
}
