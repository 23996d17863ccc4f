package dev.clockwire.storage.load;

import dev.clockwire.storage.cluster.FaultSchedule;

/**
 * What a system goes through in a {@link FaultTrial}.
 *
 * @param schedule what goes wrong
 * @param load what clients do
 * @param clients how many
 * @param seed root of all random streams
 * @param patiencePs time by which everything is at rest again
 */
public record Course(FaultSchedule schedule, LoadSpec load, int clients, long seed, long patiencePs) {
    private static final int CLIENTS = 3;
    private static final long SEED = 7;
    private static final long PATIENCE_PS = 20_000_000_000_000L;

    /** Returns three clients while nothing goes wrong. */
    public static Course of(LoadSpec load) {
        return new Course(FaultSchedule.NONE, load, CLIENTS, SEED, PATIENCE_PS);
    }
}
