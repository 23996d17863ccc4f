package dev.clockwire.nic.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.state.Snapshot;

/** Reads on their way know where they come back, so a run is continued where it was saved; time zero is a reset. */
public final class SavedRun {
    private SavedRun() {}

    /**
     * Holds a simulation to that, saved at several times.
     *
     * @param sim built, at time 0
     * @param untilPs end of the run
     * @param first when it is saved first; then every {@code step} until {@code last}
     * @param aside how far it goes before it is taken back
     */
    public static void goesOn(Sim sim, long untilPs, long first, long step, long last, long aside) {
        Snapshot zero = sim.save();
        sim.run(untilPs);
        long wanted = sim.traceHash();
        for (long half = first; half < last; half += step) {
            sim.restore(zero);
            sim.run(half);
            Snapshot middle = sim.save();
            sim.run(half + aside);
            sim.restore(middle);
            sim.run(untilPs);
            assertThat(sim.traceHash()).as("saved at %d ps", half).isEqualTo(wanted);
        }
    }
}
