package dev.clockwire.nic.driver;

import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.sim.host.Cpu;
import java.util.Arrays;

/**
 * The send ring of one queue pair as the driver sees it. A WQE of several blocks may wrap around the ring's end.
 * A slot is free again when a completion at or behind it was polled.
 */
final class SendRing {
    private final int qpn;
    private final long base;
    private final int blocks;
    private final long recordAddress;
    private final long doorbell;
    private final long[] buffers;
    private final boolean blueflame;
    private final boolean carriesPi;
    private final long[] wrIds;
    private final byte[] sizes;
    private final byte[] line = new byte[Uar.BLUEFLAME_BYTES];
    /** Next block to write; not reduced modulo the ring. */
    private long producer;
    /** Next block that a completion frees. */
    private long consumer;

    /** Of a queue whose sends others release: the block behind the last one released, and the sends behind it. */
    private long released;

    private int held;
    private long rung;
    private long lastStart;
    private int lastBytes;
    private int buffer;
    private int outstanding;
    /** Where WQEs of a queue pair that is shared with the NVMe-oF offload are stored, a block each; 0: they stand in the ring. */
    private long shared;

    private byte[] posted = {};

    SendRing(
            int qpn,
            long base,
            int logBlocks,
            long recordAddress,
            long doorbell,
            long bufferA,
            long bufferB,
            boolean blueflame,
            boolean carriesPi) {
        this.qpn = qpn;
        this.base = base;
        blocks = 1 << logBlocks;
        this.recordAddress = recordAddress;
        this.doorbell = doorbell;
        buffers = new long[] {bufferA, bufferB};
        this.blueflame = blueflame;
        this.carriesPi = carriesPi;
        wrIds = new long[blocks];
        sizes = new byte[blocks];
    }

    /** Returns the block index of the next WQE, or -1 if the ring has no room for one of this size. */
    long place(int bytes) {
        return producer + blocksOf(bytes) - consumer > blocks ? -1 : producer;
    }

    private static int blocksOf(int bytes) {
        return (bytes + Wqe.BLOCK - 1) / Wqe.BLOCK;
    }

    /** Writes the WQE into its blocks; the device does not know of it yet. */
    void write(Cpu cpu, WqeWriter w, int bytes, long wrId) {
        int slot = (int) producer & blocks - 1;
        if (shared != 0) {
            Arrays.fill(posted, slot * Wqe.BLOCK, (slot + 1) * Wqe.BLOCK, (byte) 0);
            System.arraycopy(w.bytes(), 0, posted, slot * Wqe.BLOCK, bytes);
        } else {
            int first = Math.min(bytes, (blocks - slot) * Wqe.BLOCK);
            cpu.memory().putBytes(base + (long) slot * Wqe.BLOCK, w.bytes(), 0, first);
            cpu.memory().putBytes(base, w.bytes(), first, bytes - first);
        }
        wrIds[slot] = wrId;
        sizes[slot] = (byte) blocksOf(bytes);
        lastStart = producer;
        lastBytes = bytes;
        outstanding++;
        held++;
        producer += blocksOf(bytes);
    }

    /** Tells the device: doorbell record, then the doorbell, or the WQE itself if it is the only new one and small. */
    void ring(Cpu cpu) {
        if (rung == producer) {
            return;
        }
        if (shared != 0) {
            for (; rung < producer; rung++) {
                System.arraycopy(posted, ((int) rung & blocks - 1) * Wqe.BLOCK, line, 0, Wqe.BLOCK);
                cpu.mmioWrite(shared, line, 0, Wqe.BLOCK);
            }
            return;
        }
        cpu.memory().putIntBe(recordAddress + 4, (int) producer & 0xFFFF);
        if (blueflame && rung == lastStart && lastBytes <= Uar.BLUEFLAME_BYTES) {
            int bytes = blocksOf(lastBytes) * Wqe.BLOCK;
            int slot = (int) lastStart & blocks - 1;
            int first = Math.min(bytes, (blocks - slot) * Wqe.BLOCK);
            cpu.memory().getBytes(base + (long) slot * Wqe.BLOCK, line, 0, first);
            cpu.memory().getBytes(base, line, first, bytes - first);
            cpu.mmioWrite(buffers[buffer], line, 0, bytes);
            buffer ^= 1;
        } else if (carriesPi) {
            cpu.mmioWrite(doorbell, qpn | (producer & 0xFFFF) << 32, Long.BYTES);
        } else {
            cpu.mmioWrite(doorbell, qpn, Integer.BYTES);
        }
        rung = producer;
    }

    /** From now on the NVMe-oF offload owns the ring: WQEs, of one block each, are stored there and it puts them in. */
    void share(long window) {
        if (shared != window) {
            shared = window;
            posted = new byte[blocks * Wqe.BLOCK];
        }
    }

    /** The ring is the driver's again, which has nothing in it; the next block has an index. */
    void own(int index) {
        shared = 0;
        producer += index - (int) producer & 0xFFFF;
        rung = producer;
    }

    /** Whether a WQE may be posted: what is shared has a block for each. */
    boolean takes(int bytes) {
        return shared == 0 || bytes <= Wqe.BLOCK;
    }

    /**
     * Frees everything up to the WQE with this counter and returns its work request id. A completion that comes behind a later one
     * frees nothing: the id is that of whatever stands in its place by now.
     */
    long complete(int counter) {
        int distance = counter - (int) consumer & 0xFFFF;
        if (distance >= producer - consumer) {
            return wrIds[counter & blocks - 1];
        }
        long block = consumer + distance;
        while (consumer < block) {
            free();
        }
        return free();
    }

    private long free() {
        int slot = (int) consumer & blocks - 1;
        consumer += sizes[slot];
        outstanding--;
        return wrIds[slot];
    }

    /** Returns the index behind the last block posted, 16 bits. */
    int posted() {
        return (int) producer & 0xFFFF;
    }

    /** Returns the sends that were posted and not released. */
    int held() {
        return held;
    }

    /** Releases so many; returns the index behind them, 16 bits. */
    int release(int sends) {
        for (int i = 0; i < sends; i++) {
            released += sizes[(int) released & blocks - 1];
        }
        held -= sends;
        return (int) released & 0xFFFF;
    }

    /** Frees everything: the device has emptied the queue. */
    void reset() {
        consumer = producer;
        released = producer;
        held = 0;
        outstanding = 0;
    }

    /** Returns the WQEs whose slots are not free. */
    int outstanding() {
        return outstanding;
    }
}
