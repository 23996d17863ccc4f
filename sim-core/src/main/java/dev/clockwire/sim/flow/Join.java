package dev.clockwire.sim.flow;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Token;
import java.util.function.BiFunction;

/**
 * Two channels into one: waits for a token from each and passes on what a function makes of the pair. Latency 1 cycle.
 *
 * @param <A> what the first input carries
 * @param <B> what the second input carries
 * @param <T> what the output carries
 */
public final class Join<A extends Token, B extends Token, T extends Token> extends SimModule {
    private final Channel<A> first;
    private final Channel<B> second;
    private final Channel<T> output;
    private final BiFunction<A, B, T> combine;

    /** Creates the block and connects it to the channels. */
    public Join(
            Scope parent,
            String name,
            Clock clock,
            Channel<A> first,
            Channel<B> second,
            Channel<T> output,
            BiFunction<A, B, T> combine) {
        super(parent, name, clock);
        this.first = first.to(this);
        this.second = second.to(this);
        this.output = output.from(this);
        this.combine = combine;
    }

    @Override
    protected boolean tick(long cycle) {
        if (!first.valid(cycle) || !second.valid(cycle) || !output.ready(cycle)) {
            return false;
        }
        output.put(cycle, combine.apply(first.take(cycle), second.take(cycle)));
        return true;
    }
}
