package dev.clockwire.pcie.link;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Packets that wait in the order in which they came: a ring of trains, with the part of each that waits and a number of its own. */
public abstract class TrainRing implements State {
    private static final int FIRST_ROOM = 8;
    private static final long NEVER = Long.MAX_VALUE;

    private @Nullable TlpTrain[] trains = new @Nullable TlpTrain[FIRST_ROOM];
    private int[] next = new int[FIRST_ROOM];
    private int[] end = new int[FIRST_ROOM];
    private long[] number = new long[FIRST_ROOM];
    private int first;
    private int size;
    /** Arrival of the first packet that waits; whoever asks when something is due asks far more often than it changes. */
    private long head = NEVER;

    /** Creates an empty ring. */
    protected TrainRing() {}

    /** Returns whether nothing waits. */
    public final boolean isEmpty() {
        return size == 0;
    }

    /** Returns how many entries there are. */
    public final int size() {
        return size;
    }

    /** Returns the arrival of the first packet that waits, {@code Long.MAX_VALUE} if none does. */
    public final long head() {
        return head;
    }

    private void look() {
        TlpTrain t = trains[first];
        head = size == 0 || t == null ? NEVER : t.arrival[next[first]];
    }

    /** Adds the packets of a train from one, included, to another. */
    protected final void push(TlpTrain train, int from, int to, long itsNumber) {
        if (size == trains.length) {
            grow();
        }
        int at = place(size++);
        trains[at] = train;
        next[at] = from;
        end[at] = to;
        number[at] = itsNumber;
        if (size == 1) {
            look();
        }
    }

    /** Adds packets in front of an entry, counted from the first; behind all others if there is no such entry. */
    protected final void insert(int k, TlpTrain train, int from, int to, long itsNumber) {
        push(train, from, to, itsNumber);
        for (int i = size - 1; i > k; i--) {
            int at = place(i);
            int before = place(i - 1);
            trains[at] = trains[before];
            next[at] = next[before];
            end[at] = end[before];
            number[at] = number[before];
        }
        int at = place(k);
        trains[at] = train;
        next[at] = from;
        end[at] = to;
        number[at] = itsNumber;
        look();
    }

    /** Makes two entries of one: the second begins with a packet of it. */
    protected final void split(int k, int packet) {
        int stop = end(k);
        end[place(k)] = packet;
        insert(k + 1, train(k), packet, stop, number[place(k)]);
    }

    private int place(int k) {
        return first + k & trains.length - 1;
    }

    /** Returns the train of the first entry. */
    public final TlpTrain train() {
        return train(0);
    }

    /** Returns the train of an entry, counted from the first. */
    protected final TlpTrain train(int k) {
        TlpTrain t = trains[place(k)];
        if (t == null || k >= size) {
            throw new InvariantViolation("no packets wait at place " + k + " of " + size);
        }
        return t;
    }

    /** Returns the first packet of the first entry that waits. */
    public final int from() {
        return next[first];
    }

    /** Returns the first packet of an entry that waits. */
    protected final int from(int k) {
        return next[place(k)];
    }

    /** Returns the place behind the last packet of the first entry. */
    protected final int end() {
        return end[first];
    }

    /** Returns the place behind the last packet of an entry. */
    protected final int end(int k) {
        return end[place(k)];
    }

    /** Returns the number of the first entry. */
    protected final long number() {
        return number[first];
    }

    /** Notes that packets of the first entry wait no more; those from a place on do. */
    protected final void passTo(int packet) {
        next[first] = packet;
        look();
    }

    /** Removes the first entry. */
    protected final void pop() {
        trains[first] = null;
        first = place(1);
        size--;
        look();
    }

    private void grow() {
        int n = trains.length;
        @Nullable TlpTrain[] t = new @Nullable TlpTrain[2 * n];
        int[] a = new int[2 * n];
        int[] b = new int[2 * n];
        long[] c = new long[2 * n];
        for (int i = 0; i < size; i++) {
            int at = place(i);
            t[i] = trains[at];
            a[i] = next[at];
            b[i] = end[at];
            c[i] = number[at];
        }
        trains = t;
        next = a;
        end = b;
        number = c;
        first = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(size);
        for (int i = 0; i < size; i++) {
            int at = place(i);
            out.putToken(trains[at]);
            out.putInt(next[at]);
            out.putInt(end[at]);
            out.putLong(number[at]);
        }
    }

    @Override
    public void load(Snapshot in) {
        Arrays.fill(trains, null);
        first = 0;
        size = 0;
        head = NEVER;
        for (int n = in.getInt(); n > 0; n--) {
            if (!(in.getToken() instanceof TlpTrain t)) {
                throw new InvariantViolation("packets that wait were saved without their train");
            }
            int from = in.getInt();
            int to = in.getInt();
            push(t, from, to, in.getLong());
        }
    }
}
