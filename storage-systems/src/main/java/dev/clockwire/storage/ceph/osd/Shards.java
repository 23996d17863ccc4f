package dev.clockwire.storage.ceph.osd;

import dev.clockwire.sim.host.HostCost;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Worker;
import java.util.ArrayList;
import java.util.List;

/**
 * The reactors of an OSD, a core each, which share nothing: a placement group lives on one of them, connections and disk on the first. What is to be done elsewhere is a message
 * ({@code smp::submit_to}), and so is its answer.
 */
final class Shards {
    /** Where connections, maps and the store are. */
    static final int FIRST = 0;

    /** Those of this incarnation. */
    private final List<Worker> workers = new ArrayList<>();

    private final long hopPs;
    private long hops;

    Shards(Node node, int count, long hopPs) {
        for (int i = 0; i < count; i++) {
            workers.add(node.worker(i));
        }
        this.hopPs = hopPs;
    }

    /** Returns where a group lives. */
    int of(int pg) {
        return pg % workers.size();
    }

    Worker worker(int shard) {
        return workers.get(shard);
    }

    /** Runs something on a reactor: now if this step is one of its own, else when it has been told. */
    void on(int from, int to, Runnable what) {
        if (from == to) {
            what.run();
            return;
        }
        hops++;
        Worker here = workers.get(from);
        here.core().charge(HostCost.POST, 1);
        workers.get(to).handOver((a, b) -> what.run(), 0, 0, here.now() + hopPs);
    }

    long hops() {
        return hops;
    }
}
