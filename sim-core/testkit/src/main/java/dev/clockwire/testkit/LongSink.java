package dev.clockwire.testkit;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import java.util.List;

/** Takes words from a channel, as fast as the stall pattern allows, and remembers them. */
public final class LongSink extends SimModule {
    private final LongChannel in;
    private final Stall stall;
    private final Recording seen = state(new Recording());

    /** Creates the driver and becomes the channel's consumer. */
    public LongSink(Scope parent, String name, Clock clock, LongChannel in, Stall stall) {
        super(parent, name, clock);
        this.in = in.to(this);
        this.stall = stall;
    }

    /** Returns the words in order. */
    public List<Long> values() {
        return seen.values();
    }

    /** Returns the number of words. */
    public int size() {
        return seen.size();
    }

    /** Returns the cycles in which they were taken. */
    public List<Long> cycles() {
        return seen.cycles();
    }

    /** Returns the channel that it empties. */
    public LongChannel channel() {
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
        seen.add(cycle, in.take(cycle));
        return true;
    }
}
