package dev.clockwire.storage.ceph.osd;

import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.ceph.store.LogEntry;
import dev.clockwire.storage.ceph.store.PgDisk;
import dev.clockwire.storage.ceph.store.SeaStoreLite;
import dev.clockwire.storage.ceph.store.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The store as a group sees it from its own reactor: each call crosses to where the store is, and back. */
final class GroupStore {
    private final SeaStoreLite store;
    private final Shards shards;
    private final int home;

    GroupStore(SeaStoreLite store, Shards shards, int home) {
        this.store = store;
        this.shards = shards;
        this.home = home;
    }

    private void there(Runnable what) {
        shards.on(home, Shards.FIRST, what);
    }

    private void back(Runnable what) {
        shards.on(Shards.FIRST, home, what);
    }

    /** See {@link SeaStoreLite#write}. */
    void write(PgDisk pg, long oid, long version, Payload data, long digest, @Nullable LogEntry entry, Runnable done) {
        there(() -> store.write(pg, oid, version, data, digest, entry, () -> back(done)));
    }

    /** See {@link SeaStoreLite#merge}. */
    void merge(PgDisk pg, List<LogEntry> log, Map<Long, Long> need, long epoch, Consumer<List<StoredObject>> done) {
        there(() -> store.merge(pg, log, need, epoch, gone -> back(() -> done.accept(gone))));
    }

    /** See {@link SeaStoreLite#flush}. */
    void flush(Runnable done) {
        there(() -> store.flush(() -> back(done)));
    }

    /** See {@link SeaStoreLite#read}. */
    void read(StoredObject o, Consumer<@Nullable Payload> then) {
        there(() -> store.read(o, data -> back(() -> then.accept(data))));
    }
}
