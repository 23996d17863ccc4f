package dev.clockwire.sim;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The slow way through an edge: evaluates everything, or in random order, or with a look at what idle ticks change. */
final class CarefulEdge {
    private final Clock clock;
    private final boolean all;
    private final boolean checked;
    private final @Nullable Shuffle shuffle;
    private final SimModule[] run;
    private final Collection<RandomStream> streams;
    private final Snapshot scratch = Snapshot.forDigest();

    CarefulEdge(Clock clock, @Nullable Shuffle shuffle) {
        this.clock = clock;
        this.shuffle = shuffle;
        all = clock.sim.exhaustive;
        checked = clock.sim.spec().checked();
        streams = clock.sim.design.streams.values();
        run = new SimModule[clock.modules.length];
    }

    /** Runs edge n; returns the number of evaluations. */
    int run(long n) {
        int count = 0;
        for (SimModule m : clock.modules) {
            if (all || ((clock.next[m.index >> 6].bits >>> m.index) & 1) != 0) {
                run[count++] = m;
            }
        }
        for (WakeMask m : clock.next) {
            m.bits = 0;
        }
        if (shuffle != null) {
            shuffle.prefix(run, count);
        }
        for (int i = 0; i < count; i++) {
            tick(run[i], n);
        }
        return count;
    }

    private void tick(SimModule m, long n) {
        long before = checked ? digest(m) : 0;
        if (m.tick(n)) {
            clock.next[m.index >> 6].bits |= 1L << m.index;
        } else if (checked && before != digest(m)) {
            throw new InvariantViolation(
                    m.path(), clock.sim.now, "tick of cycle " + n + " returned false but changed state");
        }
    }

    private long digest(SimModule m) {
        scratch.clear();
        m.saveForDigest(scratch);
        for (RandomStream r : streams) {
            scratch.putLong(r.counter());
        }
        return scratch.digest();
    }
}
