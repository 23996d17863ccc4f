package com.example.rdma;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** A block of one's own: puts out the sum of every four words. */
public final class Sum extends SimModule {
    private static final int GROUP = 4;

    private final LongChannel in;
    private final LongChannel out;
    private final Total total = state(new Total());

    /** Creates the block between two channels of its clock. */
    public Sum(Scope parent, Clock clock, LongChannel in, LongChannel out) {
        super(parent, "sum", clock);
        this.in = in.to(this);
        this.out = out.from(this);
    }

    @Override
    protected boolean tick(long cycle) {
        boolean last = total.count == GROUP - 1;
        if (!in.valid(cycle) || (last && !out.ready(cycle))) {
            return false;
        }
        total.add(in.take(cycle));
        if (last) {
            out.put(cycle, total.sum);
            total.clear();
        }
        return true;
    }

    /** All that changes while it runs. */
    private static final class Total implements State {
        private long sum;
        private int count;

        void add(long word) {
            sum += word;
            count++;
        }

        void clear() {
            sum = 0;
            count = 0;
        }

        @Override
        public void save(Snapshot to) {
            to.putLong(sum);
            to.putInt(count);
        }

        @Override
        public void load(Snapshot from) {
            sum = from.getLong();
            count = from.getInt();
        }
    }
}
