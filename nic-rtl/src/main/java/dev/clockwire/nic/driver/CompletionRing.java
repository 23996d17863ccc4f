package dev.clockwire.nic.driver;

import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.MiniCqe;
import dev.clockwire.sim.mem.AddressSpace;
import java.util.Arrays;

/** A completion ring as the driver sees it: entries the device writes, told apart by opcode and owner bit. */
final class CompletionRing {
    /** Rings that hold entries still to be taken, the oldest first; entries from an index on stand in the ring of that number. */
    private long[] bases = new long[2];

    private int[] logs = new int[2];
    private long[] from = new long[2];
    private int rings = 1;
    private final byte[] entry = new byte[Cqe.BYTES];
    private final byte[] title = new byte[Cqe.BYTES];
    private final byte[] array = new byte[Cqe.BYTES];
    private long consumer;

    /** Takes over a ring. */
    CompletionRing(AddressSpace memory, long base, int logEntries) {
        bases[0] = base;
        logs[0] = logEntries;
        prepare(memory, base, logEntries);
    }

    /** Marks all entries of a ring as never written. */
    void prepare(AddressSpace memory, long ring, int log) {
        for (int i = 0; i < 1 << log; i++) {
            memory.putByte(ring + (long) i * Cqe.BYTES + Cqe.BYTES - 1, (byte) (Cqe.INVALID << 4));
        }
    }

    /** From an index on, entries come in another ring. */
    void change(long toBase, int toLog, long at) {
        int first = ring(consumer);
        rings -= first;
        System.arraycopy(bases, first, bases, 0, rings);
        System.arraycopy(logs, first, logs, 0, rings);
        System.arraycopy(from, first, from, 0, rings);
        if (rings == bases.length) {
            bases = Arrays.copyOf(bases, 2 * rings);
            logs = Arrays.copyOf(logs, 2 * rings);
            from = Arrays.copyOf(from, 2 * rings);
        }
        bases[rings] = toBase;
        logs[rings] = toLog;
        from[rings++] = at;
    }

    /** Returns the newest ring that an entry may stand in. */
    private int ring(long index) {
        int i = rings - 1;
        while (i > 0 && index < from[i]) {
            i--;
        }
        return i;
    }

    /** Returns the address whose change makes the next entry: the last byte of it. */
    long watchAddress() {
        return entryAddress(consumer) + Cqe.BYTES - 1;
    }

    private int log(long index) {
        return logs[ring(index)];
    }

    private long entryAddress(long index) {
        int i = ring(index);
        return bases[i] + (index & (1L << logs[i]) - 1) * Cqe.BYTES;
    }

    /** Whether the next entry is there. */
    boolean ready(AddressSpace memory) {
        return ready(memory, consumer);
    }

    private boolean ready(AddressSpace memory, long index) {
        int last = memory.getByte(entryAddress(index) + Cqe.BYTES - 1) & 0xFF;
        boolean lap = (index >>> log(index) & 1) != 0;
        return Cqe.opcodeOf(last) != Cqe.INVALID && (last & 1) != 0 == lap;
    }

    /** Returns how many entries are here or were taken so far. */
    int seen(AddressSpace memory) {
        return (int) newest(memory);
    }

    /** Returns the index behind the newest entry that is there; blocks on the way are expanded. */
    private long newest(AddressSpace memory) {
        long at = consumer;
        while (at - consumer < 1L << log(at) && ready(memory, at)) {
            expand(memory, at);
            at++;
        }
        return at;
    }

    /** If an entry is the title of several completions, puts each into its place in the ring. */
    private void expand(AddressSpace memory, long at) {
        memory.getBytes(entryAddress(at), title, 0, Cqe.BYTES);
        if (!MiniCqe.isTitle(title)) {
            return;
        }
        memory.getBytes(entryAddress(at + 1), array, 0, Cqe.BYTES);
        for (int n = Cqe.byteCount(title), i = n - 1; i >= 0; i--) {
            long place = at + i;
            boolean owner = (place >>> log(place) & 1) != 0;
            MiniCqe.expand(title, array, i, owner, entry);
            memory.putBytes(entryAddress(place), entry, 0, Cqe.BYTES);
        }
    }

    /** Takes the entries of a queue pair away: those that stay move up behind the newest, each with the owner bit of its new place. */
    void clean(AddressSpace memory, int qpn) {
        long newest = newest(memory);
        int taken = 0;
        for (long at = newest - 1; at >= consumer; at--) {
            memory.getBytes(entryAddress(at), entry, 0, Cqe.BYTES);
            if (Cqe.qpn(entry) == qpn) {
                taken++;
            } else if (taken > 0) {
                long to = at + taken;
                int last = Cqe.BYTES - 1;
                entry[last] = (byte) ((entry[last] & ~1) | (int) (to >>> log(to) & 1));
                memory.putBytes(entryAddress(to), entry, 0, Cqe.BYTES);
            }
        }
        consumer += taken;
    }

    /** Returns how many entries were taken so far. */
    long consumedInAll() {
        return consumer;
    }

    /** Returns the low bits of {@link #consumedInAll}. */
    int consumed() {
        return (int) consumer;
    }

    /** Takes the next entry, which is there; the array is reused. */
    byte[] take(AddressSpace memory) {
        expand(memory, consumer);
        memory.getBytes(entryAddress(consumer), entry, 0, Cqe.BYTES);
        consumer++;
        return entry;
    }
}
