package dev.clockwire.sim.trace;

import dev.clockwire.sim.trace.Waterfall.Segment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The delays of one operation, laid over its critical path. An instant that several delays cover belongs to the one that began first; of
 * those that began together to the first by name. So the result does not depend on the order of recording.
 */
final class Delays {
    private static final Comparator<Delay> ORDER = Comparator.comparingLong(Delay::from)
            .thenComparing(Delay::cause)
            .thenComparingInt(Delay::seq)
            .thenComparing(Delay::stage)
            .thenComparing(Comparator.comparingLong(Delay::to).reversed());

    private final List<Delay> all = new ArrayList<>();

    /** The stage is empty if the delay may lie in any. */
    private record Delay(long from, long to, int seq, String stage, String cause) {
        boolean covers(Segment part, int number) {
            return (stage.isEmpty() || stage.equals(part.stage()))
                    && (number == JourneyLog.WHOLE || seq == JourneyLog.WHOLE || seq == number);
        }
    }

    void add(JourneyLog log, StageRegistry names, int i) {
        all.add(new Delay(log.in(i), log.out(i), log.seq(i), names.name(log.stage(i)), names.name(log.cause(i))));
    }

    /** To be called when all are added. */
    void sort() {
        all.sort(ORDER);
    }

    /** Returns since when something holds up a packet in a stage at an instant; the instant if nothing does. */
    long since(String stage, int seq, long at) {
        long since = at;
        Segment instant = new Segment(stage, "", at, at);
        for (Delay d : all) {
            if (d.from >= at) {
                break;
            }
            if (d.to > at && d.covers(instant, seq)) {
                since = Math.min(since, d.from);
            }
        }
        return since;
    }

    /**
     * Splits a part of the path into what delays cover and the rest, which stays as it is.
     *
     * @param seq the packet that the part stands for, {@link JourneyLog#WHOLE} if it stands for the operation
     */
    void split(Segment part, int seq, List<Segment> into) {
        long at = part.startPs();
        for (Delay d : all) {
            if (d.from >= part.endPs()) {
                break;
            }
            long to = Math.min(d.to, part.endPs());
            if (to > at && d.covers(part, seq)) {
                long from = Math.max(d.from, at);
                if (from > at) {
                    into.add(new Segment(part.stage(), part.cause(), at, from));
                }
                into.add(new Segment(part.stage(), d.cause, from, to));
                at = to;
            }
        }
        if (at < part.endPs() || part.startPs() == part.endPs()) {
            into.add(new Segment(part.stage(), part.cause(), at, part.endPs()));
        }
    }
}
