package dev.clockwire.nic.cache;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One way through a {@link QpcLookup}: tokens in their order, and those among them that wait for a context.
 *
 * @param <T> what passes: WQEs or packets
 */
abstract class ContextLane<T extends Token> implements State {
    final Channel<T> in;
    final Channel<T> out;
    private final int cycles;
    private final @Nullable Token[] tokens;
    private final int[] numbers;
    private final long[] entered;
    private final long[] due;
    private final boolean[] waits;
    private final long[] came;
    /** For each since when it could have been here but for misses. */
    private final long[] since;
    /** The last cycle in which one came. */
    private long accepted = -1;
    /** Until when one whose turn it was had to wait for a place here. */
    private long full = -1;
    /** When the last context came that one had waited for. */
    private long freed = -1;

    private int head;
    private int count;

    /**
     * Creates an empty lane.
     *
     * @param cycles of a hit, at least 1
     */
    ContextLane(Channel<T> in, Channel<T> out, int cycles, int capacity) {
        this.in = in;
        this.out = out;
        this.cycles = cycles;
        tokens = new Token[capacity];
        numbers = new int[capacity];
        entered = new long[capacity];
        due = new long[capacity];
        waits = new boolean[capacity];
        came = new long[capacity];
        since = new long[capacity];
    }

    /** Returns the number of the context that a token needs. */
    abstract int numberOf(T token);

    /** The context of a token, the first one that waits for it, cannot be read; returns whether the token ends with an error. */
    boolean unread(T token) {
        return false;
    }

    /** What passes waited for misses, its own and those of others in front of it, from one cycle to another. */
    abstract void held(T token, long from, long to);

    /** A token leaves; its context was here from a cycle on. */
    abstract void left(T token, long enteredCycle, long cameCycle, long cycle);

    boolean offers(long cycle) {
        return count < tokens.length && in.valid(cycle);
    }

    int offered() {
        return numberOf(in.bits());
    }

    /**
     * Takes a token.
     *
     * @param freedIn the last cycle in which a miss ended after as many had been under way as may be
     */
    void accept(long cycle, boolean miss, long freedIn) {
        int at = at(count++);
        T token = in.take(cycle);
        tokens[at] = token;
        numbers[at] = numberOf(token);
        entered[at] = cycle;
        due[at] = cycle + cycles - 1;
        waits[at] = miss;
        came[at] = cycle;
        since[at] = full == cycle || freedIn == cycle ? accepted + 1 : cycle;
        accepted = cycle;
    }

    /** A context is here, or cannot be read: those that wait for it go on. Returns whether one of them ends with an error. */
    @SuppressWarnings("unchecked") // only T is ever accepted
    boolean arrived(int number, long cycle, boolean failed) {
        boolean first = failed;
        boolean ends = false;
        for (int i = 0; i < count; i++) {
            int at = at(i);
            if (waits[at] && numbers[at] == number) {
                if (first) {
                    ends = unread((T) Objects.requireNonNull(tokens[at]));
                    first = false;
                }
                waits[at] = false;
                came[at] = cycle;
                due[at] = Math.max(due[at], cycle);
            }
        }
        return ends;
    }

    /** Returns the cycle in which the first token may leave; {@link Long#MAX_VALUE} if none can say. */
    long nextDue() {
        return count == 0 || waits[head] ? Long.MAX_VALUE : due[head];
    }

    @SuppressWarnings("unchecked") // only T is ever accepted
    void leave(long cycle) {
        T token = (T) Objects.requireNonNull(tokens[head]);
        long to = Math.max(came[head], freed);
        if (to > since[head]) {
            held(token, since[head], to);
        }
        freed = came[head] > entered[head] ? came[head] : freed;
        full = count == tokens.length ? cycle + 1 : full;
        left(token, entered[head], came[head], cycle);
        tokens[head] = null;
        head = head + 1 == tokens.length ? 0 : head + 1;
        count--;
        out.put(cycle, token);
    }

    private int at(int i) {
        int at = head + i;
        return at < tokens.length ? at : at - tokens.length;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            int at = at(i);
            out.putToken(tokens[at]);
            out.putInt(numbers[at]);
            out.putLong(entered[at]);
            out.putLong(due[at]);
            out.putBoolean(waits[at]);
            out.putLong(came[at]);
            out.putLong(since[at]);
        }
        out.putLong(accepted);
        out.putLong(full);
        out.putLong(freed);
    }

    @Override
    public void load(Snapshot in) {
        head = 0;
        count = in.getInt();
        for (int i = 0; i < count; i++) {
            tokens[i] = in.getToken();
            numbers[i] = in.getInt();
            entered[i] = in.getLong();
            due[i] = in.getLong();
            waits[i] = in.getBoolean();
            came[i] = in.getLong();
            since[i] = in.getLong();
        }
        accepted = in.getLong();
        full = in.getLong();
        freed = in.getLong();
    }
}
