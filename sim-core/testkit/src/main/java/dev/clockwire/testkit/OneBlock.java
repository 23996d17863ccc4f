package dev.clockwire.testkit;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.state.Token;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;

/**
 * A clock and drivers around one block: sources push words or tokens into it, sinks take what comes out, each as fast as its stall pattern
 * lets it. The block gets the drivers' channels, which are called as the driver is asked for; drivers live in the scope {@code test}.
 */
public final class OneBlock {
    private static final int DEPTH = 2;

    private final Sim sim;
    private final Clock clock;
    private final Scope drivers;

    private OneBlock(Sim sim, Frequency frequency) {
        this.sim = sim;
        clock = new Clock(sim.root(), "clk", frequency);
        drivers = sim.root().scope("test");
    }

    /** Creates the clock {@code clk}; blocks and drivers follow. */
    public static OneBlock at(Sim sim, Frequency frequency) {
        return new OneBlock(sim, frequency);
    }

    /** Returns the clock of the block and its drivers. */
    public Clock clock() {
        return clock;
    }

    /** Returns where the block is built. */
    public Scope root() {
        return sim.root();
    }

    /** Creates a channel of two words and a driver that pushes words into it. */
    public LongSource source(String channel, Stall stall, long... words) {
        return new LongSource(
                drivers, channel, clock, new LongChannel(sim.root(), channel, clock, DEPTH), stall, words);
    }

    /** Creates a channel of two words and a driver that empties it. */
    public LongSink sink(String channel, Stall stall) {
        return new LongSink(drivers, channel, clock, new LongChannel(sim.root(), channel, clock, DEPTH), stall);
    }

    /** Creates a channel of two tokens and a driver that pushes {@code count} of them, which {@code maker} makes by number. */
    public <T extends Token> TokenSource<T> source(String channel, Stall stall, int count, IntFunction<T> maker) {
        Channel<T> c = new Channel<>(sim.root(), channel, clock, DEPTH);
        return new TokenSource<>(drivers, channel, clock, c, stall, count, maker);
    }

    /** Creates a channel of two tokens and a driver that empties it and remembers a number of each. */
    public <T extends Token> TokenSink<T> sink(String channel, Stall stall, ToLongFunction<T> value) {
        return new TokenSink<>(drivers, channel, clock, new Channel<>(sim.root(), channel, clock, DEPTH), stall, value);
    }

    /** Runs so many edges of the clock. */
    public void run(long cycles) {
        sim.run(after(cycles));
    }

    /**
     * Runs until a sink has seen so many words in all.
     *
     * @throws ModelAssertionError if it has not after {@code maxCycles} more cycles
     */
    public void await(LongSink sink, int words, long maxCycles) {
        await(sink.channel().path(), sink::size, words, maxCycles);
    }

    /** Runs until a sink has seen so many tokens in all; see {@link #await(LongSink, int, long)}. */
    public void await(TokenSink<?> sink, int tokens, long maxCycles) {
        await(sink.channel().path(), sink::size, tokens, maxCycles);
    }

    private void await(String channel, IntSupplier seen, int wanted, long maxCycles) {
        if (!sim.runUntil(() -> seen.getAsInt() >= wanted, after(maxCycles))) {
            String text = ": " + seen.getAsInt() + " of " + wanted + " came out within " + maxCycles + " cycles";
            throw new ModelAssertionError(channel, channel + text);
        }
    }

    /** Returns the time of the edge so many edges from now. */
    private long after(long cycles) {
        sim.elaborate();
        return clock.edgeTime(clock.edgeAfter(sim.now() - 1) + cycles);
    }
}
