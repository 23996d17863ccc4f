package dev.clockwire.nic.complete;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** The producer index of each completion queue, and whose turn it is. */
final class CqState implements State {
    private long[] producer = new long[16];
    boolean receiveTurn;

    long next(int cqn) {
        if (cqn >= producer.length) {
            producer = Arrays.copyOf(producer, Math.max(cqn + 1, 2 * producer.length));
        }
        return producer[cqn]++;
    }

    @Override
    public void save(Snapshot out) {
        out.putBoolean(receiveTurn);
        out.putInt(producer.length);
        out.putLongs(producer);
    }

    @Override
    public void load(Snapshot in) {
        receiveTurn = in.getBoolean();
        producer = new long[in.getInt()];
        in.getLongs(producer);
    }
}
