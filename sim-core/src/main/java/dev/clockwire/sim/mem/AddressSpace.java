package dev.clockwire.sim.mem;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One memory: named allocations in a 64-bit address space (addresses compare unsigned), without any timing.
 *
 * <p>REAL allocations hold bytes. BULK allocations hold bytes in {@link PayloadMode#BYTES} and origins in
 * {@link PayloadMode#SIZES}; there a payload's extents keep their origin wherever they are copied, bytes written into
 * them stay bytes, and the byte accessors refuse. Memory never written reads as zeros, or as writer 0.
 *
 * <p>Every access must lie inside one allocation; a {@link ConfigurationException} otherwise names the address and the
 * nearest allocation. In steady state no access allocates.
 *
 * <p>A snapshot holds the allocations and their content. Watches are wiring: who arms and disarms one keeps that in its
 * own state.
 */
public final class AddressSpace implements State {
    private static final long FIRST = 0x1_0000;
    private static final long GUARD = 4096; // keeps an overrun from landing in the next allocation

    private final String name;
    private final PayloadMode mode;
    private Allocation[] sorted = {};
    private @Nullable Allocation last;
    private long next;
    private @Nullable MemorySanitizer sanitizer;
    /** What runs before anybody but a device changes the content. */
    private @Nullable Runnable first;

    private int freed;

    /** Creates an empty memory; the name appears in errors. */
    public AddressSpace(String name, PayloadMode mode) {
        this(name, mode, FIRST);
    }

    /** Creates an empty memory whose first allocation lies at or behind an address, such as 4 GB where devices are to use 64-bit addresses. */
    public AddressSpace(String name, PayloadMode mode, long first) {
        this.name = name;
        this.mode = mode;
        next = first;
    }

    /** Returns the name given when created. */
    public String name() {
        return name;
    }

    /** Returns what bulk allocations hold. */
    public PayloadMode mode() {
        return mode;
    }

    /** Returns the allocations by ascending address. */
    public List<Allocation> allocations() {
        return List.of(sorted);
    }

    /** Allocates the next free addresses at 64-byte alignment. */
    public Allocation allocate(String what, long length, Allocation.Kind kind) {
        return allocate(what, length, kind, 64);
    }

    /**
     * Allocates the next free addresses; they depend on nothing but the calls made so far.
     *
     * @param length in bytes, at least 1
     * @param align a power of two
     */
    public Allocation allocate(String what, long length, Allocation.Kind kind, long align) {
        if (Long.bitCount(align) != 1 || align < 0) {
            throw new ConfigurationException(
                    "alignment of '" + what + "' is " + align + ": must be a power of two, such as 64 or 4096");
        }
        long va = (next + align - 1) & -align;
        Allocation clash = firstIn(va, checkLength(what, length) + GUARD);
        while (clash != null) {
            va = (clash.end() + GUARD + align - 1) & -align;
            clash = firstIn(va, length + GUARD);
        }
        Allocation a = allocateAt(what, va, length, kind);
        next = a.end() + GUARD;
        return a;
    }

    /** Allocates given addresses, for replaying what another machine did and for device windows. */
    public Allocation allocateAt(String what, long va, long length, Allocation.Kind kind) {
        checkLength(what, length);
        Allocation clash = firstIn(va, length);
        if (clash != null || Long.compareUnsigned(va + length - 1, va) < 0) {
            throw new ConfigurationException(range(va, length) + " of '" + what + "' in " + name
                    + (clash == null ? " passes the end of the address space" : " overlaps " + clash));
        }
        Allocation a = new Allocation(what, va, length, kind, mode);
        insert(a);
        return a;
    }

    private void insert(Allocation a) {
        int p = indexAbove(a.address());
        Allocation[] grown = Arrays.copyOf(sorted, sorted.length + 1);
        System.arraycopy(sorted, p, grown, p + 1, sorted.length - p);
        grown[p] = a;
        sorted = grown;
    }

    /** Gives an allocation back; its addresses are not used again by {@link #allocate}. */
    public void free(Allocation a) {
        settle();
        int p = indexAbove(a.address()) - 1;
        if (p < 0 || !sorted[p].sameAs(a)) {
            throw new ConfigurationException(a + " is not, or no longer, an allocation of " + name);
        }
        Allocation[] less = Arrays.copyOf(sorted, sorted.length - 1);
        System.arraycopy(sorted, p + 1, less, p, less.length - p);
        sorted = less;
        last = null;
        freed++;
        settle();
        if (sanitizer != null) {
            sanitizer.frees(a.address(), a.length());
        }
    }

    /** Returns the allocation a range lies in; see the class for the error. */
    public Allocation find(long va, long len) {
        Allocation a = at(va, len);
        if (a == null) {
            throw outside(va, len);
        }
        return a;
    }

    /** Returns the allocation a range lies in, null if it lies in none. */
    public @Nullable Allocation at(long va, long len) {
        Allocation a = last;
        if (a != null && a.contains(va, len)) {
            return a;
        }
        int p = indexAbove(va) - 1;
        if (p < 0 || !sorted[p].contains(va, len)) {
            return null;
        }
        last = sorted[p];
        return sorted[p];
    }

    /** Appends the content of a range to a payload. */
    public void read(long va, int len, Payload into) {
        if (sanitizer != null) {
            sanitizer.reads(va, len);
        }
        fetch(va, len, into);
    }

    /**
     * Appends the content of a range to a payload, for a device.
     *
     * @param user who it is, as {@link MemoryUser} says
     * @param ps when the memory is read
     */
    public void read(long user, long ps, long va, int len, Payload into) {
        if (sanitizer != null) {
            sanitizer.touched(user, ps, va, len, false);
        }
        fetch(va, len, into);
    }

    /** Appends the content of a range to a payload, for somebody outside of the simulation: that is no access. */
    public void look(long va, int len, Payload into) {
        fetch(va, len, into);
    }

    private void fetch(long va, int len, Payload into) {
        Allocation a = find(va, len);
        long at = va - a.address();
        ExtentStore extents = a.extents();
        if (extents != null) {
            extents.read(at, len, into, a.bytes());
        } else {
            int pos = into.grow(len);
            a.bytes().read(at, into.buffer(), pos, len);
        }
    }

    /**
     * Writes part of a payload; its extents keep their origin.
     *
     * @throws ConfigurationException if an extent would go where bytes are held
     */
    public void write(long va, Payload from, int off, int len) {
        settle();
        if (sanitizer != null) {
            sanitizer.writes(va, len);
        }
        store(va, from, off, len);
    }

    /**
     * Writes part of a payload for a device.
     *
     * @param user who it is, as {@link MemoryUser} says
     * @param ps when the memory is written
     */
    public void write(long user, long ps, long va, Payload from, int off, int len) {
        if (sanitizer != null) {
            sanitizer.touched(user, ps, va, len, true);
        }
        store(va, from, off, len);
    }

    private void store(long va, Payload from, int off, int len) {
        from.check(off, len);
        Allocation a = find(va, len);
        long at = va - a.address();
        int start = 0;
        for (int i = 0; i < from.pieces() && start < off + len; i++) {
            int begin = Math.max(off, start);
            int n = Math.min(off + len, start + from.pieceLength(i)) - begin;
            if (n > 0) {
                writePiece(a, at + begin - off, from, i, begin - start, n);
            }
            start += from.pieceLength(i);
        }
        if (len > 0) {
            a.written(at, len);
        }
    }

    private void writePiece(Allocation a, long at, Payload from, int piece, int skip, int n) {
        ExtentStore extents = a.extents();
        if (from.isBytes(piece)) {
            if (extents != null) {
                extents.put(at, n, Payload.BYTES, 0, at);
            }
            int first = from.isBytes() ? 0 : from.bytesOf(piece);
            a.bytes().write(at, from.buffer(), first + skip, n);
        } else if (extents != null) {
            extents.put(at, n, from.writer(piece), from.sequence(piece), from.offset(piece) + skip);
        } else {
            throw new ConfigurationException("data of bulk memory without bytes cannot be written to "
                    + range(a.address() + at, n) + " in " + a + " of " + name
                    + ": make both ends BULK, or run with payload mode BYTES");
        }
    }

    /**
     * Originates data: the range becomes write number {@code sequence} of {@code writer}. Where bytes are held they are
     * those of {@link PositionCode}. Writer 0 makes the range never written.
     */
    public void fill(long va, long len, int writer, long sequence) {
        if (writer < 0) {
            throw new ConfigurationException("writer " + writer + " of a fill: must not be negative");
        }
        settle();
        if (sanitizer != null) {
            sanitizer.writes(va, len);
        }
        Allocation a = find(va, len);
        long at = va - a.address();
        ExtentStore extents = a.extents();
        if (extents != null) {
            extents.put(at, len, writer, sequence, 0);
        } else {
            a.bytes().fill(at, len, writer, sequence, 0);
        }
        if (len > 0) {
            a.written(at, len);
        }
    }

    /** Copies bytes out. */
    public void getBytes(long va, byte[] dst, int off, int len) {
        Allocation a = readable(va, len);
        a.bytes().read(va - a.address(), dst, off, len);
    }

    /** Writes bytes. */
    public void putBytes(long va, byte[] src, int off, int len) {
        Allocation a = writable(va, len);
        a.bytes().write(va - a.address(), src, off, len);
        if (len > 0) {
            a.written(va - a.address(), len);
        }
    }

    /** Returns one byte. */
    public byte getByte(long va) {
        Allocation a = readable(va, 1);
        return a.bytes().getByte(va - a.address());
    }

    /** Returns two bytes, little-endian. */
    public short getShort(long va) {
        Allocation a = readable(va, 2);
        return a.bytes().getShort(va - a.address());
    }

    /** Returns four bytes, little-endian. */
    public int getInt(long va) {
        Allocation a = readable(va, 4);
        return a.bytes().getInt(va - a.address());
    }

    /** Returns eight bytes, little-endian. */
    public long getLong(long va) {
        Allocation a = readable(va, 8);
        return a.bytes().getLong(va - a.address());
    }

    /** Returns eight bytes, little-endian, to a device; see {@link #read(long, long, long, int, Payload)}. */
    public long getLong(long user, long ps, long va) {
        if (sanitizer != null) {
            sanitizer.touched(user, ps, va, Long.BYTES, false);
        }
        Allocation a = real(va, Long.BYTES);
        return a.bytes().getLong(va - a.address());
    }

    /** Writes eight bytes, little-endian, for a device; see {@link #write(long, long, long, Payload, int, int)}. */
    public void putLong(long user, long ps, long va, long x) {
        if (sanitizer != null) {
            sanitizer.touched(user, ps, va, Long.BYTES, true);
        }
        put(real(va, Long.BYTES), va, x, Long.BYTES);
    }

    /** Returns two bytes, big-endian. */
    public short getShortBe(long va) {
        return Short.reverseBytes(getShort(va));
    }

    /** Returns four bytes, big-endian. */
    public int getIntBe(long va) {
        return Integer.reverseBytes(getInt(va));
    }

    /** Returns eight bytes, big-endian. */
    public long getLongBe(long va) {
        return Long.reverseBytes(getLong(va));
    }

    /** Writes one byte. */
    public void putByte(long va, byte x) {
        put(va, x, 1);
    }

    /** Writes two bytes, little-endian. */
    public void putShort(long va, short x) {
        put(va, x, 2);
    }

    /** Writes four bytes, little-endian. */
    public void putInt(long va, int x) {
        put(va, x, 4);
    }

    /** Writes eight bytes, little-endian. */
    public void putLong(long va, long x) {
        put(va, x, 8);
    }

    /** Writes two bytes, big-endian. */
    public void putShortBe(long va, short x) {
        put(va, Short.reverseBytes(x), 2);
    }

    /** Writes four bytes, big-endian. */
    public void putIntBe(long va, int x) {
        put(va, Integer.reverseBytes(x), 4);
    }

    /** Writes eight bytes, big-endian. */
    public void putLongBe(long va, long x) {
        put(va, Long.reverseBytes(x), 8);
    }

    /**
     * Watches writes to a range inside one allocation. The watcher is called within the call that writes, once for each
     * write that overlaps the range, whatever the write changes.
     *
     * @param len in bytes, at least 1 and less than 2 GiB
     */
    public WriteWatch watch(long va, long len, Watcher watcher) {
        Allocation a = watched(va, len);
        WriteWatch w = new WriteWatch(watcher);
        w.enter(a, va - a.address(), (int) len);
        return w;
    }

    /**
     * Makes a watch of this memory watch another range, inside one allocation, from now on.
     *
     * @param len as in {@link #watch}
     * @throws ConfigurationException if the watch is closed
     */
    public void move(WriteWatch watch, long va, long len) {
        Allocation a = watched(va, len);
        if (!watch.leave()) {
            throw new ConfigurationException("a closed watch of " + name + " cannot move");
        }
        watch.enter(a, va - a.address(), (int) len);
    }

    private Allocation watched(long va, long len) {
        if (len < 1 || len > Integer.MAX_VALUE) {
            throw new ConfigurationException(
                    "length " + len + " of a watch in " + name + ": must be from 1 to " + Integer.MAX_VALUE);
        }
        return find(va, len);
    }

    /**
     * Says what runs before a program changes the content, and before and after it frees an allocation: what devices should have done by
     * then, they do now.
     */
    public void beforeChanges(Runnable what) {
        first = what;
    }

    /** Returns how many allocations have been freed. */
    public int freed() {
        return freed;
    }

    private void settle() {
        if (first != null) {
            first.run();
        }
    }

    /** Lets a sanitizer see every access from now on. */
    public void sanitize(MemorySanitizer by) {
        by.watches(this);
        sanitizer = by;
    }

    /** Returns what watches over the accesses, null if nothing does. */
    public @Nullable MemorySanitizer sanitizer() {
        return sanitizer;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(next);
        out.putInt(sorted.length);
        for (Allocation a : sorted) {
            out.putString(a.name());
            out.putLong(a.address());
            out.putLong(a.length());
            out.putBoolean(a.kind() == Allocation.Kind.BULK);
            a.save(out);
        }
    }

    /** Reads what {@link #save} wrote; an allocation that exists as it did then stays the same object. */
    @Override
    public void load(Snapshot in) {
        next = in.getLong();
        last = null;
        Allocation[] loaded = new Allocation[in.getInt()];
        for (int i = 0; i < loaded.length; i++) {
            Allocation saved = new Allocation(in.getString(), in.getLong(), in.getLong(), kind(in.getBoolean()), mode);
            int p = indexAbove(saved.address()) - 1;
            loaded[i] = p >= 0 && sorted[p].sameAs(saved) ? sorted[p] : saved;
            loaded[i].load(in);
        }
        sorted = loaded;
    }

    private static Allocation.Kind kind(boolean bulk) {
        return bulk ? Allocation.Kind.BULK : Allocation.Kind.REAL;
    }

    private void put(long va, long x, int size) {
        put(writable(va, size), va, x, size);
    }

    private static void put(Allocation a, long va, long x, int size) {
        a.bytes().put(va - a.address(), x, size);
        a.written(va - a.address(), size);
    }

    private Allocation readable(long va, int len) {
        if (sanitizer != null) {
            sanitizer.reads(va, len);
        }
        return real(va, len);
    }

    private Allocation writable(long va, int len) {
        settle();
        if (sanitizer != null) {
            sanitizer.writes(va, len);
        }
        return real(va, len);
    }

    private Allocation real(long va, int len) {
        Allocation a = find(va, len);
        if (a.extents() != null) {
            throw new ConfigurationException(range(va, len) + " in " + a + " of " + name
                    + " holds no bytes in payload mode SIZES; allocate REAL what a program reads or writes");
        }
        return a;
    }

    /** Returns the index of the first allocation that starts above an address. */
    private int indexAbove(long va) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (Long.compareUnsigned(sorted[mid].address(), va) > 0) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        return low;
    }

    private @Nullable Allocation firstIn(long va, long len) {
        int p = indexAbove(va);
        if (p > 0 && sorted[p - 1].contains(va, 1)) {
            return sorted[p - 1];
        }
        return p < sorted.length && Long.compareUnsigned(sorted[p].address() - va, len) < 0 ? sorted[p] : null;
    }

    private static long checkLength(String what, long length) {
        if (length < 1 || length > 1L << 48) {
            throw new ConfigurationException(
                    "length of '" + what + "' is " + length + " bytes: must be from 1 to " + (1L << 48));
        }
        return length;
    }

    private ConfigurationException outside(long va, long len) {
        if (len < 0) {
            return new ConfigurationException("length " + len + " of an access at 0x" + Long.toHexString(va) + " in "
                    + name + ": must not be negative");
        }
        int p = indexAbove(va);
        String near = "there is none";
        if (p > 0) {
            near = "nearest is " + sorted[p - 1];
        }
        if (p < sorted.length && (p == 0 || distanceBelow(p - 1, va) > sorted[p].address() - va)) {
            near = "nearest is " + sorted[p];
        }
        return new ConfigurationException(range(va, len) + " lies in no allocation of " + name + "; " + near);
    }

    /** Returns how far an address is behind allocation {@code p}, 0 if the range starts inside and runs out. */
    private long distanceBelow(int p, long va) {
        return Math.max(0, va - sorted[p].end());
    }

    private static String range(long va, long len) {
        return "[0x" + Long.toHexString(va) + ", 0x" + Long.toHexString(va + len) + ")";
    }
}
