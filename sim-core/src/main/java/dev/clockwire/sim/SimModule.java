package dev.clockwire.sim;

/**
 * A clocked block. It sleeps until a channel it reads gets a word, a channel it writes gets room, or a time it asked for comes; then
 * {@link #tick} runs at the next edge (phase 2 of an instant).
 */
public abstract class SimModule extends SimNode {
    final Clock clock;
    /** Place in the evaluation order of the clock. */
    int index;
    /** Whether nothing is to be done at edge 0. */
    boolean startsAsleep;
    /** Whether the last tick did something and said that the next would not. */
    boolean rested;

    private final FarWake far;

    /** Creates a module of a clock. */
    protected SimModule(Scope parent, String name, Clock clock) {
        super(parent, name);
        this.clock = clock;
        clock.add(this);
        far = new FarWake(this);
    }

    /**
     * One edge of the clock. Reads what was visible before this instant, writes what becomes visible later.
     *
     * @param cycle number of the edge
     * @return whether anything was done. False is a promise: no state, statistic or random stream has changed; a tick that returns
     *     false while it waits for a time calls {@link #wakeAt} again. True without work is allowed and costs a tick.
     */
    protected abstract boolean tick(long cycle);

    /**
     * For the end of a tick that has seen that the next one would find nothing: no word is visible at the next edge that this block could
     * take, and whatever it holds waits for room in a full channel, for a handler, or for a time that {@link #wakeAt} was called with. Saves
     * that tick.
     *
     * @param did whether this tick did anything
     * @return false, to be returned by the tick
     */
    protected final boolean rest(boolean did) {
        rested = did;
        return false;
    }

    /** Asks for a tick at a later edge. Of several calls more than 63 edges ahead the earliest counts: a tick
     * that still waits then asks again. */
    protected final void wakeAt(long cycle) {
        clock.wakeAt(this, cycle);
    }

    /**
     * Leaves out the tick that every module gets at edge 0; said in the constructor by a block that acts on nothing but what comes in,
     * so that one that is never used costs nothing at all.
     */
    protected final void startAsleep() {
        startsAsleep = true;
    }

    /** Asks, from a handler of this module or between runs, for a tick at the edge of this instant if there is one, else at the next. */
    protected final void wake() {
        clock.wakeNow(this);
    }

    /** Returns the clock. */
    public final Clock clock() {
        return clock;
    }

    final void wakeFar(long ps) {
        far.arm(Math.min(ps, far.deadline));
    }

    /** The one wake-up beyond the ring of masks. */
    private static final class FarWake extends Timer {
        private final SimModule module;

        FarWake(SimModule module) {
            super(module, "farWake", false);
            this.module = module;
        }

        @Override
        protected void expired(long at) {
            module.wake();
        }
    }
}
