package dev.clockwire.sim.host;

import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.trace.JourneyLog;

/**
 * A core as a driver sees it. Programs run in <em>steps</em>: a step sees memory as of its start, its costs add up, and
 * what it sends leaves at the start plus the cost so far, in program order. The next step starts at the start plus the
 * total cost.
 */
public interface Cpu {
    /** Returns the name for logs and errors, a hierarchical path where there is one. */
    String name();

    /** Returns the start of the step plus the cost so far, in ps. */
    long now();

    /** Adds a cost to the step, in ps. */
    void charge(long ps);

    /** Adds the price of some work to the step: {@code count} times that of one. */
    void charge(HostCost what, long count);

    /** Enters what others took of the core from a time until now into a log, as delays of an operation in a stage. */
    default void delays(JourneyLog log, long journey, int stage, long fromPs) {}

    /** Says which operation's stage waits for the stores to device memory from now on; 0 ends that. What holds them up counts there. */
    default void storesFor(long journey, int stage) {}

    /** Enters what holds up the store to device memory that was the last one into a log, as a delay of an operation in a stage. */
    default void storeDelays(JourneyLog log, long journey, int stage, long address) {}

    /** Returns the memory the core and its devices share. */
    AddressSpace memory();

    /**
     * Stores to device memory at {@link #now}; stores to memory made before it are visible to the device before it.
     *
     * @param address bus address
     * @param value the low {@code size} bytes go out, least significant byte at the lowest address
     * @param size 1, 2, 4 or 8
     */
    void mmioWrite(long address, long value, int size);

    /** Stores a block to device memory in one write-combined piece, as {@link #mmioWrite(long, long, int)}. */
    void mmioWrite(long address, byte[] data, int off, int len);

    /** Asks for another step of this core's program, as soon as this step's cost has passed; once, however often called. */
    void wake();
}
