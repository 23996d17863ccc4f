package dev.clockwire.pcie.fabric;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Packets of one class on their way from one port of a switch to another, in the order they came. */
final class PacketQueue implements State {
    private @Nullable TlpTrain[] trains = new @Nullable TlpTrain[4];
    private int[] packets = new int[4];
    private long[] orders = new long[4];
    private int first;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    TlpTrain train() {
        TlpTrain t = trains[first];
        if (t == null) {
            throw new InvariantViolation("looked into an empty queue of a switch");
        }
        return t;
    }

    /** Returns which packet of the first train comes next. */
    int packet() {
        return packets[first];
    }

    /** Returns the place of the next packet among all that the switch has taken. */
    long order() {
        return orders[first];
    }

    void add(TlpTrain train, int packet, long order) {
        if (size == trains.length) {
            grow();
        }
        int at = first + size++ & trains.length - 1;
        trains[at] = train;
        packets[at] = packet;
        orders[at] = order;
    }

    void remove() {
        trains[first] = null;
        first = first + 1 & trains.length - 1;
        size--;
    }

    private void grow() {
        int n = trains.length;
        @Nullable TlpTrain[] t = new @Nullable TlpTrain[2 * n];
        int[] p = new int[2 * n];
        long[] o = new long[2 * n];
        for (int i = 0; i < size; i++) {
            int at = first + i & n - 1;
            t[i] = trains[at];
            p[i] = packets[at];
            o[i] = orders[at];
        }
        trains = t;
        packets = p;
        orders = o;
        first = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(size);
        for (int i = 0; i < size; i++) {
            int at = first + i & trains.length - 1;
            out.putToken(trains[at]);
            out.putInt(packets[at]);
            out.putLong(orders[at]);
        }
    }

    @Override
    public void load(Snapshot in) {
        Arrays.fill(trains, null);
        first = 0;
        size = 0;
        for (int n = in.getInt(); n > 0; n--) {
            if (!(in.getToken() instanceof TlpTrain t)) {
                throw new InvariantViolation("a switch's queue was saved without its packets");
            }
            int packet = in.getInt();
            add(t, packet, in.getLong());
        }
    }
}
