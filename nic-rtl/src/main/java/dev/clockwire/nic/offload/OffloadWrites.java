package dev.clockwire.nic.offload;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.mem.MemoryUser;

/** What the offload writes: into rings, doorbells and buffers, in the order of the calls. */
final class OffloadWrites {
    private final SimModule module;
    private final EventPort writes;
    private final Inlet<DmaWrite> written;
    private final DeviceParts parts;
    private final byte[] word = new byte[Integer.BYTES];

    /** Writes for a module through a port of the endpoint; they come back when they have left. */
    OffloadWrites(SimModule module, EventPort writes, Inlet<DmaWrite> written, DeviceParts parts) {
        this.module = module;
        this.writes = writes;
        this.written = written;
        this.parts = parts;
    }

    /** Returns whether a write has come back; its cookie less one is then in a queue. */
    boolean returned(long cycle, IntQueue cookies) {
        boolean any = false;
        while (written.valid(cycle)) {
            DmaWrite w = written.take(cycle);
            if (w.cookie > 0) {
                cookies.add((int) w.cookie - 1);
            }
            parts.writes().give(w);
            any = true;
        }
        return any;
    }

    /** Writes four bytes. */
    void writeInt(long address, int value, boolean bigEndian) {
        for (int i = 0; i < Integer.BYTES; i++) {
            word[i] = (byte) (value >>> (8 * (bigEndian ? Integer.BYTES - 1 - i : i)));
        }
        write(address, word, Integer.BYTES, 0);
    }

    /** Writes bytes; whoever gives a cookie above 0 hears when they have left. */
    void write(long address, byte[] bytes, int length, int cookie) {
        DmaWrite w = begin(address, length, cookie);
        w.data.appendBytes(bytes, 0, length);
        writes.send(module.now() + 1, 0, 0, 0, w);
    }

    /** Writes what stands in the device's memory. */
    void copy(long from, long address, int length) {
        DmaWrite w = begin(address, length, 0);
        parts.chipMemory().read(from, length, w.data);
        writes.send(module.now() + 1, 0, 0, 0, w);
    }

    private DmaWrite begin(long address, int length, int cookie) {
        DmaWrite w = parts.writes().take();
        w.user = MemoryUser.NONE;
        w.relaxed = false;
        w.address = address;
        w.length = length;
        w.offset = 0;
        w.key = 0;
        w.part = 0;
        w.cookie = cookie;
        w.data.clear();
        w.journey = 0;
        w.stage = 0;
        w.done = written;
        return w;
    }
}
