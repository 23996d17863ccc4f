package dev.clockwire.storage.load;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;

/**
 * Fills a buffer with content that tells who wrote it, and finds that out again: in mode bytes a number at the front of each 512 bytes, in mode sizes the
 * extent's writer and sequence. A buffer of two writers is torn.
 */
final class Label {
    /** What a torn buffer reads as. */
    static final long TORN = -1;

    private static final int EVERY = 512;
    private static final int SEQUENCE_BITS = 40;
    private static final int HASH = 0x9E37_79B1;

    private final byte[] block = new byte[EVERY];
    private final Payload payload = new Payload();

    /** Returns the label of a client's write, from 1 on. */
    static long of(int client, long sequence) {
        return (client + 1L) << SEQUENCE_BITS | sequence;
    }

    void fill(AddressSpace memory, long va, int length, long label) {
        if (memory.mode() == PayloadMode.SIZES) {
            payload.clear();
            payload.appendExtent((int) (label >>> SEQUENCE_BITS), label & (1L << SEQUENCE_BITS) - 1, 0, length);
            memory.write(va, payload, 0, length);
            return;
        }
        for (int i = 0; i < EVERY; i += Long.BYTES) {
            LittleEndian.put64(block, i, i == 0 ? label : label * HASH + i);
        }
        for (int at = 0; at < length; at += EVERY) {
            memory.putBytes(va + at, block, 0, Math.min(EVERY, length - at));
        }
    }

    long read(AddressSpace memory, long va, int length) {
        if (memory.mode() == PayloadMode.SIZES) {
            return readExtents(memory, va, length);
        }
        long label = 0;
        for (int at = 0; at < length; at += EVERY) {
            memory.getBytes(va + at, block, 0, Math.min(EVERY, length - at));
            long here = LittleEndian.get64(block, 0);
            if (at > 0 && here != label) {
                return TORN;
            }
            label = here;
        }
        return label;
    }

    private long readExtents(AddressSpace memory, long va, int length) {
        payload.clear();
        memory.read(va, length, payload);
        long at = 0;
        for (int i = 0; i < payload.pieces(); i++) {
            boolean same = !payload.isBytes(i)
                    && payload.writer(i) == payload.writer(0)
                    && payload.sequence(i) == payload.sequence(0)
                    && payload.offset(i) == at;
            if (!same) {
                return TORN;
            }
            at += payload.pieceLength(i);
        }
        return (long) payload.writer(0) << SEQUENCE_BITS | payload.sequence(0);
    }
}
