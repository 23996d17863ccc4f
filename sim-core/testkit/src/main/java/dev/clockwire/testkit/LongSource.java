package dev.clockwire.testkit;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Drives words into a channel, as fast as the stall pattern and the channel allow. */
public final class LongSource extends SimModule {
    private final LongChannel out;
    private final Stall stall;
    private final Words words = state(new Words());

    /** Creates the driver and becomes the channel's producer. */
    public LongSource(Scope parent, String name, Clock clock, LongChannel out, Stall stall, long... words) {
        super(parent, name, clock);
        this.out = out.from(this);
        this.stall = stall;
        this.words.add(words);
    }

    /** Returns whether all words have been put. */
    public boolean done() {
        return words.next == words.list.length;
    }

    /** Returns the channel that it drives. */
    public LongChannel channel() {
        return out;
    }

    /** Appends words: between runs, not inside one. */
    public void push(long... more) {
        words.add(more);
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
        out.put(cycle, words.list[words.next++]);
        return true;
    }

    /** The words, and how many of them are out. */
    private static final class Words implements State {
        private long[] list = {};
        private int next;

        void add(long... more) {
            int n = list.length;
            list = Arrays.copyOf(list, n + more.length);
            System.arraycopy(more, 0, list, n, more.length);
        }

        @Override
        public void save(Snapshot out) {
            out.putInt(next);
            out.putInt(list.length);
            out.putLongs(list);
        }

        @Override
        public void load(Snapshot in) {
            next = in.getInt();
            list = new long[in.getInt()];
            in.getLongs(list);
        }
    }
}
