package dev.clockwire.nic.stage;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A growing first-in first-out queue of tokens inside a block.
 *
 * @param <T> what waits
 */
public final class TokenQueue<T extends Token> implements State {
    private @Nullable Token[] ring = new Token[16];
    private int head;
    private int count;

    /** Creates an empty queue. */
    public TokenQueue() {}

    /** Returns how many tokens wait. */
    public int size() {
        return count;
    }

    /** Adds a token at the end. */
    public void add(T token) {
        if (count == ring.length) {
            @Nullable Token[] grown = Arrays.copyOf(ring, 2 * count);
            for (int i = 0; i < count; i++) {
                grown[i] = ring[head + i & count - 1];
            }
            ring = grown;
            head = 0;
        }
        ring[head + count++ & ring.length - 1] = token;
    }

    /** Returns the token at the front. */
    @SuppressWarnings("unchecked") // only T is ever added
    public T first() {
        return (T) Objects.requireNonNull(ring[head]);
    }

    /** Takes the token at the front out. */
    public T remove() {
        T token = first();
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        count--;
        return token;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putToken(ring[head + i & ring.length - 1]);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // what save wrote
    public void load(Snapshot in) {
        Arrays.fill(ring, null);
        head = 0;
        count = 0;
        for (int n = in.getInt(); n > 0; n--) {
            add((T) Objects.requireNonNull(in.getToken()));
        }
    }
}
