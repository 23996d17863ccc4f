package dev.clockwire.storage.ceph;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.load.StorageDone;
import dev.clockwire.storage.load.StorageSystem;
import java.util.List;

/** A Ceph that must come to rest within seconds of simulated time: LIV-1 with the quick waits. */
record CephPatient(CephSystem of) implements StorageSystem {
    private static final long PATIENCE_PS = 20_000_000_000_000L;

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
        if (cluster().sim().now() > PATIENCE_PS) {
            throw new InvariantViolation("LIV: it does not come to rest, map "
                    + of.ceph().monitor().map().epoch() + " of "
                    + of.ceph().monitor().map().osds());
        }
        return of.isQuiet();
    }

    @Override
    public List<String> differences() {
        return of.differences();
    }
}
