package dev.clockwire.nic.driver;

import dev.clockwire.nic.format.Cqe;
import dev.clockwire.sim.mem.AddressSpace;

/** A completion ring as the driver sees it: entries the device writes, told apart by opcode and owner bit. */
final class CompletionRing {
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
        return entryAddress() + Cqe.BYTES - 1;
    }

    private long entryAddress() {
        return base + (consumer & (1L << logEntries) - 1) * Cqe.BYTES;
    }

    /** Whether the next entry is there. */
    boolean ready(AddressSpace memory) {
        int last = memory.getByte(watchAddress()) & 0xFF;
        boolean lap = (consumer >>> logEntries & 1) != 0;
        return Cqe.opcodeOf(last) != Cqe.INVALID && (last & 1) != 0 == lap;
    }

    /** Returns how many entries were taken so far. */
    int consumed() {
        return (int) consumer;
    }

    /** Takes the next entry, which is there; the array is reused. */
    byte[] take(AddressSpace memory) {
        memory.getBytes(entryAddress(), entry, 0, Cqe.BYTES);
        consumer++;
        return entry;
    }
}
