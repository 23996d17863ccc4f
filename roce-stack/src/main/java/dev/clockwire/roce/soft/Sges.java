package dev.clockwire.roce.soft;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.MemoryKeys;
import dev.clockwire.roce.verbs.SgeList;
import dev.clockwire.sim.mem.Payload;
import java.util.Arrays;

/** Local memory of a work request in the order of the message. Every access checks its key anew: it may have gone meanwhile. */
final class Sges {
    private static final int WRITE = AccessFlag.LOCAL_WRITE.code();

    private long[] address = new long[1];
    private long[] length = new long[1];
    private int[] lkey = new int[1];
    private int count;
    private long total;
    private final byte[] eight = new byte[Long.BYTES];
    private final Payload result = new Payload();

    void set(SgeList from) {
        count = from.count();
        if (address.length < count) {
            address = Arrays.copyOf(address, count);
            length = Arrays.copyOf(length, count);
            lkey = Arrays.copyOf(lkey, count);
        }
        total = 0;
        for (int i = 0; i < count; i++) {
            address[i] = from.address(i);
            length[i] = from.length(i);
            lkey[i] = from.lkey(i);
            total += length[i];
        }
    }

    /** Returns the bytes of all pieces. */
    long total() {
        return total;
    }

    /** Tells whether a queue pair of a domain may read all of it, or write it. */
    boolean granted(MemoryKeys keys, int pd, boolean write) {
        for (int i = 0; i < count; i++) {
            if (length[i] > 0 && keys.local(pd, lkey[i], address[i], length[i], write ? WRITE : 0) == null) {
                return false;
            }
        }
        return true;
    }

    /** Appends part of the message to a payload; false if a key does not grant it. */
    boolean read(SoftQueuePair qp, int pd, long offset, int bytes, Payload into) {
        long skip = offset;
        int left = bytes;
        for (int i = 0; i < count && left > 0; i++) {
            if (skip >= length[i]) {
                skip -= length[i];
                continue;
            }
            int n = (int) Math.min(left, length[i] - skip);
            MemoryKey key = qp.device.keys().local(pd, lkey[i], address[i] + skip, n, 0);
            if (key == null) {
                return false;
            }
            qp.memory.read(qp.worker(lkey[i]), qp.device.now(), key.translate(address[i] + skip), n, into);
            left -= n;
            skip = 0;
        }
        return true;
    }

    /** Writes part of the message from the start of a payload; false if a key does not grant it. */
    boolean write(SoftQueuePair qp, int pd, long offset, int bytes, Payload from) {
        long skip = offset;
        int done = 0;
        for (int i = 0; i < count && done < bytes; i++) {
            if (skip >= length[i]) {
                skip -= length[i];
                continue;
            }
            int n = (int) Math.min(bytes - done, length[i] - skip);
            MemoryKey key = qp.device.keys().local(pd, lkey[i], address[i] + skip, n, WRITE);
            if (key == null) {
                return false;
            }
            long to = key.translate(address[i] + skip);
            qp.memory.write(qp.worker(lkey[i]), qp.device.now(), to, from, done, n);
            done += n;
            skip = 0;
        }
        return true;
    }

    /** Writes the eight bytes of an atomic's result in the order of the host; false if a key does not grant it. */
    boolean writeLong(SoftQueuePair qp, int pd, long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            eight[i] = (byte) (value >>> (i * Byte.SIZE));
        }
        result.clear();
        result.appendBytes(eight, 0, Long.BYTES);
        return write(qp, pd, 0, Long.BYTES, result);
    }
}
