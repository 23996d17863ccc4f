package dev.clockwire.sim.trace;

import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** An observer of one channel. It must change nothing in the model. Not called at all where none is set. */
public interface Tap {
    /**
     * A word enters the channel.
     *
     * @param cycle cycle of the channel's clock
     * @param ps time of that edge
     * @param bits the word of a primitive channel, the journey of a token
     * @param token the token, null in a primitive channel
     */
    void put(long cycle, long ps, long bits, @Nullable Token token);

    /** A word leaves the channel; parameters as in {@link #put}. */
    void take(long cycle, long ps, long bits, @Nullable Token token);
}
