package dev.clockwire.storage.load;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import java.util.List;

/** A replicated store of whole values by number, as a load sees it. */
public interface StorageSystem {
    /** Returns the name, such as {@code 3fs-push}. */
    String name();

    /** Returns the machines. */
    Cluster cluster();

    /** Boots everything, and runs the simulation until clients can ask. */
    void start();

    /**
     * Writes a value, in a step of the client's worker.
     *
     * @param region registered by the client's own domain; the bytes lie at {@code va} and do not change before the end
     */
    void write(Node client, long key, long va, int length, MemoryRegion region, StorageDone then);

    /** Reads a value; see {@link #write}. */
    void read(Node client, long key, long va, int length, MemoryRegion region, StorageDone then);

    /** Returns how the steps of its operations follow each other. */
    StepOrder order();

    /** Returns how long to wait for it at most. */
    default Waits waits() {
        return Waits.LONG;
    }

    /** Returns whether every replica is in service, but for those on machines that are gone for good, and nothing is under way between them. */
    boolean isQuiet();

    /** Runs on, once it is quiet, until what it has lent comes back: buffers, two seconds at most. Most often that is so at once. */
    void rest();

    /** Returns in words what invariants found so far; empty if nothing. */
    List<String> findings();

    /** Returns {@link #findings} and in words where replicas in service differ, once it is quiet; empty if nowhere. */
    List<String> differences();
}
