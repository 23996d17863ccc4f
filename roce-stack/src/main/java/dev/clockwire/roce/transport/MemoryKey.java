package dev.clockwire.roce.transport;

import org.jspecify.annotations.Nullable;

/**
 * Memory that work requests and peers call by a key: a region, or a window on one. {@link MemoryKeys} holds the rules. Addresses
 * are unsigned.
 */
public final class MemoryKey {
    /** What the key stands for. */
    public enum Kind {
        /** Registered memory. */
        REGION,
        /** A window that a verb binds; any queue pair of its domain may use it. */
        WINDOW_1,
        /** A window that a work request binds; it belongs to the queue pair that did. */
        WINDOW_2
    }

    final Kind kind;
    final int pd;
    int key;
    long iova;
    long length;
    long address;
    int access;
    /** WINDOW_2: the queue pair that bound it. */
    int qpn;
    /** Whether accesses are granted at all: a window that is not bound grants none, nor does what was invalidated. */
    boolean valid;
    /** Of a bound window: the region. */
    @Nullable
    MemoryKey region;
    /** Of a region: the windows bound to it. */
    int windows;

    MemoryKey(Kind kind, int key, int pd) {
        this.kind = kind;
        this.key = key;
        this.pd = pd;
    }

    /** Returns what the key stands for. */
    public Kind kind() {
        return kind;
    }

    /** Returns the key now. */
    public int key() {
        return key;
    }

    /** Returns the protection domain. */
    public int pd() {
        return pd;
    }

    /** Tells whether the key grants anything: a region that was not invalidated, a window that is bound. */
    public boolean isValid() {
        return valid;
    }

    /** Returns the {@link AccessFlag} mask. */
    public int access() {
        return access;
    }

    /** Returns where in memory it begins. */
    public long address() {
        return address;
    }

    /** Returns its length in bytes. */
    public long length() {
        return length;
    }

    /** Returns the region of a bound window; null of anything else. */
    public @Nullable MemoryKey region() {
        return region;
    }

    /** Returns the windows bound to this region. */
    public int windows() {
        return windows;
    }

    /** Tells whether the range lies inside; a range that wraps around 2^64 does not. */
    public boolean covers(long va, long bytes) {
        long offset = va - iova;
        return Long.compareUnsigned(offset, length) <= 0 && Long.compareUnsigned(bytes, length - offset) <= 0;
    }

    /** Returns where in memory an address lies that the key covers. */
    public long translate(long va) {
        return va - iova + address;
    }
}
