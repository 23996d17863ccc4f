package dev.clockwire.sim;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The slots of a FIFO of tokens. */
final class TokenRing<T extends Token> {
    private final @Nullable Token[] slots;

    TokenRing(int size) {
        slots = new @Nullable Token[size];
    }

    void set(int slot, T x) {
        slots[slot] = x;
    }

    @SuppressWarnings("unchecked") // only a T is ever set
    T get(int slot) {
        Token t = slots[slot];
        if (t == null) {
            throw new InvariantViolation("bits of an empty channel");
        }
        return (T) t;
    }

    T remove(int slot) {
        T x = get(slot);
        slots[slot] = null;
        return x;
    }

    /** Returns a larger ring with the words of this one. */
    TokenRing<T> larger(int size, int from, int to) {
        TokenRing<T> made = new TokenRing<>(size);
        for (int i = from; i != to; i++) {
            made.slots[i & size - 1] = slots[i & slots.length - 1];
        }
        return made;
    }

    void save(Snapshot out, int from, int to) {
        for (int i = from; i != to; i++) {
            out.putToken(slots[i & (slots.length - 1)]);
        }
    }

    void load(Snapshot in, int from, int to) {
        Arrays.fill(slots, null);
        for (int i = from; i != to; i++) {
            slots[i & (slots.length - 1)] = in.getToken();
        }
    }
}
