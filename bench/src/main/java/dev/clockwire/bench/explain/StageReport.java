package dev.clockwire.bench.explain;

import dev.clockwire.sim.trace.Waterfall;
import java.util.List;

/**
 * One stage of the critical path of an operation.
 *
 * @param name stage name, fixed for scripts
 * @param startNs from the start of the operation, in ns
 * @param durationNs in ns; it includes the waiting
 * @param cycles the duration in cycles of the NIC's core clock
 * @param waitNs how much of the duration nothing was done for this operation, in ns
 * @param waitFor what most of that was for, empty if there was none
 * @param waits all that was waited for, the longest first
 */
public record StageReport(
        String name,
        double startNs,
        double durationNs,
        double cycles,
        double waitNs,
        String waitFor,
        List<CauseWait> waits) {
    private static final double PS_PER_NS = 1000;

    /** Waiting for one cause, in ns. */
    public record CauseWait(String cause, double ns) {}

    /** Copies the waits. */
    public StageReport {
        waits = List.copyOf(waits);
    }

    /**
     * Reports a stage.
     *
     * @param startPs from the start of the operation
     * @param cyclePs period of the NIC's core clock in ps
     */
    public static StageReport of(
            String name, long startPs, long durationPs, double cyclePs, List<Waterfall.Wait> waits) {
        return new StageReport(
                name,
                startPs / PS_PER_NS,
                durationPs / PS_PER_NS,
                Math.round(durationPs / cyclePs * 1000) / 1000.0,
                waits.stream().mapToLong(Waterfall.Wait::ps).sum() / PS_PER_NS,
                waits.isEmpty() ? "" : waits.get(0).cause(),
                waits.stream()
                        .map(w -> new CauseWait(w.cause(), w.ps() / PS_PER_NS))
                        .toList());
    }
}
