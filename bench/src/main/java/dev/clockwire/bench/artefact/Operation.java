package dev.clockwire.bench.artefact;

import java.util.List;

/**
 * One operation of a run.
 *
 * @param number in the order of completion, from 0
 * @param postedPs its begin
 * @param donePs its end
 * @param journeys whose stamps are its stages: its own, and that of the answer to it
 */
public record Operation(long number, long postedPs, long donePs, List<Long> journeys) {
    /** Copies the list. */
    public Operation {
        journeys = List.copyOf(journeys);
    }

    /** Returns the time from its begin to its end. */
    public long latencyPs() {
        return donePs - postedPs;
    }
}
