package dev.clockwire.nic.lab;

import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.mem.PayloadMode;

/**
 * How a lab is simulated; nothing of it but the seed changes the trace.
 *
 * @param seed root of all random streams
 * @param mode whether idleness is skipped
 * @param loop which run loop evaluates the modules
 * @param payload whether bulk memory holds bytes or extents
 * @param fullHash whether every channel is an observation point of the trace hash
 * @param journeys stamps kept of followed operations; 0 follows none
 */
public record LabSpec(long seed, KernelMode mode, LoopKind loop, PayloadMode payload, boolean fullHash, int journeys) {
    /** Returns a lab that skips idleness, carries bytes and follows no operation. */
    public static LabSpec of(long seed) {
        return new LabSpec(seed, KernelMode.ACTIVITY, LoopKind.AUTO, PayloadMode.BYTES, false, 0);
    }

    /** Returns a copy with another kernel mode. */
    public LabSpec withMode(KernelMode other) {
        return new LabSpec(seed, other, loop, payload, fullHash, journeys);
    }

    /** Returns a copy with another payload mode. */
    public LabSpec withPayload(PayloadMode other) {
        return new LabSpec(seed, mode, loop, other, fullHash, journeys);
    }

    /** Returns a copy that hashes every channel, or only what leaves the blocks. */
    public LabSpec withFullHash(boolean full) {
        return new LabSpec(seed, mode, loop, payload, full, journeys);
    }

    /** Returns a copy that keeps this many stamps of followed operations. */
    public LabSpec withJourneys(int stamps) {
        return new LabSpec(seed, mode, loop, payload, fullHash, stamps);
    }
}
