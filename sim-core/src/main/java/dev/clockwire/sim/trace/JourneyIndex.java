package dev.clockwire.sim.trace;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The stamps of one or several logs sorted by journey and time, after a run. The order does not depend on that of recording. Delays are
 * left out: they overlap stages.
 */
public final class JourneyIndex {
    private static final Comparator<Stamp> ORDER = Comparator.comparingLong(Stamp::journey)
            .thenComparingLong(Stamp::in)
            .thenComparingLong(Stamp::out)
            .thenComparingInt(Stamp::stage)
            .thenComparingInt(Stamp::seq)
            .thenComparingInt(Stamp::cause);

    private final Stamp[] stamps;

    /** Joins the stamps of all partitions; their stages must come from one {@link StageRegistry}. */
    public JourneyIndex(JourneyLog... logs) {
        int n = 0;
        for (JourneyLog log : logs) {
            for (int i = 0; i < log.size(); i++) {
                n += log.isDelay(i) ? 0 : 1;
            }
        }
        stamps = new Stamp[n];
        int at = 0;
        for (JourneyLog log : logs) {
            for (int i = 0; i < log.size(); i++) {
                if (!log.isDelay(i)) {
                    stamps[at++] =
                            new Stamp(log.journey(i), log.stage(i), log.seq(i), log.in(i), log.out(i), log.cause(i));
                }
            }
        }
        Arrays.sort(stamps, ORDER);
    }

    /** Returns the numbers of all journeys, ascending. */
    public long[] journeys() {
        return Arrays.stream(stamps).mapToLong(Stamp::journey).distinct().toArray();
    }

    /** Returns all stamps by journey and start. */
    public List<Stamp> stamps() {
        return List.of(stamps);
    }

    /** Returns the stamps of a journey by ascending start. */
    Stamp[] of(long journey) {
        int from = firstFrom(journey);
        int to = from;
        while (to < stamps.length && stamps[to].journey() == journey) {
            to++;
        }
        return Arrays.copyOfRange(stamps, from, to);
    }

    private int firstFrom(long journey) {
        int low = 0;
        int high = stamps.length;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (stamps[mid].journey() >= journey) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        return low;
    }

    /** One interval of a journey; see {@link JourneyLog#stamp}. */
    public record Stamp(long journey, int stage, int seq, long in, long out, int cause) {}
}
