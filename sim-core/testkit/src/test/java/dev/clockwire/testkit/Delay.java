package dev.clockwire.testkit;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;

/** The smallest block: hands on what comes, a word a cycle. */
final class Delay extends SimModule {
    private final LongChannel in;
    private final LongChannel out;

    Delay(Scope scope, Clock clock, LongChannel in, LongChannel out) {
        super(scope, "delay", clock);
        this.in = in.to(this);
        this.out = out.from(this);
    }

    @Override
    protected boolean tick(long cycle) {
        if (!in.valid(cycle) || !out.ready(cycle)) {
            return false;
        }
        out.put(cycle, in.take(cycle));
        return true;
    }
}
