package dev.clockwire.storage.load;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import java.util.List;
import java.util.function.Supplier;

/**
 * A system that must come to rest within some simulated time: LIV-1, for systems with quick waits.
 *
 * @param mostPs the time
 * @param stuck says what it is like if it does not
 */
record Patient(StorageSystem of, long mostPs, Supplier<String> stuck) implements StorageSystem {
    @Override
    public String name() {
        return of.name();
    }

    @Override
    public Cluster cluster() {
        return of.cluster();
    }

    @Override
    public StepOrder order() {
        return of.order();
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
        if (cluster().sim().now() > mostPs) {
            throw new InvariantViolation("LIV: " + name() + " does not come to rest: " + stuck.get());
        }
        return of.isQuiet();
    }

    @Override
    public void rest() {
        of.rest();
    }

    @Override
    public List<String> findings() {
        return of.findings();
    }

    @Override
    public List<String> differences() {
        return of.differences();
    }
}
