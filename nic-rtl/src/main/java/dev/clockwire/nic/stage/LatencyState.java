package dev.clockwire.nic.stage;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tokens inside a {@link LatencyStage}, with the cycle in which each may leave. */
final class LatencyState implements State {
    private final @Nullable Token[] tokens;
    private final long[] due;
    private int head;
    private int count;
    long nextEntry;
    int turn;

    LatencyState(int capacity) {
        tokens = new Token[capacity];
        due = new long[capacity];
    }

    boolean full() {
        return count == tokens.length;
    }

    boolean empty() {
        return count == 0;
    }

    long headDue() {
        return due[head];
    }

    void push(Token token, long cycle) {
        int at = head + count++;
        if (at >= tokens.length) {
            at -= tokens.length;
        }
        tokens[at] = token;
        due[at] = count == 1 ? cycle : Math.max(cycle, due[at == 0 ? due.length - 1 : at - 1]);
    }

    Token pop() {
        Token token = Objects.requireNonNull(tokens[head]);
        tokens[head] = null;
        head = head + 1 == tokens.length ? 0 : head + 1;
        count--;
        return token;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(nextEntry);
        out.putInt(turn);
        out.putLong(count);
        for (int i = 0; i < count; i++) {
            int at = (head + i) % tokens.length;
            out.putLong(due[at]);
            out.putToken(tokens[at]);
        }
    }

    @Override
    public void load(Snapshot in) {
        nextEntry = in.getLong();
        turn = in.getInt();
        int n = (int) in.getLong();
        head = 0;
        count = 0;
        for (int i = 0; i < n; i++) {
            long cycle = in.getLong();
            push(Objects.requireNonNull(in.getToken()), cycle);
        }
    }
}
