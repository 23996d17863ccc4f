package dev.clockwire.testkit;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;

/** Drives words into a channel, as fast as the stall pattern and the channel allow. */
public final class LongSource extends SimModule {
    private final LongChannel out;
    private final Stall stall;
    private final long[] words;
    private final Position position = state(new Position());

    /** Creates the driver and becomes the channel's producer. */
    public LongSource(Scope parent, String name, Clock clock, LongChannel out, Stall stall, long... words) {
        super(parent, name, clock);
        this.out = out.from(this);
        this.stall = stall;
        this.words = words.clone();
    }

    /** Returns whether all words have been put. */
    public boolean done() {
        return position.next == words.length;
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
        out.put(cycle, words[position.next++]);
        return true;
    }
}
