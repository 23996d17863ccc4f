package dev.clockwire.sim.mem;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/** A named range of an {@link AddressSpace}. */
public final class Allocation implements State {
    /** What a range is for. */
    public enum Kind {
        /** Bytes in every payload mode: whatever a program or a device reads as data (rings, records, headers). */
        REAL,
        /** Bytes or extents, see {@link PayloadMode}: benchmark buffers, file data, disk blocks. */
        BULK
    }

    private static final WriteWatch[] NO_WATCHES = {};

    private final String name;
    private final long address;
    private final long length;
    private final Kind kind;
    private final @Nullable ExtentStore extents;
    private final PagedBytes bytes;

    private WriteWatch[] watches = NO_WATCHES; // sorted by start, replaced as a whole: a watcher may watch and close
    private long[] reach = {}; // reach[i] = largest end of watches[0..i]

    Allocation(String name, long address, long length, Kind kind, PayloadMode mode) {
        this.name = name;
        this.address = address;
        this.length = length;
        this.kind = kind;
        extents = kind == Kind.BULK && mode == PayloadMode.SIZES ? new ExtentStore(length) : null;
        bytes = new PagedBytes(length);
    }

    /** Returns the name given when allocated. */
    public String name() {
        return name;
    }

    /** Returns the first address. */
    public long address() {
        return address;
    }

    /** Returns the length in bytes. */
    public long length() {
        return length;
    }

    /** Returns the first address behind the range. */
    public long end() {
        return address + length;
    }

    /** Returns what the range is for. */
    public Kind kind() {
        return kind;
    }

    /** Returns whether a range lies completely inside. */
    public boolean contains(long va, long len) {
        long at = va - address;
        return at >= 0 && len >= 0 && at <= length - len;
    }

    boolean sameAs(Allocation other) {
        return address == other.address && length == other.length && kind == other.kind && name.equals(other.name);
    }

    /** Writes the content; watches are wiring and no state. */
    @Override
    public void save(Snapshot out) {
        bytes.save(out);
        if (extents != null) {
            extents.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        bytes.load(in);
        if (extents != null) {
            extents.load(in);
        }
    }

    @Override
    public String toString() {
        return name + " [0x" + Long.toHexString(address) + ", 0x" + Long.toHexString(end()) + ") " + kind;
    }

    @Nullable
    ExtentStore extents() {
        return extents;
    }

    PagedBytes bytes() {
        return bytes;
    }

    void watch(WriteWatch watch) {
        int p = watches.length;
        while (p > 0 && watches[p - 1].start > watch.start) {
            p--;
        }
        WriteWatch[] next = new WriteWatch[watches.length + 1];
        System.arraycopy(watches, 0, next, 0, p);
        next[p] = watch;
        System.arraycopy(watches, p, next, p + 1, watches.length - p);
        use(next);
    }

    void unwatch(WriteWatch watch) {
        for (int i = 0; i < watches.length; i++) {
            if (watches[i] == watch) {
                WriteWatch[] next = new WriteWatch[watches.length - 1];
                System.arraycopy(watches, 0, next, 0, i);
                System.arraycopy(watches, i + 1, next, i, next.length - i);
                use(next);
                return;
            }
        }
    }

    private void use(WriteWatch[] next) {
        long[] ends = new long[next.length];
        long most = 0;
        for (int i = 0; i < next.length; i++) {
            most = Math.max(most, next[i].start + next[i].length);
            ends[i] = most;
        }
        watches = next;
        reach = ends;
    }

    /** Tells the watchers of a write of {@code len} bytes at a relative position, in the order of their ranges. */
    void written(long at, long len) {
        if (watches.length > 0) {
            tell(watches, reach, at, at + len);
        }
    }

    private static void tell(WriteWatch[] all, long[] ends, long at, long end) {
        int low = 0; // first watch whose range, or that of one before it, ends after the write's start
        int high = all.length;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (ends[mid] > at) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        for (int i = low; i < all.length && all[i].start < end; i++) {
            all[i].tell(at, end);
        }
    }
}
