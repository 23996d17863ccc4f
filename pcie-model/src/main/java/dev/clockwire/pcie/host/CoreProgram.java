package dev.clockwire.pcie.host;

/** What a core runs, a step at a time. One that is also a {@link dev.clockwire.sim.state.State} takes part in snapshots. */
@FunctionalInterface
public interface CoreProgram {
    /**
     * Runs one step. It sees memory as of its start. It asks for the next one with {@link CpuCore#wake}, {@link CpuCore#wakeAfter} or
     * {@link CpuCore#idle}; otherwise it is not called again until somebody else wakes the core.
     */
    void step(CpuCore core);
}
