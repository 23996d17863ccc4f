package dev.clockwire.bench.fabric;

import dev.clockwire.roce.fabric.host.Flow;

/** Whether anything still moves beside a deadlock: flows that it does not touch come to their end. */
final class Progress {
    private static final long PATIENCE_PS = 1_000_000_000;

    private final Endpoints hosts;
    private long seen = -1;
    private long since;

    Progress(Endpoints hosts) {
        this.hosts = hosts;
    }

    /** Returns false if for 1 ms no flow has had anything acknowledged or has failed, and none is yet to begin. */
    boolean goesOn(long now) {
        long sum = 0;
        for (Flow flow : hosts.flows()) {
            if (flow.beginsPs() > now) {
                since = now;
            }
            sum += flow.acknowledgedBytes() + (flow.failed() ? 1 : 0);
        }
        if (sum != seen) {
            seen = sum;
            since = now;
        }
        return now - since < PATIENCE_PS;
    }
}
