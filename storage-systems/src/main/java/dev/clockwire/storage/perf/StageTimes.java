package dev.clockwire.storage.perf;

import java.util.Arrays;
import java.util.List;

/**
 * How long the stages of I/Os took together. Each instant of an I/O belongs to one stage, so the sums are those of the latencies. A stack
 * stamps the end of each stage but the last; a stage that an I/O does not have is not stamped.
 */
public final class StageTimes {
    private static final long NEVER = -1;

    private final List<String> names;
    /** End of each stage, by the stage and the tag. */
    private final long[][] ends;

    private final long[] sums;
    private long count;

    /** Creates it for tags from 0 to one less. */
    public StageTimes(int tags, List<String> names) {
        this.names = List.copyOf(names);
        sums = new long[names.size()];
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
        for (int stage = 0; stage < last; stage++) {
            long end = Math.min(ends[stage][tag], toPs);
            if (end > at) {
                sums[stage] += end - at;
                at = end;
            }
        }
        sums[last] += toPs - at;
        count++;
    }

    /** Adds what another one of the same names has counted. */
    public void add(StageTimes other) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += other.sums[i];
        }
        count += other.count;
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
