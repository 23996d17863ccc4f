package dev.clockwire.nic.complete;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.Objects;

/** The indices of each completion queue, and whose turn it is. */
final class CqState implements State {
    private long[] producer = new long[16];
    /** What the driver had consumed when its record was read last. */
    private long[] consumer = new long[16];

    boolean receiveTurn;
    /** A record is being read. */
    boolean reading;
    /** The queue whose record was read because it was full, -1 for none. */
    int asked = -1;
    /** The read that asks for records. */
    DmaRead record = new DmaRead();
    /** Completions that found their queue broken. */
    long lost;

    private void ensure(int cqn) {
        if (cqn >= producer.length) {
            int n = Math.max(cqn + 1, 2 * producer.length);
            producer = Arrays.copyOf(producer, n);
            consumer = Arrays.copyOf(consumer, n);
        }
    }

    /** Returns the entries written that, as far as is known, nobody has consumed. */
    long used(int cqn) {
        ensure(cqn);
        return producer[cqn] - consumer[cqn];
    }

    long next(int cqn) {
        ensure(cqn);
        return producer[cqn]++;
    }

    /** Takes over the 24-bit counter of a record. */
    void consumed(int cqn, int counter) {
        consumer[cqn] += counter - (int) consumer[cqn] & 0xFFFFFF;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt((receiveTurn ? 1 : 0) | (reading ? 2 : 0));
        out.putInt(asked);
        out.putToken(record);
        out.putLong(lost);
        out.putInt(producer.length);
        out.putLongs(producer);
        out.putLongs(consumer);
    }

    @Override
    public void load(Snapshot in) {
        int flags = in.getInt();
        receiveTurn = (flags & 1) != 0;
        reading = (flags & 2) != 0;
        asked = in.getInt();
        record = (DmaRead) Objects.requireNonNull(in.getToken());
        lost = in.getLong();
        producer = new long[in.getInt()];
        in.getLongs(producer);
        consumer = new long[producer.length];
        in.getLongs(consumer);
    }
}
