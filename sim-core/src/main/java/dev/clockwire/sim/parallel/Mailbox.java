package dev.clockwire.sim.parallel;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Token;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way from one part to another. It has two sides: the sending part fills one while the receiving part empties the other, and both
 * change sides where all parts meet. A port may be sent to from one mailbox only, so that the order at the port is that of sending.
 */
public final class Mailbox {
    private static final int FIRST_SIZE = 64;

    private final Side[] sides = {new Side(), new Side()};
    /** The side that is filled; the sender's own. */
    private Side filled = sides[0];

    /** What was sent between two meetings. */
    private static final class Side {
        EventPort[] to = new EventPort[FIRST_SIZE];

        @Nullable
        Token[] tokens = new Token[FIRST_SIZE];
        /** Time, kind and both values of each. */
        long[] words = new long[FIRST_SIZE * 4];

        int count;
        long earliest = Long.MAX_VALUE;

        void grow() {
            to = Arrays.copyOf(to, count * 2);
            tokens = Arrays.copyOf(tokens, count * 2);
            words = Arrays.copyOf(words, count * 8);
        }
    }

    /** Creates an empty mailbox. */
    public Mailbox() {}

    /** Sends an event to a port of another part; see {@link EventPort#send}. */
    public void put(EventPort port, long at, int kind, long a, long b, @Nullable Token token) {
        Side side = filled;
        if (side.count == side.to.length) {
            side.grow();
        }
        side.to[side.count] = port;
        side.tokens[side.count] = token;
        int w = side.count * 4;
        side.words[w] = at;
        side.words[w + 1] = kind;
        side.words[w + 2] = a;
        side.words[w + 3] = b;
        side.count++;
        side.earliest = Math.min(side.earliest, at);
    }

    /** The sender fills a side from now on, 0 or 1, which the receiver has emptied. */
    void fill(int side) {
        filled = sides[side];
    }

    /** Returns when the earliest event of the side that is filled is due; {@link Long#MAX_VALUE} without one. */
    long earliest() {
        return filled.earliest;
    }

    /** Hands everything of a side over. */
    void empty(int which) {
        Side side = sides[which];
        for (int i = 0; i < side.count; i++) {
            int w = i * 4;
            long[] words = side.words;
            side.to[i].send(words[w], (int) words[w + 1], words[w + 2], words[w + 3], side.tokens[i]);
            side.tokens[i] = null;
        }
        side.count = 0;
        side.earliest = Long.MAX_VALUE;
    }
}
