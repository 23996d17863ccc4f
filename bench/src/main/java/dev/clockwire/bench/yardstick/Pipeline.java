package dev.clockwire.bench.yardstick;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * Workload {@code pipeline}: a source, eight registered skid buffers (channels of capacity 2) with an addition behind each, and a sink
 * that takes three cycles of four. {@code pipeline-idle}: the source sends 16 words every 1600 cycles. Each stage is a class of
 * its own, so that a call through the base class is as unpredictable as in a real model.
 */
final class Pipeline implements Workload {
    private static final long PERIOD_PS = 4000;
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final long ADDEND = 0x0123456789ABCDEFL;
    private static final int BURST = 16;
    private static final int BURST_EVERY = 1600;

    private final Sim sim;
    private final Sink sink;

    Pipeline(SimSpec spec, boolean bursts) {
        sim = new Sim(spec);
        Scope top = sim.root();
        Clock clock = new Clock(top, "clk", Frequency.ofPeriodPs(PERIOD_PS, 1));
        LongChannel[] c = new LongChannel[8];
        for (int i = 0; i < c.length; i++) {
            c[i] = new LongChannel(top, "skid" + i, clock, 2);
        }
        if (bursts) {
            new BurstSource(top, clock, c[0]);
        } else {
            new Source(top, clock, c[0]);
        }
        new Add2(top, clock, c[0], c[1]);
        new Add3(top, clock, c[1], c[2]);
        new Add4(top, clock, c[2], c[3]);
        new Add5(top, clock, c[3], c[4]);
        new Add6(top, clock, c[4], c[5]);
        new Add7(top, clock, c[5], c[6]);
        new Add8(top, clock, c[6], c[7]);
        sink = new Sink(top, clock, c[7]);
        sim.elaborate();
    }

    @Override
    public Sim sim() {
        return sim;
    }

    @Override
    public void warmTo(long cycles) {
        runTo(cycles);
    }

    @Override
    public void runTo(long cycles) {
        sim.run(cycles * PERIOD_PS);
    }

    @Override
    public long tokens() {
        return sink.tokens;
    }

    @Override
    public long checksum() {
        return sink.checksum;
    }

    private static final class Source extends SimModule implements State {
        private final LongChannel out;
        private long token;

        Source(Scope parent, Clock clock, LongChannel out) {
            super(parent, "source", clock);
            this.out = out.from(this);
            state(this);
        }

        @Override
        protected boolean tick(long cycle) {
            if (!out.ready(cycle)) {
                return false;
            }
            out.put(cycle, token + ADDEND);
            token += STEP;
            return true;
        }

        @Override
        public void save(Snapshot s) {
            s.putLong(token);
        }

        @Override
        public void load(Snapshot s) {
            token = s.getLong();
        }
    }

    private static final class BurstSource extends SimModule implements State {
        private final LongChannel out;
        private long token;
        private int rest;

        BurstSource(Scope parent, Clock clock, LongChannel out) {
            super(parent, "source", clock);
            this.out = out.from(this);
            state(this);
        }

        @Override
        protected boolean tick(long cycle) {
            if (cycle % BURST_EVERY == 0) {
                rest = BURST; // valid from the next cycle on
                return true;
            }
            boolean done = false;
            if (rest > 0 && out.ready(cycle)) {
                out.put(cycle, token + ADDEND);
                token += STEP;
                rest--;
                done = true;
            }
            if (rest == 0) {
                wakeAt((cycle / BURST_EVERY + 1) * BURST_EVERY);
            }
            return done;
        }

        @Override
        public void save(Snapshot s) {
            s.putLong(token);
            s.putInt(rest);
        }

        @Override
        public void load(Snapshot s) {
            token = s.getLong();
            rest = s.getInt();
        }
    }

    private static final class Sink extends SimModule implements State {
        private final LongChannel in;
        private long tokens;
        private long checksum;

        Sink(Scope parent, Clock clock, LongChannel in) {
            super(parent, "sink", clock);
            this.in = in.to(this);
            state(this);
        }

        @Override
        protected boolean tick(long cycle) {
            if (!in.valid(cycle)) {
                return false;
            }
            if ((cycle & 3) != 3) {
                checksum = Long.rotateLeft(checksum, 1) ^ (in.take(cycle) + cycle);
                tokens++;
            }
            return true;
        }

        @Override
        public void save(Snapshot s) {
            s.putLong(tokens);
            s.putLong(checksum);
        }

        @Override
        public void load(Snapshot s) {
            tokens = s.getLong();
            checksum = s.getLong();
        }
    }

    private abstract static class Stage extends SimModule {
        final LongChannel in;
        final LongChannel out;

        Stage(Scope parent, String name, Clock clock, LongChannel in, LongChannel out) {
            super(parent, name, clock);
            this.in = in.to(this);
            this.out = out.from(this);
        }
    }

    private static final class Add2 extends Stage {
        Add2(Scope parent, Clock clock, LongChannel in, LongChannel out) {
            super(parent, "add2", clock, in, out);
        }

        @Override
        protected boolean tick(long cycle) {
            if (in.valid(cycle) && out.ready(cycle)) {
                out.put(cycle, in.take(cycle) + 2 * ADDEND);
                return true;
            }
            return false;
        }
    }

    private static final class Add3 extends Stage {
        Add3(Scope parent, Clock clock, LongChannel in, LongChannel out) {
            super(parent, "add3", clock, in, out);
        }

        @Override
        protected boolean tick(long cycle) {
            if (in.valid(cycle) && out.ready(cycle)) {
                out.put(cycle, in.take(cycle) + 3 * ADDEND);
                return true;
            }
            return false;
        }
    }

    private static final class Add4 extends Stage {
        Add4(Scope parent, Clock clock, LongChannel in, LongChannel out) {
            super(parent, "add4", clock, in, out);
        }

        @Override
        protected boolean tick(long cycle) {
            if (in.valid(cycle) && out.ready(cycle)) {
                out.put(cycle, in.take(cycle) + 4 * ADDEND);
                return true;
            }
            return false;
        }
    }

    private static final class Add5 extends Stage {
        Add5(Scope parent, Clock clock, LongChannel in, LongChannel out) {
            super(parent, "add5", clock, in, out);
        }

        @Override
        protected boolean tick(long cycle) {
            if (in.valid(cycle) && out.ready(cycle)) {
                out.put(cycle, in.take(cycle) + 5 * ADDEND);
                return true;
            }
            return false;
        }
    }

    private static final class Add6 extends Stage {
        Add6(Scope parent, Clock clock, LongChannel in, LongChannel out) {
            super(parent, "add6", clock, in, out);
        }

        @Override
        protected boolean tick(long cycle) {
            if (in.valid(cycle) && out.ready(cycle)) {
                out.put(cycle, in.take(cycle) + 6 * ADDEND);
                return true;
            }
            return false;
        }
    }

    private static final class Add7 extends Stage {
        Add7(Scope parent, Clock clock, LongChannel in, LongChannel out) {
            super(parent, "add7", clock, in, out);
        }

        @Override
        protected boolean tick(long cycle) {
            if (in.valid(cycle) && out.ready(cycle)) {
                out.put(cycle, in.take(cycle) + 7 * ADDEND);
                return true;
            }
            return false;
        }
    }

    private static final class Add8 extends Stage {
        Add8(Scope parent, Clock clock, LongChannel in, LongChannel out) {
            super(parent, "add8", clock, in, out);
        }

        @Override
        protected boolean tick(long cycle) {
            if (in.valid(cycle) && out.ready(cycle)) {
                out.put(cycle, in.take(cycle) + 8 * ADDEND);
                return true;
            }
            return false;
        }
    }
}
