package dev.clockwire.storage.reactor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * A ring of many producers and one consumer. What is put in can be seen from a time on, and comes out in the order of these times, of
 * equal ones that of the senders' numbers, of one sender in the order sent.
 */
final class MessageRing implements State {
    private static final long NEVER = Long.MAX_VALUE;

    private final Reactors reactors;
    private MsgFn[] functions = new MsgFn[16];
    private long[] as = new long[16];
    private long[] bs = new long[16];
    private long[] seenFrom = new long[16];
    private int[] senders = new int[16];
    private int head;
    private int count;

    MessageRing(Reactors reactors) {
        this.reactors = reactors;
    }

    int count() {
        return count;
    }

    /** Returns when the first one can be seen, {@code Long.MAX_VALUE} if there is none. */
    long first() {
        return count == 0 ? NEVER : seenFrom[head];
    }

    void put(MsgFn fn, long a, long b, long from, int sender) {
        if (count == functions.length) {
            grow();
        }
        int at = count;
        while (at > 0 && isBefore(from, sender, slot(at - 1))) {
            move(slot(at - 1), slot(at));
            at--;
        }
        int i = slot(at);
        functions[i] = fn;
        as[i] = a;
        bs[i] = b;
        seenFrom[i] = from;
        senders[i] = sender;
        count++;
    }

    private boolean isBefore(long from, int sender, int other) {
        return from < seenFrom[other] || (from == seenFrom[other] && sender < senders[other]);
    }

    private int slot(int i) {
        return head + i & functions.length - 1;
    }

    private void move(int from, int to) {
        functions[to] = functions[from];
        as[to] = as[from];
        bs[to] = bs[from];
        seenFrom[to] = seenFrom[from];
        senders[to] = senders[from];
    }

    /** Returns how many can be seen at a time, at most a batch. */
    int visible(long t, int batch) {
        int n = 0;
        while (n < Math.min(count, batch) && seenFrom[slot(n)] <= t) {
            n++;
        }
        return n;
    }

    /** Takes the first one out and runs it; what it sends is behind it. */
    void runFirst() {
        int i = head;
        head = head + 1 & functions.length - 1;
        count--;
        functions[i].run(as[i], bs[i]);
    }

    private void grow() {
        int n = functions.length;
        MsgFn[] f = Arrays.copyOf(functions, 2 * n);
        long[] a = new long[2 * n];
        long[] b = new long[2 * n];
        long[] t = new long[2 * n];
        int[] s = new int[2 * n];
        for (int i = 0; i < count; i++) {
            int from = slot(i);
            f[i] = functions[from];
            a[i] = as[from];
            b[i] = bs[from];
            t[i] = seenFrom[from];
            s[i] = senders[from];
        }
        functions = f;
        as = a;
        bs = b;
        seenFrom = t;
        senders = s;
        head = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            int at = slot(i);
            out.putInt(functions[at].ordinal());
            out.putLong(as[at]);
            out.putLong(bs[at]);
            out.putLong(seenFrom[at]);
            out.putInt(senders[at]);
        }
    }

    @Override
    public void load(Snapshot in) {
        head = 0;
        count = 0;
        for (int n = in.getInt(); n > 0; n--) {
            put(reactors.function(in.getInt()), in.getLong(), in.getLong(), in.getLong(), in.getInt());
        }
    }
}
