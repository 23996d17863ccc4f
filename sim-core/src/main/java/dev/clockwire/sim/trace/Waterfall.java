package dev.clockwire.sim.trace;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.trace.JourneyIndex.Stamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The critical path of one operation: from its post to its completion each instant belongs to exactly one stage and one cause, so the
 * stages add up to the total.
 *
 * <p>The path is found backwards. What was last to end at the completion was critical; before it began, what had ended last by then
 * was, and so on. Of several candidates one that ends exactly then goes before one that overlaps, the same part of the operation (the
 * same packet) before another, the one that began later before one that began earlier. Time that no stamp covers is the stage
 * {@link #UNACCOUNTED}.
 *
 * <p>Who knows the order of the stages gets a path {@linkplain #along along} it, without gaps.
 */
public final class Waterfall {
    /** The stage of instants without a stamp: a gap in the model's stamps, shown rather than hidden. */
    public static final String UNACCOUNTED = "unaccounted";

    /** The cause of a wait that neither a stamp nor the chain of stages names. */
    public static final String UNKNOWN = "unknown";

    /** The cause that a stamp carries if a packet waited for the one before it, as for a line or a bus that it occupied. */
    public static final String BEHIND = "the packet before";

    private final long startPs;
    private final long endPs;
    private final List<Segment> segments;

    private Waterfall(long startPs, long endPs, List<Segment> segments) {
        this.startPs = startPs;
        this.endPs = endPs;
        this.segments = segments;
    }

    /**
     * A part of the path.
     *
     * @param cause what was waited for, empty while the stage worked
     */
    public record Segment(String stage, String cause, long startPs, long endPs) {
        /** Returns the length in ps. */
        public long durationPs() {
            return endPs - startPs;
        }
    }

    /**
     * Neighbouring segments of one stage together.
     *
     * @param waitPs the part of the duration that was waiting
     * @param waits the parts of that by cause, the longest first; of equal ones in the order of their names
     */
    public record Row(String stage, long startPs, long durationPs, long waitPs, List<Wait> waits) {
        /** Returns the cause of most of the waiting, empty if there was none. */
        public String waitFor() {
            return waits.isEmpty() ? "" : waits.get(0).cause;
        }
    }

    /** Waiting for one cause in one stage. */
    public record Wait(String cause, long ps) {}

    /** A stage of two operations. */
    public record Difference(String stage, long firstPs, long secondPs) {
        /** Returns how much longer the second one spent in the stage, in ps. */
        public long excessPs() {
            return secondPs - firstPs;
        }
    }

    /**
     * Finds the path of a journey.
     *
     * @param startPs the post
     * @param endPs the completion, not before the post
     */
    public static Waterfall of(JourneyIndex index, StageRegistry names, long journey, long startPs, long endPs) {
        if (endPs < startPs) {
            throw new ConfigurationException("journey " + journey + " ends at " + endPs + " ps, before " + startPs);
        }
        Stamp[] stamps = index.of(journey);
        List<Segment> path = new ArrayList<>();
        long t = endPs;
        Stamp later = null;
        while (t > startPs) {
            Stamp s = before(stamps, t, later);
            long end = s == null ? startPs : Math.max(startPs, Math.min(t, s.out()));
            if (end < t) {
                path.add(new Segment(UNACCOUNTED, "", end, t));
            }
            if (s == null || end == startPs) {
                break;
            }
            long begin = Math.max(startPs, s.in());
            path.add(new Segment(names.name(s.stage()), names.name(s.cause()), begin, end));
            t = begin;
            later = s;
        }
        Collections.reverse(path);
        return new Waterfall(startPs, endPs, merged(path));
    }

    /** Finds the path from the first to the last stamp of a journey. */
    public static Waterfall of(JourneyIndex index, StageRegistry names, long journey) {
        Stamp[] stamps = index.of(journey);
        if (stamps.length == 0) {
            throw new ConfigurationException("journey " + journey + " has no stamps: not followed, or overwritten");
        }
        long end = stamps[0].out();
        for (Stamp s : stamps) {
            end = Math.max(end, s.out());
        }
        return of(index, names, journey, stamps[0].in(), end);
    }

    /**
     * Finds the path of a journey through stages in a known order: of several packets it is the one that arrived last that counts, and where
     * that packet only queued behind the one before it, the one before it. A stage begins where the one before it ends; the time until its
     * stamp begins is its waiting. One that left no stamp is absent, except the last one, which lasts to the end. Within a stage, what delays
     * cover is waiting for their cause: stages and causes together are still the total.
     *
     * @param handOverPs longest time that a packet needs from one stage into the next when nothing is in its way
     * @param startPs the post
     * @param endPs the completion: the last stage lasts until then, and stamps that end later do not count
     * @throws ConfigurationException if the log has no stamp of the journey (any more)
     */
    public static Waterfall along(
            StageChain chain,
            long handOverPs,
            JourneyLog log,
            StageRegistry names,
            long journey,
            long startPs,
            long endPs) {
        return new Waterfall(startPs, endPs, ChainPath.of(log, names, chain, handOverPs, journey, startPs, endPs));
    }

    /**
     * Takes a path that somebody has found who knows more than stamps.
     *
     * @param path contiguous, by ascending time
     * @throws ConfigurationException if it has no part, a part ends before it begins, or another does not begin where it ends
     */
    public static Waterfall of(List<Segment> path) {
        if (path.isEmpty()) {
            throw new ConfigurationException("a path has no parts: must be one or more");
        }
        long at = path.get(0).startPs;
        for (Segment s : path) {
            if (s.startPs != at || s.endPs < at) {
                throw new ConfigurationException("part " + s.stage + " of a path is from " + s.startPs + " to "
                        + s.endPs + " ps: must begin at " + at + " ps, where the one before it ends");
            }
            at = s.endPs;
        }
        return new Waterfall(path.get(0).startPs, at, merged(path));
    }

    /** Returns the parts of the path, contiguous, by ascending time. */
    public List<Segment> segments() {
        return segments;
    }

    /** Returns the length in ps. */
    public long totalPs() {
        return endPs - startPs;
    }

    /** Returns the start in ps. */
    public long startPs() {
        return startPs;
    }

    /** Returns the path with neighbouring segments of one stage as one row; rows are contiguous. */
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        int i = 0;
        while (i < segments.size()) {
            int from = i;
            TreeMap<String, Long> waits = new TreeMap<>();
            while (i < segments.size() && segments.get(i).stage.equals(segments.get(from).stage)) {
                Segment s = segments.get(i++);
                if (!s.cause.isEmpty()) {
                    waits.merge(s.cause, s.durationPs(), Long::sum);
                }
            }
            Segment first = segments.get(from);
            long duration = segments.get(i - 1).endPs - first.startPs;
            long wait = waits.values().stream().mapToLong(Long::longValue).sum();
            rows.add(new Row(first.stage, first.startPs, duration, wait, longestFirst(waits)));
        }
        return rows;
    }

    private static List<Wait> longestFirst(Map<String, Long> waits) {
        return waits.entrySet().stream()
                .map(e -> new Wait(e.getKey(), e.getValue()))
                .sorted(Comparator.comparingLong(Wait::ps).reversed())
                .toList();
    }

    /** Returns the time in each stage, by first appearance on the path. */
    public Map<String, Long> perStage() {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (Segment s : segments) {
            sums.merge(s.stage, s.durationPs(), Long::sum);
        }
        return sums;
    }

    /** Returns the time in each stage and cause, by first appearance on the path; the cause of work is empty. */
    public Map<String, Map<String, Long>> perCause() {
        Map<String, Map<String, Long>> sums = new LinkedHashMap<>();
        for (Segment s : segments) {
            sums.computeIfAbsent(s.stage, k -> new LinkedHashMap<>()).merge(s.cause, s.durationPs(), Long::sum);
        }
        return sums;
    }

    /** Compares this operation with another; the excesses add up to the difference of the totals. */
    public List<Difference> compare(Waterfall other) {
        Map<String, Long> mine = perStage();
        Map<String, Long> theirs = other.perStage();
        List<Difference> all = new ArrayList<>();
        mine.forEach((stage, ps) -> all.add(new Difference(stage, ps, theirs.getOrDefault(stage, 0L))));
        theirs.forEach((stage, ps) -> {
            if (!mine.containsKey(stage)) {
                all.add(new Difference(stage, 0, ps));
            }
        });
        return all;
    }

    /** Returns the stamp that was critical just before {@code t}, null if none begins before. */
    private static @Nullable Stamp before(Stamp[] stamps, long t, @Nullable Stamp later) {
        Stamp best = null;
        for (Stamp s : stamps) {
            if (s.in() < t && s.out() > s.in() && (best == null || goesBefore(s, best, t, later))) {
                best = s;
            }
        }
        return best;
    }

    /** Whether a goes before b; stamps come in ascending order, so that of two equal ones the later is taken. */
    private static boolean goesBefore(Stamp a, Stamp b, long t, @Nullable Stamp later) {
        long endA = Math.min(t, a.out());
        long endB = Math.min(t, b.out());
        if (endA != endB) {
            return endA > endB;
        }
        boolean exactA = a.out() <= t;
        boolean exactB = b.out() <= t;
        if (exactA != exactB) {
            return exactA;
        }
        boolean sameA = later != null && a.seq() == later.seq();
        boolean sameB = later != null && b.seq() == later.seq();
        return sameA != sameB ? sameA : a.in() >= b.in();
    }

    private static List<Segment> merged(List<Segment> path) {
        List<Segment> out = new ArrayList<>();
        for (Segment s : path) {
            Segment last = out.isEmpty() ? null : out.get(out.size() - 1);
            if (last != null && last.stage.equals(s.stage) && last.cause.equals(s.cause)) {
                out.set(out.size() - 1, new Segment(s.stage, s.cause, last.startPs, s.endPs));
            } else {
                out.add(s);
            }
        }
        return List.copyOf(out);
    }
}
