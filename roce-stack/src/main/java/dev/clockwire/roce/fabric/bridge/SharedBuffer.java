package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Who holds how much of a {@link BufferSpec}. Slots are numbered port x 8 + class. */
final class SharedBuffer implements State {
    static final int CLASSES = 8;

    private final BufferSpec spec;
    private final long shareable;
    private final int[] headroom;
    private final int[] alphaLog2;
    /** Fixed threshold of each port, 0 = alpha decides. */
    private final int[] fixed;

    private final long[] ingress;
    private final long[] inHeadroom;
    /** Bytes of lossy classes that wait for each port. */
    private final long[] lossy;

    /** The most that each slot has held. */
    private final long[] mostHeld;

    private long sharedUsed;
    private long mostShared;

    /**
     * Creates an empty buffer.
     *
     * @param lossless bit n: class n is lossless
     * @param headroom bytes of each (port, lossless class), by port
     * @param alphaLog2 threshold of each port, by port
     * @param fixed fixed threshold of each port, 0 = alpha decides
     */
    SharedBuffer(BufferSpec spec, int lossless, int[] headroom, int[] alphaLog2, int[] fixed) {
        this.fixed = fixed;
        this.spec = spec;
        this.headroom = headroom;
        this.alphaLog2 = alphaLog2;
        ingress = new long[headroom.length * CLASSES];
        inHeadroom = new long[headroom.length * CLASSES];
        mostHeld = new long[headroom.length * CLASSES];
        lossy = new long[headroom.length];
        shareable = shareable(spec, lossless, headroom);
    }

    /**
     * Returns what reserves and headrooms leave.
     *
     * @throws ConfigurationException if that is nothing
     */
    static long shareable(BufferSpec spec, int lossless, int[] headroom) {
        long set = 0;
        for (int h : headroom) {
            set += spec.lossyReserve() + Integer.bitCount(lossless) * ((long) h + spec.reserve());
        }
        if (set >= spec.bytes()) {
            String text = "switch buffer of " + spec.bytes() + " B: reserves and headrooms of " + headroom.length
                    + " ports take " + set + " B, more than there is; take a larger buffer, fewer lossless classes,"
                    + " less headroom or reserve";
            throw new ConfigurationException(text);
        }
        return spec.bytes() - set;
    }

    /** Returns T: what a slot may take of the shared bytes now. A fixed one bounds, but what is not free cannot be taken. */
    long threshold(int slot) {
        int port = slot >> 3;
        long free = Math.max(0, shareable - sharedUsed);
        if (fixed[port] > 0) {
            return Math.min(fixed[port], sharedOf(slot) + free);
        }
        int n = alphaLog2[port];
        return n >= 0 ? free << n : free >> -n;
    }

    /** Takes room for a frame of a lossless class; false if there is none. */
    boolean admit(int slot, int bytes) {
        long beyond = ingress[slot] + bytes - spec.reserve();
        long taken = Math.max(0, Math.min(bytes, beyond));
        if (taken > 0 && (beyond > threshold(slot) || taken > shareable - sharedUsed)) {
            if (inHeadroom[slot] + bytes > headroom[slot >> 3]) {
                return false;
            }
            inHeadroom[slot] += bytes;
        } else {
            ingress[slot] += bytes;
            sharedUsed += taken;
        }
        mostHeld[slot] = Math.max(mostHeld[slot], ingress[slot] + inHeadroom[slot]);
        mostShared = Math.max(mostShared, sharedUsed);
        return true;
    }

    /** Takes room for a frame of a lossy class that waits for a port, whose queue bounds it; false if there is none. */
    boolean admitLossy(int port, int bytes, long queued) {
        long beyond = beyondReserve(port, bytes);
        if (beyond > 0) {
            long free = shareable - sharedUsed;
            int n = spec.lossyAlphaLog2();
            long limit = n >= 0 ? free << n : free >> -n;
            if (beyond > free || queued + bytes > limit) {
                return false;
            }
        }
        lossy[port] += bytes;
        sharedUsed += beyond;
        mostShared = Math.max(mostShared, sharedUsed);
        return true;
    }

    /** Gives the room of a frame of a lossy class back. */
    void releaseLossy(int port, int bytes) {
        lossy[port] -= bytes;
        sharedUsed -= beyondReserve(port, bytes);
    }

    /** Returns what some more bytes would take of the shared ones. */
    private long beyondReserve(int port, int bytes) {
        long before = Math.max(0, lossy[port] - spec.lossyReserve());
        return Math.max(0, lossy[port] + bytes - spec.lossyReserve()) - before;
    }

    /** Gives the room of a frame of a lossless class back. */
    void release(int slot, int bytes) {
        long fromHeadroom = Math.min(bytes, inHeadroom[slot]);
        long rest = bytes - fromHeadroom;
        inHeadroom[slot] -= fromHeadroom;
        sharedUsed -= Math.min(rest, sharedOf(slot));
        ingress[slot] -= rest;
    }

    /** Whether the sender into a lossless slot must stop. */
    boolean pauses(int slot) {
        return inHeadroom[slot] > 0 || sharedOf(slot) >= threshold(slot);
    }

    /** Whether a stopped sender into a slot may go on. */
    boolean resumes(int slot) {
        long shared = sharedOf(slot);
        return inHeadroom[slot] == 0 && (shared == 0 || shared + spec.resumeOffset() <= threshold(slot));
    }

    /** Returns what a slot holds beyond its reserve, headroom left out. */
    long sharedOf(int slot) {
        return Math.max(0, ingress[slot] - spec.reserve());
    }

    /** Returns the bytes a slot holds, headroom included. */
    long heldBy(int slot) {
        return ingress[slot] + inHeadroom[slot];
    }

    /** Returns the most bytes that a slot has held, headroom included. */
    long mostHeldBy(int slot) {
        return mostHeld[slot];
    }

    /** Returns the fewest bytes, reserve included, from which a port has had to stop a class. */
    long lowestXoff(int port) {
        int n = alphaLog2[port];
        long free = shareable - mostShared;
        long limit = fixed[port] > 0 ? fixed[port] : n >= 0 ? free << n : free >> -n;
        return spec.reserve() + Math.min(limit, shareable); // an alpha above 1 allows more than there is
    }

    /** Returns the bytes a slot holds in its headroom. */
    long headroomUsed(int slot) {
        return inHeadroom[slot];
    }

    /** Returns the shared bytes that are taken. */
    long sharedUsed() {
        return sharedUsed;
    }

    /** Returns the bytes that can be shared. */
    long shareable() {
        return shareable;
    }

    @Override
    public void save(Snapshot out) {
        for (int i = 0; i < ingress.length; i++) {
            out.putLong(ingress[i]);
            out.putLong(inHeadroom[i]);
        }
        out.putLongs(mostHeld);
        out.putLongs(lossy);
        out.putLong(sharedUsed);
        out.putLong(mostShared);
    }

    @Override
    public void load(Snapshot in) {
        for (int i = 0; i < ingress.length; i++) {
            ingress[i] = in.getLong();
            inHeadroom[i] = in.getLong();
        }
        in.getLongs(mostHeld);
        in.getLongs(lossy);
        sharedUsed = in.getLong();
        mostShared = in.getLong();
    }
}
