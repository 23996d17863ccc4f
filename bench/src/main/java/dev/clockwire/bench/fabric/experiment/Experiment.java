package dev.clockwire.bench.fabric.experiment;

import java.util.List;

/**
 * An experiment with a known outcome.
 *
 * @param name short name, as typed
 * @param title what it shows
 * @param source where the expected numbers come from
 * @param cases its set-ups
 */
public record Experiment(String name, String title, String source, List<Case> cases) {
    /** Copies the list. */
    public Experiment {
        cases = List.copyOf(cases);
    }
}
