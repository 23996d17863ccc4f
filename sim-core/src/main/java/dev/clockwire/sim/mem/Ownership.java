package dev.clockwire.sim.mem;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One owner of some ranges: a work request from posting to completion, or a peer from grant to release. */
public final class Ownership {
    private static final long OPEN = -1;

    final long number;
    final Hold hold;
    /** Device of a work request. */
    final int device;
    /** Queue of a work request: a queue pair's number, or a shared queue's. */
    final int queue;

    final boolean shared;
    final @Nullable Grantee grantee;
    private final String what;
    private final long wrId;
    private final long sincePs;
    private long untilPs = OPEN;
    private @Nullable Release end;
    private long[] ranges = {};

    private Ownership(
            long number,
            Hold hold,
            int device,
            int queue,
            boolean shared,
            @Nullable Grantee grantee,
            String what,
            long wrId,
            long sincePs) {
        this.number = number;
        this.hold = hold;
        this.device = device;
        this.queue = queue;
        this.shared = shared;
        this.grantee = grantee;
        this.what = what;
        this.wrId = wrId;
        this.sincePs = sincePs;
    }

    static Ownership work(
            long number, Hold hold, int device, int queue, boolean shared, String what, long wrId, long ps) {
        return new Ownership(number, hold, device, queue, shared, null, what, wrId, ps);
    }

    static Ownership grant(long number, Hold hold, Grantee to, long ps) {
        return new Ownership(number, hold, 0, 0, false, to, to.toString(), 0, ps);
    }

    static Ownership free(long number, String pool, long ps) {
        return new Ownership(number, Hold.FREE, 0, 0, false, null, pool, 0, ps);
    }

    /** Returns a number of its own, counted from 1 in each memory. */
    public long number() {
        return number;
    }

    /** Tells whether it has not ended. */
    public boolean isOpen() {
        return end == null;
    }

    /** Returns when it began, in ps. */
    public long sincePs() {
        return sincePs;
    }

    /** Returns when it ended, in ps; -1 before. */
    long untilPs() {
        return untilPs;
    }

    /** Returns how it ended, null before. */
    public @Nullable Release end() {
        return end;
    }

    void add(long va, long len) {
        ranges = Arrays.copyOf(ranges, ranges.length + 2);
        ranges[ranges.length - 2] = va;
        ranges[ranges.length - 1] = len;
    }

    int ranges() {
        return ranges.length / 2;
    }

    long va(int i) {
        return ranges[2 * i];
    }

    long length(int i) {
        return ranges[2 * i + 1];
    }

    void close(Release how, long ps) {
        end = how;
        untilPs = ps;
    }

    /** Whether a work request's device may access so on its account. */
    boolean covers(long user, boolean write) {
        return grantee == null
                && hold.allows(write)
                && device == MemoryUser.device(user)
                && (shared || queue == MemoryUser.qpn(user));
    }

    /** Whether the grant is for this peer. */
    boolean fits(long user) {
        Grantee to = grantee;
        return to != null && to.fits(user);
    }

    /** Says who the owner is. */
    String owner(String deviceName) {
        if (grantee != null) {
            return "grant " + number + " to " + what;
        }
        if (hold == Hold.FREE) {
            return "pool " + what;
        }
        return what + " wr_id=" + Long.toUnsignedString(wrId) + " of " + (shared ? "SRQ 0x" : "QP 0x")
                + Integer.toHexString(queue) + " of " + deviceName;
    }

    /** Says from when to when it was the owner, and how that ended. */
    String life() {
        return "since " + MemoryFinding.ns(sincePs)
                + (end == null ? ": " + hold : " until " + MemoryFinding.ns(untilPs) + ": " + end);
    }
}
