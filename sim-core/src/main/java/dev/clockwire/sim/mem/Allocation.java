package dev.clockwire.sim.mem;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
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
    /** Stands where no watch is. */
    private static final WriteWatch NONE = new WriteWatch((va, len) -> {});

    private final String name;
    private final long address;
    private final long length;
    private final Kind kind;
    private final @Nullable ExtentStore extents;
    private final PagedBytes bytes;

    /** The first few, sorted by start. Replaced as a whole while they are told of a write: a watcher may change them. */
    private WriteWatch[] watches = NO_WATCHES;

    private long[] reach = {}; // reach[i] = largest end of watches[0..i]
    private int watchCount;
    private int telling;

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

    /** Adds a watch; allocates only if there have never been so many, or its neighbours are being told of a write. */
    void watch(WriteWatch watch) {
        own(watchCount + 1);
        int p = watchCount++;
        for (; p > 0 && watches[p - 1].start > watch.start; p--) {
            watches[p] = watches[p - 1];
        }
        watches[p] = watch;
        findReach();
    }

    void unwatch(WriteWatch watch) {
        int p = 0;
        while (p < watchCount && watches[p] != watch) {
            p++;
        }
        if (p < watchCount) {
            own(watchCount);
            System.arraycopy(watches, p + 1, watches, p, --watchCount - p);
            watches[watchCount] = NONE;
            findReach();
        }
    }

    /** Makes arrays of at least a size that nobody goes through. */
    private void own(int size) {
        if (telling > 0 || size > watches.length) {
            int room = Math.max(size, watches.length);
            WriteWatch[] next = new WriteWatch[room];
            Arrays.fill(next, NONE);
            System.arraycopy(watches, 0, next, 0, watchCount);
            watches = next;
            reach = new long[room];
        }
    }

    private void findReach() {
        long most = 0;
        for (int i = 0; i < watchCount; i++) {
            most = Math.max(most, watches[i].start + watches[i].length);
            reach[i] = most;
        }
    }

    /** Tells the watchers of a write of {@code len} bytes at a relative position, in the order of their ranges. */
    void written(long at, long len) {
        if (watchCount > 0) {
            telling++;
            try {
                tell(watches, reach, watchCount, at, at + len);
            } finally {
                telling--;
            }
        }
    }

    private static void tell(WriteWatch[] all, long[] ends, int count, long at, long end) {
        int low = 0; // first watch whose range, or that of one before it, ends after the write's start
        int high = count;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (ends[mid] > at) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        for (int i = low; i < count && all[i].start < end; i++) {
            all[i].tell(at, end);
        }
    }
}
