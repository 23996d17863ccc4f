package dev.clockwire.testkit;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Token;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Takes tokens from a channel, as fast as the stall pattern allows, and remembers a number for each.
 *
 * @param <T> what it takes
 */
public final class TokenSink<T extends Token> extends SimModule {
    private final Channel<T> in;
    private final Stall stall;
    private final ToLongFunction<T> value;
    private final Recording seen = state(new Recording());

    /** Creates the driver and becomes the channel's consumer; {@code value} says what to remember of a token. */
    public TokenSink(Scope parent, String name, Clock clock, Channel<T> in, Stall stall, ToLongFunction<T> value) {
        super(parent, name, clock);
        this.in = in.to(this);
        this.stall = stall;
        this.value = value;
    }

    /** Returns what was remembered, in order. */
    public List<Long> values() {
        return seen.values();
    }

    /** Returns the number of tokens. */
    public int size() {
        return seen.size();
    }

    /** Returns the cycles in which the tokens were taken. */
    public List<Long> cycles() {
        return seen.cycles();
    }

    /** Returns the channel that it empties. */
    public Channel<T> channel() {
        return in;
    }

    @Override
    protected boolean tick(long cycle) {
        if (!in.valid(cycle)) {
            return false;
        }
        if (!stall.open(cycle)) {
            wakeAt(cycle + 1);
            return false;
        }
        seen.add(cycle, value.applyAsLong(in.take(cycle)));
        return true;
    }
}
