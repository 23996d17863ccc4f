package dev.clockwire.storage.threefs.usrbio;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.sim.mem.AddressSpace;

/** Numbers in a ring's memory. */
final class RingMemory {
    private final AddressSpace memory;
    private final long base;
    private final byte[] word = new byte[Long.BYTES];

    RingMemory(AddressSpace memory, long base) {
        this.memory = memory;
        this.base = base;
    }

    int get32(int at) {
        memory.getBytes(base + at, word, 0, Integer.BYTES);
        return LittleEndian.get32(word, 0);
    }

    long get64(int at) {
        memory.getBytes(base + at, word, 0, Long.BYTES);
        return LittleEndian.get64(word, 0);
    }

    void put32(int at, int value) {
        LittleEndian.put32(word, 0, value);
        memory.putBytes(base + at, word, 0, Integer.BYTES);
    }

    void put64(int at, long value) {
        LittleEndian.put64(word, 0, value);
        memory.putBytes(base + at, word, 0, Long.BYTES);
    }
}
