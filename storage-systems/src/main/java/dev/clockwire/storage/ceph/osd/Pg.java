package dev.clockwire.storage.ceph.osd;

import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.msgr2.MessageType;
import dev.clockwire.storage.ceph.msgr2.Session;
import dev.clockwire.storage.ceph.store.LogEntry;
import dev.clockwire.storage.ceph.store.PgDisk;
import dev.clockwire.storage.ceph.store.StoredObject;
import dev.clockwire.storage.cluster.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A placement group on one OSD. Its primary gives writes their versions, sends the transaction to all that hold the group while it commits itself, and answers when all have committed;
 * it answers reads alone. When those that hold it change, everything under way is forgotten, and {@link Peering} comes before the next operation.
 */
public class Pg {
    private final Osd osd;
    private final int id;
    private final PgDisk disk;
    private final GroupStore store;
    private final Worker worker;
    private final int shard;
    private final Peering peering;
    private final Map<Long, ObjectLock> locks = new TreeMap<>();
    private final Map<Long, WriteOp> writes = new TreeMap<>();
    private final List<WriteOp> queued = new ArrayList<>();
    private final List<Runnable> idle = new ArrayList<>();
    private List<Integer> acting = List.of();
    private int since;
    private int reads;
    private boolean active;
    private long number;
    private long executed;
    private long repeated;

    Pg(Osd osd, int id, PgDisk disk) {
        this.osd = osd;
        this.id = id;
        this.disk = disk;
        shard = osd.shards().of(id);
        worker = osd.shards().worker(shard);
        store = new GroupStore(osd.store(), osd.shards(), shard);
        peering = osd.parts().peering(this, osd);
    }

    /** Returns its number. */
    public int id() {
        return id;
    }

    /** Returns what is durable of it here. */
    public PgDisk disk() {
        return disk;
    }

    /** Returns the reactor that it lives on. */
    public int shard() {
        return shard;
    }

    Worker worker() {
        return worker;
    }

    GroupStore store() {
        return store;
    }

    /** Returns the writes that were executed here as primary. */
    public long executed() {
        return executed;
    }

    /** Returns the writes that were answered from the log, or joined to one under way. */
    public long repeated() {
        return repeated;
    }

    /** Returns whether this OSD is its primary. */
    public boolean isPrimary() {
        return !acting.isEmpty() && acting.get(0) == osd.node().number();
    }

    /** Returns whether operations are executed. */
    public boolean isActive() {
        return active;
    }

    boolean isQuiet() {
        return !isPrimary() || (active && writes.isEmpty() && queued.isEmpty() && reads == 0 && peering.isDone());
    }

    List<Integer> acting() {
        return acting;
    }

    int since() {
        return since;
    }

    void follow(OsdMap map) {
        if (map.since(id) == since) {
            return;
        }
        since = map.since(id);
        acting = map.acting(id);
        active = false;
        locks.clear();
        writes.clear();
        queued.clear();
        idle.clear();
        reads = 0;
        peering.begin(map);
    }

    /** All that hold it have the same log: operations go on. */
    void activate() {
        active = true;
        number = PgDisk.number(disk.lastUpdate());
        List<Runnable> now = new ArrayList<>(idle);
        idle.clear();
        now.forEach(Runnable::run);
    }

    void dispatch(Session from, Message m) {
        if (m.type == MessageType.OSD_OP) {
            operation(from, m);
        } else if (isOfNow(m)) {
            switch (m.type) {
                case REP_OP -> replicate(from, m);
                case REP_OP_REPLY -> replicated(from.peer(), m.version);
                default -> peering.dispatch(from, m);
            }
        }
    }

    /** Returns whether what others of the group say is of this interval: nobody waits for what is of one that is over. */
    boolean isOfNow(Message m) {
        return m.epoch == since;
    }

    /** Returns whether a write can be told to be done. */
    boolean isCommitted(WriteOp op) {
        return op.missing.isEmpty();
    }

    /** Returns what the log says of a write. */
    @Nullable
    LogEntry entry(Message m, long version) {
        return new LogEntry(version, m.oid, m.client, m.tid);
    }

    /** Returns the version that a request has been given already, 0 if none. */
    long known(Message m) {
        return disk.versionOf(m.client, m.tid);
    }

    private void operation(Session from, Message m) {
        if (m.epoch < since || !isPrimary()) {
            return; // the client will hear of the newer map, and ask again
        }
        osd.tap(m.flags == Operation.WRITE ? "received" : "read", this, m, 0);
        if (!active) {
            idle.add(() -> operation(from, m));
        } else if (m.flags == Operation.WRITE) {
            write(from, m);
        } else {
            reads++;
            int now = since;
            lock(m.oid).take(false, () -> read(from, m, now));
        }
    }

    private ObjectLock lock(long oid) {
        return locks.computeIfAbsent(oid, o -> osd.parts().lock());
    }

    private void unlock(long oid, boolean write) {
        ObjectLock l = locks.get(oid);
        if (l != null) {
            l.release(write);
            if (l.isFree()) {
                locks.remove(oid, l);
            }
        }
    }

    private void write(Session from, Message m) {
        WriteOp same = underWay(m);
        long known = known(m);
        if (same != null) {
            repeated++;
            same.askers.add(from);
        } else if (known != 0) {
            repeated++;
            peering.whenWhole(m.oid, () -> answer(from, m, known));
        } else {
            WriteOp op = new WriteOp(from, m);
            queued.add(op);
            lock(m.oid).take(true, () -> execute(op));
        }
    }

    private @Nullable WriteOp underWay(Message m) {
        for (WriteOp op : writes.values()) {
            if (op.isOf(m.client, m.tid)) {
                return op;
            }
        }
        for (WriteOp op : queued) {
            if (op.isOf(m.client, m.tid)) {
                return op;
            }
        }
        return null;
    }

    private void execute(WriteOp op) {
        Message m = op.request;
        queued.remove(op);
        executed++;
        op.version = PgDisk.version(since, ++number);
        op.missing.addAll(acting);
        writes.put(op.version, op);
        osd.watch().events().headed(worker.now(), osd.node().number(), id, since);
        osd.tap("execute", this, m, op.version);
        long digest = checksum(m.data);
        for (int peer : acting) {
            if (peer != osd.node().number()) {
                Message r = new Message(MessageType.REP_OP);
                r.pg = id;
                r.epoch = since;
                r.oid = m.oid;
                r.client = m.client;
                r.tid = m.tid;
                r.version = op.version;
                r.digest = digest;
                r.length = m.data.length();
                r.data = m.data;
                osd.send(this, peer, r);
                osd.tap("repop", this, m, op.version);
            }
        }
        commit(m, op.version, digest, () -> replicated(osd.node().number(), op.version));
    }

    private void commit(Message m, long version, long digest, Runnable then) {
        int now = since;
        LogEntry entry = entry(m, version);
        store.write(disk, m.oid, version, m.data, digest, entry, () -> {
            osd.watch().wrote(worker.now(), osd.node().number(), id, m.oid, version, entry, digest);
            osd.tap("commit", this, m, version);
            if (now == since) {
                then.run();
            }
        });
        osd.tap("transaction", this, m, version);
    }

    private void replicate(Session from, Message m) {
        osd.tap("replicate", this, m, m.version);
        commit(m, m.version, checksum(m.data), () -> {
            Message r = new Message(MessageType.REP_OP_REPLY);
            r.pg = id;
            r.epoch = since;
            r.tid = m.tid;
            r.version = m.version;
            osd.send(this, from.peer(), r);
            osd.tap("repop.answer", this, m, m.version);
        });
    }

    private void replicated(int by, long version) {
        WriteOp op = writes.get(version);
        if (op == null) {
            return;
        }
        if (by != osd.node().number()) {
            osd.tap("repop.reply", this, op.request, version);
        }
        op.missing.remove(by);
        if (isCommitted(op)) {
            writes.remove(version);
            op.askers.forEach(asker -> answer(asker, op.request, version));
            osd.tap("reply", this, op.request.oid, version);
            unlock(op.request.oid, true);
        }
    }

    private void answer(Session to, Message m, long version) {
        osd.watch().events().replied(worker.now(), osd.node().number(), id, since, m.oid, version);
        reply(to, m, version, null);
        osd.trace("reply", this, m);
    }

    private void read(Session from, Message m, int now) {
        if (now != since) {
            return;
        }
        if (!osd.heartbeats().mayRead(acting)) { // nobody may have taken its place meanwhile
            long wait = Math.max(1, osd.spec().times().heartbeat() / 4);
            worker.after(wait, (a, b) -> read(from, m, now), 0, 0);
            return;
        }
        StoredObject o = disk.find(m.oid);
        if (o == null) {
            readDone(from, m, 0, null);
        } else {
            store.read(o, data -> {
                if (now == since && data == null) { // the disk fails: Ceph would ask a replica, this one tries again
                    long again = osd.spec().times().again();
                    worker.after(again, (a, b) -> read(from, m, now), 0, 0);
                } else if (now == since) {
                    readDone(from, m, o.version(), data);
                }
            });
            osd.tap("read.disk", this, m, o.version());
        }
    }

    private void readDone(Session from, Message m, long version, @Nullable Payload data) {
        reads--;
        osd.trace("read.done", this, m);
        boolean failed =
                version != 0 && (data == null || checksum(data) != found(m.oid).digest());
        reply(from, m, failed ? Operation.FAILED : version, data);
        osd.tap("read.answer", this, m, version);
        unlock(m.oid, false);
    }

    private StoredObject found(long oid) {
        return java.util.Objects.requireNonNull(disk.find(oid));
    }

    private void reply(Session to, Message m, long version, @Nullable Payload data) {
        Message r = new Message(MessageType.OSD_OP_REPLY);
        r.pg = id;
        r.epoch = since;
        r.oid = m.oid;
        r.client = m.client;
        r.tid = m.tid;
        r.version = version;
        if (data != null) {
            r.data = data;
            r.length = data.length();
        }
        osd.answer(this, to, r);
    }

    /** Returns the checksum that the store keeps, and pays for it. */
    long checksum(Payload data) {
        worker.core().scan(data.length(), osd.spec().messenger().crcBytePs());
        return data.digest();
    }

    /** Runs something that reads an object while nobody writes it; see {@link #readOver}. */
    void whileStill(long oid, Runnable run) {
        lock(oid).take(false, run);
    }

    /** That is over. */
    void readOver(long oid) {
        unlock(oid, false);
    }
}
