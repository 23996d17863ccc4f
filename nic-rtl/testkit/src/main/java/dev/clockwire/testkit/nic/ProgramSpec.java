package dev.clockwire.testkit.nic;

import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.mem.Allocation;

/**
 * What a random verbs program looks like.
 *
 * @param seed of all its choices
 * @param type transport service of all its queue pairs
 * @param qps queue pairs
 * @param works send work requests of each queue pair and direction
 * @param mtu path MTU
 * @param depth send work requests outstanding per queue pair
 * @param maxLength longest message in bytes
 * @param duplex whether both hosts send
 * @param ownCqs whether each queue pair has completion queues of its own; else all of a host share one
 * @param lateReceives receivers post late and little, so that senders see receiver-not-ready; RC only
 * @param bulk kind of the memory for payload
 * @param extras sum of {@link #SHARED}, {@link #DEVICE} and {@link #WINDOWS}
 */
public record ProgramSpec(
        long seed,
        QpType type,
        int qps,
        int works,
        Mtu mtu,
        int depth,
        int maxLength,
        boolean duplex,
        boolean ownCqs,
        boolean lateReceives,
        Allocation.Kind bulk,
        int extras) {

    /** Receives come out of shared queues, one for each queue pair. */
    public static final int SHARED = 1;
    /** Small messages, atomics and their results lie in device memory. */
    public static final int DEVICE = 2;
    /** Windows are bound and invalidated, by their owners and by peers. */
    public static final int WINDOWS = 4;

    /** Tells whether one of the extras is wanted. */
    boolean has(int extra) {
        return (extras & extra) != 0;
    }

    /** Returns a copy with other extras. */
    public ProgramSpec withExtras(int all) {
        return new ProgramSpec(seed, type, qps, works, mtu, depth, maxLength, duplex, ownCqs, lateReceives, bulk, all);
    }

    /** Returns a small program: one queue pair, one direction, messages up to 20,000 bytes. */
    public static ProgramSpec of(long seed, QpType type) {
        return new ProgramSpec(
                seed, type, 1, 12, Mtu.MTU_1024, 16, 20_000, false, false, false, Allocation.Kind.REAL, 0);
    }

    /** Returns a copy with other numbers of queue pairs and of work requests each. */
    public ProgramSpec withSize(int queuePairs, int worksEach) {
        return new ProgramSpec(
                seed, type, queuePairs, worksEach, mtu, depth, maxLength, duplex, ownCqs, lateReceives, bulk, extras);
    }

    /** Returns a copy with another MTU, depth and longest message. */
    public ProgramSpec withShape(Mtu pathMtu, int outstanding, int longest) {
        return new ProgramSpec(
                seed, type, qps, works, pathMtu, outstanding, longest, duplex, ownCqs, lateReceives, bulk, extras);
    }

    /** Returns a copy with other switches. */
    public ProgramSpec with(boolean bothWays, boolean separateCqs, boolean late) {
        return new ProgramSpec(
                seed, type, qps, works, mtu, depth, maxLength, bothWays, separateCqs, late, bulk, extras);
    }

    /** Returns a copy with payload in another kind of memory. */
    public ProgramSpec withKind(Allocation.Kind kind) {
        return new ProgramSpec(
                seed, type, qps, works, mtu, depth, maxLength, duplex, ownCqs, lateReceives, kind, extras);
    }
}
