package dev.clockwire.nic.driver;

import dev.clockwire.nic.format.Cqe;
import dev.clockwire.sim.mem.AddressSpace;

/** A completion ring as the driver sees it: entries the device writes, told apart by opcode and owner bit. */
final class CompletionRing {
    /** The queue pair number of an entry that was taken away. */
    static final int NOBODY = 0xFFFFFF;

    private final long base;
    private final int logEntries;
    private final byte[] entry = new byte[Cqe.BYTES];
    private long consumer;

    /** Takes over a ring and marks all entries as never written. */
    CompletionRing(AddressSpace memory, long base, int logEntries) {
        this.base = base;
        this.logEntries = logEntries;
        for (int i = 0; i < 1 << logEntries; i++) {
            memory.putByte(base + (long) i * Cqe.BYTES + Cqe.BYTES - 1, (byte) (Cqe.INVALID << 4));
        }
    }

    /** Returns the address whose change makes the next entry: the last byte of it. */
    long watchAddress() {
        return entryAddress(consumer) + Cqe.BYTES - 1;
    }

    private long entryAddress(long index) {
        return base + (index & (1L << logEntries) - 1) * Cqe.BYTES;
    }

    /** Whether the next entry is there. */
    boolean ready(AddressSpace memory) {
        return ready(memory, consumer);
    }

    private boolean ready(AddressSpace memory, long index) {
        int last = memory.getByte(entryAddress(index) + Cqe.BYTES - 1) & 0xFF;
        boolean lap = (index >>> logEntries & 1) != 0;
        return Cqe.opcodeOf(last) != Cqe.INVALID && (last & 1) != 0 == lap;
    }

    /** Returns how many entries are here or were taken so far. */
    int seen(AddressSpace memory) {
        long at = consumer;
        while (at - consumer < 1L << logEntries && ready(memory, at)) {
            at++;
        }
        return (int) at;
    }

    /** Makes the entries of a queue pair that are here nobody's, so that they are passed over. */
    void clean(AddressSpace memory, int qpn) {
        for (long at = consumer; at - consumer < 1L << logEntries && ready(memory, at); at++) {
            memory.getBytes(entryAddress(at), entry, 0, Cqe.BYTES);
            if (Cqe.qpn(entry) == qpn) {
                memory.putIntBe(entryAddress(at) + Cqe.QPN_AT, NOBODY);
            }
        }
    }

    /** Returns how many entries were taken so far. */
    int consumed() {
        return (int) consumer;
    }

    /** Takes the next entry, which is there; the array is reused. */
    byte[] take(AddressSpace memory) {
        memory.getBytes(entryAddress(consumer), entry, 0, Cqe.BYTES);
        consumer++;
        return entry;
    }
}
