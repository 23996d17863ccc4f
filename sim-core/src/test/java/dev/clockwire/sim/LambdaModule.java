package dev.clockwire.sim;

import java.util.function.LongPredicate;

/** A module whose tick is a lambda. */
final class LambdaModule extends SimModule {
    LongPredicate tick = cycle -> false;

    LambdaModule(Scope parent, String name, Clock clock) {
        super(parent, name, clock);
    }

    void at(long cycle) {
        wakeAt(cycle);
    }

    void now0() {
        wake();
    }

    boolean rests(boolean did) {
        return rest(did);
    }

    @Override
    protected boolean tick(long cycle) {
        return tick.test(cycle);
    }
}
