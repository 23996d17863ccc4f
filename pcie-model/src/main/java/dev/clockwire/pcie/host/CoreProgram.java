package dev.clockwire.pcie.host;

/** What a core runs, a step at a time. */
@FunctionalInterface
public interface CoreProgram {
    /**
     * Runs one step. It sees memory as of its start. It asks for the next one with {@link CpuCore#wake}, {@link CpuCore#wakeAfter} or
     * {@link CpuCore#idle}; otherwise it is not called again until somebody else wakes the core.
     */
    void step(CpuCore core);
}
