package dev.clockwire.examples;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;

/** Lets packets pass at a rate; a word is the length of a packet in bytes. A packet larger than the burst waits, but passes. */
final class RateGate extends SimModule {
    private final LongChannel in;
    private final LongChannel out;
    private final RateGateSpec spec;
    private final RateGateState s = state(new RateGateState());

    RateGate(Scope parent, Clock clock, LongChannel in, LongChannel out, RateGateSpec spec) {
        super(parent, "rateGate", clock);
        this.in = in.to(this);
        this.out = out.from(this);
        this.spec = spec;
        s.tokens = spec.burst();
    }

    @Override
    protected boolean tick(long cycle) {
        if (!in.valid(cycle) || !out.ready(cycle)) {
            return false;
        }
        long tokens = Math.min(spec.burst(), s.tokens + (cycle - s.cycle) * spec.bytesPerCycle());
        long missing = Math.min(in.bits(), spec.burst()) - tokens;
        if (missing > 0) {
            wakeAt(cycle + (missing + spec.bytesPerCycle() - 1) / spec.bytesPerCycle());
            return false;
        }
        long bytes = in.take(cycle);
        s.tokens = tokens - bytes;
        s.cycle = cycle;
        out.put(cycle, bytes);
        return true;
    }
}
