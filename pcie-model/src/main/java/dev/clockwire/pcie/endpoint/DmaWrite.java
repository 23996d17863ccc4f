package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * A posted write to host memory by the device. The device fills it in and sends it to {@link PcieEndpoint#writePort}; writes
 * leave in the order sent.
 */
public final class DmaWrite extends Token {
    /** First byte. */
    public long address;
    /** Bytes, at least 1. */
    public int length;
    /** Key by which the device knows the memory, 0 for its own structures; never on a wire. */
    public int key;
    /** For whom, as {@link dev.clockwire.sim.mem.MemoryUser} says; never on a wire. */
    public long user;
    /** Which part of the followed operation this belongs to (a PSN). */
    public int part;
    /** The data; exactly {@link #length} bytes from {@link #offset} on are written. */
    public Payload data = new Payload();
    /** Where the data start in {@link #data}. */
    public int offset;
    /** Whether the write may pass earlier ones (relaxed ordering attribute). */
    public boolean relaxed;
    /** Whether the data are known to be wrong: the packets say so (EP), and the host does not store them. */
    public boolean poisoned;
    /** Stage of the followed operation that ends when the write is in memory; 0 for none. */
    public int stage;
    /** The device's own. */
    public long cookie;
    /** Where the write comes back when its last bit has left the device. */
    public @Nullable Inlet<DmaWrite> done;
    /** The same, 1 ps later, for devices without a clock. */
    public @Nullable EventPort donePort;
    /** Without either, where the object goes when its data are on their way, so that nothing need happen for it later. */
    public @Nullable Pool<DmaWrite> home;
    /** When the last bit left, in ps. */
    public long leftPs;

    /** Whether its address has been translated; the device's own. */
    boolean translated;

    /** Creates a write of nothing. */
    public DmaWrite() {}

    /** Gives back what nobody waits for. */
    public void goHome() {
        Pool<DmaWrite> pool = home;
        if (pool != null && done == null && donePort == null) {
            pool.give(this);
        }
    }

    @Override
    protected Token copy() {
        DmaWrite w = new DmaWrite();
        w.address = address;
        w.length = length;
        w.key = key;
        w.user = user;
        w.part = part;
        w.data.appendFrom(data, 0, data.length());
        w.offset = offset;
        w.relaxed = relaxed;
        w.poisoned = poisoned;
        w.stage = stage;
        w.cookie = cookie;
        w.done = done;
        w.donePort = donePort;
        w.home = home;
        w.translated = translated;
        w.leftPs = leftPs;
        return w;
    }

    @Override
    public long digest() {
        return address * 31 + length;
    }
}
