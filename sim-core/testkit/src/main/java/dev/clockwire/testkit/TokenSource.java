package dev.clockwire.testkit;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Token;
import java.util.function.IntFunction;

/**
 * Drives tokens into a channel, as fast as the stall pattern and the channel allow.
 *
 * @param <T> what it drives
 */
public final class TokenSource<T extends Token> extends SimModule {
    private final Channel<T> out;
    private final Stall stall;
    private final IntFunction<T> maker;
    private final Position position = state(new Position());

    /**
     * Creates the driver and becomes the channel's producer.
     *
     * @param count tokens to send
     * @param maker makes token i; always the same for the same i
     */
    public TokenSource(
            Scope parent, String name, Clock clock, Channel<T> out, Stall stall, int count, IntFunction<T> maker) {
        super(parent, name, clock);
        this.out = out.from(this);
        this.stall = stall;
        position.end = count;
        this.maker = maker;
    }

    /** Returns whether all tokens have been put. */
    public boolean done() {
        return position.next == position.end;
    }

    /** Returns the channel that it drives. */
    public Channel<T> channel() {
        return out;
    }

    /** Lets the maker make so many tokens more: between runs, not inside one. */
    public void push(int more) {
        position.end += more;
        wake();
    }

    @Override
    protected boolean tick(long cycle) {
        if (done() || !out.ready(cycle)) {
            return false;
        }
        if (!stall.open(cycle)) {
            wakeAt(cycle + 1);
            return false;
        }
        out.put(cycle, maker.apply(position.next++));
        return true;
    }
}
