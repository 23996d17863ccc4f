package dev.clockwire.storage.threefs;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.load.StorageDone;
import dev.clockwire.storage.load.StorageSystem;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import java.util.List;

/** A 3FS that must come to rest by some simulated time: LIV-1 and SYNC-4 with the quick waits. */
record Patient(ThreeFsSystem of, long patiencePs) implements StorageSystem {
    @Override
    public String name() {
        return of.name();
    }

    @Override
    public Cluster cluster() {
        return of.cluster();
    }

    @Override
    public void start() {
        of.start();
    }

    @Override
    public void write(Node client, long key, long va, int length, MemoryRegion region, StorageDone then) {
        of.write(client, key, va, length, region, then);
    }

    @Override
    public void read(Node client, long key, long va, int length, MemoryRegion region, StorageDone then) {
        of.read(client, key, va, length, region, then);
    }

    @Override
    public boolean isQuiet() {
        if (cluster().sim().now() > patiencePs) {
            StringBuilder b = new StringBuilder("LIV: it does not come to rest:");
            for (Chain c : of.fs().manager().routing().chains()) {
                b.append(' ').append(c);
                for (Node n : cluster().nodes()) {
                    b.append("; ")
                            .append(n.name())
                            .append(" quiet ")
                            .append(of.fs().service(n).isQuiet());
                    var store = of.fs().service(n).store(c.id());
                    b.append(' ').append(store == null ? "-" : store.all());
                }
            }
            throw new InvariantViolation(b.toString());
        }
        return of.isQuiet();
    }

    @Override
    public List<String> differences() {
        return of.differences();
    }
}
