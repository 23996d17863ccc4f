package dev.clockwire.nic.driver;

import dev.clockwire.nic.format.Wqe;
import dev.clockwire.roce.verbs.SgeList;
import dev.clockwire.sim.host.Cpu;

/** A receive ring, of one queue pair or shared: WQEs of data segments, announced by the doorbell record alone. */
final class ReceiveRing {
    private static final int SEGMENT = 16;
    private static final int INVALID_LKEY = 0x100;
    /** Counters that a completion can name: the WQEs of a shared ring complete in any order, later than their place is used again. */
    private static final int COUNTERS = 1 << 16;

    private final long base;
    private final int entries;
    private final int stride;
    private final long recordAddress;
    private final long[] wrIds;
    private long producer;
    private long consumed;

    ReceiveRing(long base, int logEntries, int stride, long recordAddress, boolean shared) {
        this.base = base;
        entries = 1 << logEntries;
        this.stride = stride;
        this.recordAddress = recordAddress;
        wrIds = new long[shared ? COUNTERS : entries];
    }

    /** Returns how many more receive WQEs fit. */
    int space() {
        return entries - (int) (producer - consumed);
    }

    /** Frees everything: the device has emptied the queue. */
    void reset() {
        consumed = producer;
    }

    /** Returns how many were posted and are not complete. */
    int outstanding() {
        return (int) (producer - consumed);
    }

    /** Returns how many segments one WQE holds. */
    int segments() {
        return stride / SEGMENT;
    }

    /** Writes the next WQE; pieces without bytes take no segment, for a count of 0 says 2^31. */
    void post(Cpu cpu, SgeList sges, long wrId) {
        int used = 0;
        for (int i = 0; i < sges.count(); i++) {
            if (sges.length(i) > 0) {
                segment(cpu, used++, sges.address(i), Wqe.count(sges.length(i)), sges.lkey(i));
            }
        }
        finish(cpu, used, wrId);
    }

    /** Writes segment i of the next WQE. */
    private void segment(Cpu cpu, int i, long va, int length, int lkey) {
        long at = base + (producer & entries - 1) * stride + (long) i * SEGMENT;
        cpu.memory().putIntBe(at, length);
        cpu.memory().putIntBe(at + 4, lkey);
        cpu.memory().putLongBe(at + 8, va);
    }

    /** Ends the next WQE, of which {@code used} segments were written. */
    private void finish(Cpu cpu, int used, long wrId) {
        if (used < segments()) {
            segment(cpu, used, 0, 0, INVALID_LKEY);
        }
        wrIds[(int) producer & (wrIds.length - 1)] = wrId;
        producer++;
    }

    /** Tells the device how many receive WQEs there are. */
    void ring(Cpu cpu) {
        cpu.memory().putIntBe(recordAddress, (int) producer & 0xFFFF);
    }

    /** Takes the receive WQE with a counter back and returns its work request id. */
    long complete(int counter) {
        consumed++;
        return wrIds[counter & (wrIds.length - 1)];
    }
}
