package dev.clockwire.sim.parallel;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Token;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way from one part to another. The sending part fills it while it runs, the receiving part empties it while no part runs. A port
 * may be sent to from one mailbox only, so that the order at the port is that of sending.
 */
public final class Mailbox {
    private static final int FIRST_SIZE = 64;

    private EventPort[] to = new EventPort[FIRST_SIZE];
    private @Nullable Token[] tokens = new Token[FIRST_SIZE];
    /** Time, kind and both values of each. */
    private long[] words = new long[FIRST_SIZE * 4];

    private int count;

    /** Creates an empty mailbox. */
    public Mailbox() {}

    /** Sends an event to a port of another part; see {@link EventPort#send}. */
    public void put(EventPort port, long at, int kind, long a, long b, @Nullable Token token) {
        if (count == to.length) {
            to = Arrays.copyOf(to, count * 2);
            tokens = Arrays.copyOf(tokens, count * 2);
            words = Arrays.copyOf(words, count * 8);
        }
        to[count] = port;
        tokens[count] = token;
        int w = count * 4;
        words[w] = at;
        words[w + 1] = kind;
        words[w + 2] = a;
        words[w + 3] = b;
        count++;
    }

    /** Hands everything over. */
    void empty() {
        for (int i = 0; i < count; i++) {
            int w = i * 4;
            to[i].send(words[w], (int) words[w + 1], words[w + 2], words[w + 3], tokens[i]);
            tokens[i] = null;
        }
        count = 0;
    }
}
