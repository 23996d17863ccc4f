package dev.clockwire.bench.perftest;

import dev.clockwire.bench.artefact.Operation;
import dev.clockwire.bench.explain.StageReport;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.StageChain;
import dev.clockwire.sim.trace.Waterfall;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Finds the operation that stands for a run, among those whose stamps are still in the log, and its stages. */
final class MedianOperation {
    /** The client is device 1; the journeys of a device's operations count up from here. */
    static final long FIRST_JOURNEY = 1L << 40;

    /** One cycle to be put into a channel and one to be seen in it. */
    private static final int HAND_OVER_CYCLES = 2;

    private MedianOperation() {}

    /**
     * Returns the index, in a record, of the operation whose latency is nearest to a value; of several the first, -1 if no
     * operation was followed to its end.
     */
    static int nearest(Flights flights, JourneyLog log, long latencyPs) {
        long since = since(log);
        int found = -1;
        long distance = Long.MAX_VALUE;
        for (int i = 0; i < flights.count(); i++) {
            long d = Math.abs(flights.done(i) - flights.posted(i) - latencyPs);
            if (flights.posted(i) > since && d < distance) {
                found = i;
                distance = d;
            }
        }
        return found;
    }

    /**
     * Returns all operations that were followed to their ends.
     *
     * @param ways 2 if the peer answers each with an operation of its own
     */
    static List<Operation> kept(Flights flights, @Nullable JourneyLog log, int ways) {
        if (log == null) {
            return List.of();
        }
        long since = since(log);
        return IntStream.range(0, flights.count())
                .filter(i -> flights.posted(i) > since)
                .mapToObj(i -> new Operation(
                        i,
                        flights.posted(i),
                        flights.done(i),
                        LongStream.rangeClosed(1, ways)
                                .mapToObj(device -> device * FIRST_JOURNEY + flights.id(i))
                                .toList()))
                .toList();
    }

    /** Returns the time since when no stamp is lost. */
    private static long since(JourneyLog log) {
        return log.lost() > 0 ? log.out(0) : Long.MIN_VALUE;
    }

    /**
     * Returns the path of an operation.
     *
     * @param cyclePs period of the NIC's core clock
     */
    static Waterfall path(
            Sim sim, JourneyLog log, StageChain chain, long journey, long startPs, long endPs, double cyclePs) {
        long handOver = (long) (HAND_OVER_CYCLES * cyclePs);
        return Waterfall.along(chain, handOver, log, sim.stages(), journey, startPs, endPs);
    }

    /** Returns the stages of a path. */
    static List<StageReport> stages(Waterfall path, double cyclePs) {
        return path.rows().stream().map(r -> report(r, path.startPs(), cyclePs)).toList();
    }

    /** A wait of a picosecond is the rule that nothing takes no time, not a wait. */
    private static StageReport report(Waterfall.Row r, long startPs, double cyclePs) {
        long wait = r.waitPs() <= 1 ? 0 : r.waitPs();
        List<Waterfall.Wait> waits = wait == 0 ? List.of() : r.waits();
        return StageReport.of(r.stage(), r.startPs() - startPs, r.durationPs(), cyclePs, waits);
    }
}
