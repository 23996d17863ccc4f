package dev.clockwire.storage.cluster;

import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * The software side of a node.
 *
 * @param workers event loops, one core each, 1 to 64
 * @param worker how they wait
 * @param times of the connection manager
 */
public record NodeSpec(int workers, WorkerSpec worker, CmTimes times) {
    private static final int MOST = 64;

    /** Checks the ranges. */
    public NodeSpec {
        if (workers < 1 || workers > MOST) {
            throw new ConfigurationException("workers of a node " + workers + ": must be 1 to " + MOST);
        }
    }

    /** Returns a copy with so many workers. */
    public NodeSpec withWorkers(int n) {
        return new NodeSpec(n, worker, times);
    }

    /** Returns one worker; the connection manager asks again after 8 ms rather than 4 s. */
    public static NodeSpec of(WorkerSpec worker) {
        return new NodeSpec(1, worker, new CmTimes(11, 15, 11));
    }
}
