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
    /** Modules that are awake only to show that they were right when they said that this tick would find nothing. */
    private final boolean[] onTrial;
    /** Whether a module rests whose next tick is to be looked at. */
    private boolean trials;

    private final Snapshot scratch = Snapshot.forDigest();

    CarefulEdge(Clock clock, @Nullable Shuffle shuffle) {
        this.clock = clock;
        this.shuffle = shuffle;
        all = clock.sim.exhaustive;
        checked = clock.sim.spec().checked();
        streams = clock.sim.design.streams.values();
        run = new SimModule[clock.modules.length];
        onTrial = new boolean[run.length];
    }

    /** Whether the next edge must run for those that said that they need it not. */
    boolean trials() {
        return trials;
    }

    /** Runs edge n; returns the number of evaluations. */
    int run(long n) {
        int count = 0;
        for (SimModule m : clock.modules) {
            boolean awake = ((clock.next[m.index >> 6].bits >>> m.index) & 1) != 0;
            onTrial[m.index] = trials && m.rested && !awake;
            if (all || awake || onTrial[m.index]) {
                run[count++] = m;
            }
            m.rested = false;
        }
        trials = false;
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
        boolean stays = m.tick(n);
        if (stays) {
            clock.next[m.index >> 6].bits |= 1L << m.index;
        }
        trials |= checked && !all && m.rested;
        if (!checked || (!onTrial[m.index] && (stays || m.rested))) {
            return;
        }
        if (before != digest(m)) {
            String lie = onTrial[m.index]
                    ? "did something, though the tick before said rest(true)"
                    : "returned false but changed state";
            throw new InvariantViolation(m.path(), clock.sim.now, "tick of cycle " + n + " " + lie);
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
