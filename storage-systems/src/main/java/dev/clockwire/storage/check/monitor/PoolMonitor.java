package dev.clockwire.storage.check.monitor;

/** RD-7: pools of buffers at rest. */
final class PoolMonitor extends Monitor {
    PoolMonitor(Replicas replicas, Findings findings) {
        super(replicas, findings);
    }

    @Override
    public void pooled(long ps, int node, String pool, int free, int all) {
        if (free != all) {
            report(Invariant.RD_7, ps, "node " + node, pool + ": " + free + " of " + all + " are free");
        }
    }
}
