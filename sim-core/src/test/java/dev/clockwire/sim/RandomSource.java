package dev.clockwire.sim;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Puts words in random cycles, with long pauses now and then. */
final class RandomSource extends SimModule implements State {
    private final LongChannel out;
    private final RandomStream random = random("random");
    private final int gap;
    private long sent;
    private long next;

    RandomSource(Scope parent, String name, Clock clock, LongChannel out, int gap) {
        super(parent, name, clock);
        this.out = out.from(this);
        this.gap = gap;
        state(this);
    }

    @Override
    protected boolean tick(long cycle) {
        if (cycle < next) {
            wakeAt(next);
            return false;
        }
        if (!out.ready(cycle)) {
            return false;
        }
        out.put(cycle, ++sent);
        next = cycle + 1 + random.below(gap) + (random.below(20) == 0 ? 200 : 0);
        wakeAt(next);
        return true;
    }

    @Override
    public void save(Snapshot s) {
        s.putLong(sent);
        s.putLong(next);
    }

    @Override
    public void load(Snapshot s) {
        sent = s.getLong();
        next = s.getLong();
    }
}
