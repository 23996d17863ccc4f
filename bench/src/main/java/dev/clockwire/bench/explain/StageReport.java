package dev.clockwire.bench.explain;

/**
 * One stage of the critical path of an operation.
 *
 * @param name stage name, fixed for scripts
 * @param startNs from the start of the operation, in ns
 * @param durationNs in ns; it includes the waiting
 * @param cycles the duration in cycles of the NIC's core clock
 * @param waitNs how much of the duration nothing was done for this operation, in ns
 * @param waitFor what was waited for, empty if for nothing
 */
public record StageReport(
        String name, double startNs, double durationNs, double cycles, double waitNs, String waitFor) {
    private static final double PS_PER_NS = 1000;

    /**
     * Reports a stage.
     *
     * @param startPs from the start of the operation
     * @param cyclePs period of the NIC's core clock in ps
     */
    public static StageReport of(
            String name, long startPs, long durationPs, double cyclePs, long waitPs, String waitFor) {
        return new StageReport(
                name,
                startPs / PS_PER_NS,
                durationPs / PS_PER_NS,
                Math.round(durationPs / cyclePs * 1000) / 1000.0,
                waitPs / PS_PER_NS,
                waitFor);
    }
}
