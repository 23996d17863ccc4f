package dev.clockwire.pcie.host;

import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * A core's load from device memory. No request may cross 4 KB: a load that does is two, the second of which leaves when the first is
 * answered.
 */
final class DeviceLoad implements State {
    private boolean waits;
    private long next;
    private int left;
    private int had;
    private long value;

    /** Begins a load of up to 8 bytes. */
    void begin(long address, int size) {
        waits = true;
        next = address;
        left = size;
        had = 0;
        value = 0;
    }

    /** Returns where the next request reads. */
    long address() {
        return next;
    }

    /** Returns where the load begins. */
    long start() {
        return next - had;
    }

    /** Returns how many bytes the next request reads. */
    int bytes() {
        return TlpSplit.read(next, left, TlpSplit.PAGE);
    }

    /**
     * Takes the answer to a request.
     *
     * @param x least significant byte first, all ones if nobody answered
     * @return whether this was the last one
     */
    boolean take(long x) {
        int n = bytes();
        boolean last = n == left;
        value |= (last ? x : x & ((1L << (8 * n)) - 1)) << (8 * had);
        had += n;
        next += n;
        left -= n;
        waits = !last;
        return last;
    }

    /** Returns whether an answer is missing. */
    boolean waits() {
        return waits;
    }

    /** Returns what was loaded. */
    long value() {
        return value;
    }

    @Override
    public void save(Snapshot out) {
        out.putBoolean(waits);
        out.putLong(next);
        out.putInt(left);
        out.putInt(had);
        out.putLong(value);
    }

    @Override
    public void load(Snapshot in) {
        waits = in.getBoolean();
        next = in.getLong();
        left = in.getInt();
        had = in.getInt();
        value = in.getLong();
    }
}
