package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.List;

/** All experiments, in the order in which one would show them. */
public final class Experiments {
    private static final List<Experiment> ALL = List.of(
            Fairness.single(),
            Fairness.vendor(),
            Fairness.paper(),
            Incast.pausesOnly(),
            Incast.withDcqcn(),
            Incast.longQueue(),
            Victim.parkingLot(),
            Victim.clos(),
            Losses.recovery(),
            Deadlocks.ring(),
            Losses.headroom(),
            Thresholds.tooLow(),
            Thresholds.tooHigh());

    private Experiments() {}

    /** Returns all of them. */
    public static List<Experiment> all() {
        return ALL;
    }

    /**
     * Returns one by its name.
     *
     * @throws ConfigurationException naming the nearest if there is none
     */
    public static Experiment named(String name) {
        return ALL.stream()
                .filter(e -> e.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException("unknown experiment '" + name + "'"
                        + Nearest.hint(name, ALL.stream().map(Experiment::name).toList())));
    }
}
