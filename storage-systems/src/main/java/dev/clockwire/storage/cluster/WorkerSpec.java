package dev.clockwire.storage.cluster;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * How an event loop waits, and what its own work costs. The times are assumptions about a server core at 2 to 3 GHz, as those of
 * {@link dev.clockwire.storage.reactor.ReactorSpec}.
 *
 * @param polls whether it polls its queues for ever, rather than arming them and sleeping
 * @param taskPs taking one task or timer and calling it
 * @param crossPs from handing a task to another worker to the moment its core can see it
 * @param batch tasks and timers of one step at most
 */
public record WorkerSpec(boolean polls, long taskPs, long crossPs, int batch) {
    private static final long LARGEST = 1_000_000_000L;
    private static final int MOST = 1024;

    /** Checks the ranges. */
    public WorkerSpec {
        check("worker.taskPs", taskPs, 0, LARGEST);
        check("worker.crossPs", crossPs, 1, LARGEST);
        check("worker.batch", batch, 1, MOST);
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + most);
        }
    }

    /** Returns a loop that polls. */
    public static WorkerSpec polling() {
        return new WorkerSpec(true, 20_000, 70_000, 8);
    }

    /** Returns a loop that sleeps until a completion channel fires. */
    public static WorkerSpec sleeping() {
        return new WorkerSpec(false, 20_000, 70_000, 8);
    }
}
