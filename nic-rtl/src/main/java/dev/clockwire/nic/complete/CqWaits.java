package dev.clockwire.nic.complete;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The send queues that stand at a WAIT until a completion queue has come so far, one wait for each at most. Counters have 32 bits and
 * wrap: what lies less than 2^31 ahead has not come yet. Part of the completion unit, not a block.
 */
final class CqWaits implements State {
    private static final int HALF = 32;
    /** Slot of the send queue in the upper half, CQN in the lower. */
    private long[] who = new long[4];
    /** Number of the question in the upper half, counter that is waited for in the lower. */
    private long[] what = new long[4];

    private int count;
    private @Nullable EventPort to;
    private int kind;

    /** Says where answers go: a = slot of the send queue, b = number of the question, and bit 32 if it may go on. */
    void answer(EventPort port, int eventKind) {
        to = port;
        kind = eventKind;
    }

    boolean isEmpty() {
        return count == 0;
    }

    static boolean reached(long produced, long what) {
        return (int) produced - (int) what >= 0;
    }

    /** Notes a wait; one of the same send queue belonged to a WQE that was flushed. */
    void add(long newWho, long newWhat) {
        int i = 0;
        while (i < count && who[i] >>> HALF != newWho >>> HALF) {
            i++;
        }
        if (i == who.length) {
            who = Arrays.copyOf(who, 2 * i);
            what = Arrays.copyOf(what, 2 * i);
        }
        who[i] = newWho;
        what[i] = newWhat;
        count = Math.max(count, i + 1);
    }

    /** A completion queue has come so far: lets go who waited for that, in the order in which they came. */
    void produced(int cqn, long produced, long at) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if ((int) who[i] == cqn && reached(produced, what[i])) {
                answer(who[i], what[i], true, at);
            } else {
                keep(kept++, i);
            }
        }
        count = kept;
    }

    /** A completion queue has no completions any more. */
    void refuse(int cqn, long at) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if ((int) who[i] == cqn) {
                answer(who[i], what[i], false, at);
            } else {
                keep(kept++, i);
            }
        }
        count = kept;
    }

    private void keep(int to, int from) {
        who[to] = who[from];
        what[to] = what[from];
    }

    void answer(long toWhom, long toWhat, boolean well, long at) {
        Objects.requireNonNull(to).send(at, kind, toWhom >>> HALF, toWhat >>> HALF | (well ? 1L << HALF : 0));
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putLong(who[i]);
            out.putLong(what[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        int n = in.getInt();
        who = new long[Math.max(4, n)];
        what = new long[who.length];
        for (int i = 0; i < n; i++) {
            who[i] = in.getLong();
            what[i] = in.getLong();
        }
        count = n;
    }
}
