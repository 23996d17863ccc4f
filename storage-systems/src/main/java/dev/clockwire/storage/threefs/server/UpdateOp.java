package dev.clockwire.storage.threefs.server;

import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.Writers;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.net.RdmaRange;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.rpc.WritePath;
import org.jspecify.annotations.Nullable;

/**
 * One write at one node, in the order of 3FS's code: channel, chunk lock, fetch under the lock, checksum, pending version, successor, commit, answer. The lock is
 * held until the whole chain behind has answered.
 */
class UpdateOp {
    final StorageService service;
    final RpcPeer from;
    final Message m;
    private final boolean replace;
    private Channels.@Nullable Entry channel;
    private @Nullable LocalTarget target;
    private boolean locked;
    private long buffer;
    private boolean hasBuffer;
    /** Another one, for the whole chunk of which a part is written; 0 if there is none. */
    private long whole;
    /** Where the bytes lie if they were pushed. */
    private @Nullable Granted slot;

    private long slotAddress;
    /** What it came by, if it did so by a lane. */
    private @Nullable LaneEnd lane;

    private int version;
    private int checksum;
    private int wholeLength;
    private final Payload part = new Payload();

    UpdateOp(StorageService service, RpcPeer from, Message m) {
        this.service = service;
        this.from = from;
        this.m = m;
        replace = (m.flags & StorageService.REPLACE) != 0;
    }

    void start() {
        Status wrong = service.check(m);
        if (wrong == Status.ROUTING_VERSION_MISMATCH && m.chainVer > service.chainVer(m.chain)) {
            service.routing().refresh(() -> begin(service.check(m)));
        } else {
            begin(wrong);
        }
    }

    private void begin(Status wrong) {
        if (wrong != Status.OK) {
            answer(new Message().answers(m, wrong));
            return;
        }
        target = service.target(m.chain);
        if (!StorageService.isOwn(m)) { // what nodes send for themselves has no channel: the lock keeps it in order
            Channels.Entry e = service.channels().of(m);
            Message known = service.channels().begin(e, m);
            if (known != null) {
                answer(known);
                return;
            }
            channel = e;
        }
        if ((m.flags & WritePath.PUSHED) != 0
                && from.attachment() instanceof Granted granted
                && granted.use(m.address)) {
            slot = granted;
            slotAddress = m.address;
        }
        service.tap("channel", m, 0);
        target().locks.lock(m.key, this::locked);
    }

    final LocalTarget target() {
        return java.util.Objects.requireNonNull(target);
    }

    private void locked() {
        locked = true;
        service.tap("lock", m, 0);
        Status now = service.check(m);
        if (now != Status.OK) {
            end(now);
            return;
        }
        ChunkMeta c = target().store.find(m.key);
        if (m.updateVer == 0) {
            begin(c);
        } else {
            follow(c);
        }
    }

    /** A write of a client at the head: it gets the next version, unless it has one. */
    private void begin(@Nullable ChunkMeta c) {
        int committed = c == null ? 0 : c.commitVer;
        if (c != null && c.isPending()) {
            // left behind by a write that gave up: replicas behind may have committed it, so it goes first
            service.finish(target(), c, this::locked);
            return;
        }
        boolean kept = c != null && service.spec().durableChannels();
        if (c != null && kept && c.writers.isPast(m.client, m.channel, m.sequence)) {
            end(Status.DUPLICATE_UPDATE); // it has been done, and later ones of its client, too
            return;
        }
        int done = c == null || !kept ? Writers.NONE : c.writers.versionOf(m.client, m.channel, m.sequence);
        if (done != Writers.NONE && done <= committed) {
            Message again = new Message().answers(m, Status.OK);
            fill(again, c);
            again.updateVer = done;
            again.commitVer = done;
            end(again);
            return;
        }
        version = committed + 1;
        service.watch().events().headed(service.worker().now(), service.number(), m.chain, service.chainVer(m.chain));
        fetch();
    }

    /** A write that has its version from the head. */
    private void follow(@Nullable ChunkMeta c) {
        version = m.updateVer;
        if (isDone(c)) {
            Message done = new Message().answers(m, Status.OK);
            fill(done, c);
            if (!replace) {
                done.updateVer = version;
                done.commitVer = version;
            }
            end(done);
        } else if (isMissing(c)) {
            end(Status.MISSING_UPDATE);
        } else {
            fetch();
        }
    }

    /** Returns whether the version is committed here, or a whole chunk comes so late that its sender has sent newer ones since. */
    boolean isDone(@Nullable ChunkMeta c) {
        if (c == null) {
            return false;
        }
        if (replace) { // within a version of the chain the sender goes forward only; across them it may know less, and
            // be right
            return c.chainVer == m.chainVer && version < c.commitVer && !c.hollow;
        }
        return version <= c.commitVer;
    }

    /** Returns whether a version before this one has not come. */
    boolean isMissing(@Nullable ChunkMeta c) {
        return !replace && version > (c == null ? 0 : c.commitVer) + 1;
    }

    private void fetch() {
        if ((m.flags & WritePath.LANED) != 0) {
            land();
            return;
        }
        if ((m.flags & WritePath.PUSHED) != 0) {
            buffer = m.address; // a slot of this node, granted to the sender
            if (slot == null) {
                end(Status.COMMUNICATION); // nobody knows what became of earlier tries
            } else {
                verify();
            }
            return;
        }
        service.takeBuffers(isWhole() ? 1 : 2, m.chain, some -> {
            buffer = some[0];
            hasBuffer = true;
            service.trace("buffer", m);
            whole = some.length > 1 ? some[1] : 0;
            if (service.spec().path() == DataPath.INLINE) {
                service.worker().core().charge(HostCost.COPY_BYTE, m.length);
                service.worker().core().memory().putBytes(buffer, m.data, 0, m.length);
                verify();
            } else {
                pull();
            }
        });
    }

    /** The bytes come by another connection than the request: it waits for them. */
    private void land() {
        LaneEnd by = service.lane(m.client, m.chain);
        if (by == null) {
            end(Status.ROUTING_VERSION_MISMATCH); // the chain was another when they were sent
            return;
        }
        by.await(m.address, service.spec().times().forwardFirst(), ok -> {
            long at = by.slot(m.address);
            if (!ok || !by.granted().use(at)) {
                end(Status.ROUTING_VERSION_MISMATCH);
                return;
            }
            slot = by.granted();
            slotAddress = at;
            buffer = at;
            lane = by;
            service.trace("landed", m);
            verify();
        });
    }

    /** Returns the lane that has passed on what the successor is to store, null if the NIC has passed on nothing or something else. */
    @Nullable
    LaneEnd passedBy() {
        LaneEnd by = lane;
        return by != null && buffer == slotAddress && wholeLength == m.length && by.passesOn() ? by : null;
    }

    /** Reads the bytes from where they lie: until that has ended, the buffer is the device's. */
    void pull() {
        RdmaRange bytes = new RdmaRange(buffer, m.length, service.buffers().lkey(), m.address, m.rkey);
        from.socket().read(bytes, m.bytesName(), this::pulled);
        service.tap("read.posted", m, version);
    }

    void pulled(boolean ok) {
        if (ok) {
            service.tap("read.done", m, version);
            verify();
        } else {
            end(Status.COMMUNICATION);
        }
    }

    private void verify() {
        service.worker().core().scan(m.length, service.spec().crcBytePs());
        if (target().store.checksum(buffer, m.length) != m.checksum) {
            end(Status.CHECKSUM_MISMATCH);
            return;
        }
        if (isWhole()) {
            wholeLength = m.length;
            checksum = m.checksum;
            store();
        } else if (whole != 0) {
            merge();
        } else {
            service.takeBuffers(1, m.chain, some -> {
                whole = some[0];
                merge();
            });
        }
    }

    /** Returns whether nothing of the chunk as it is here stays. */
    private boolean isWhole() {
        ChunkMeta c = target().store.find(m.key);
        return m.offset == 0 && (replace || c == null || c.block < 0 || m.length >= c.length);
    }

    /** A part of a chunk: the rest comes from the committed version. */
    private void merge() {
        ChunkMeta c = target().store.find(m.key);
        int old = c == null ? 0 : c.length;
        wholeLength = Math.max(old, m.offset + m.length);
        if (c == null || old == 0) {
            overlay();
            return;
        }
        target().store.read(c, false, 0, old, whole, ok -> {
            if (ok) {
                overlay();
            } else {
                end(Status.DISK_ERROR);
            }
        });
    }

    private void overlay() {
        part.clear();
        var memory = service.worker().core().memory();
        memory.read(buffer, m.length, part);
        memory.write(whole + m.offset, part, 0, m.length);
        service.worker().core().charge(HostCost.COPY_BYTE, m.length);
        service.worker().core().scan(wholeLength, service.spec().crcBytePs());
        if (hasBuffer) {
            service.buffers().give(buffer);
        }
        buffer = whole;
        hasBuffer = true;
        whole = 0;
        checksum = target().store.checksum(buffer, wholeLength);
        store();
    }

    private void store() {
        Status now = service.check(m);
        if (now != Status.OK) {
            end(now); // the chain has changed while the bytes came
            return;
        }
        service.trace("store", m);
        target().store
                .write(m.key, version, m.chainVer, buffer, wholeLength, checksum, replace, this::noteWriter, ok -> {
                    if (!ok) {
                        end(target().store.free() == 0 ? Status.NO_SPACE : Status.DISK_ERROR);
                        return;
                    }
                    service.tap("written", m, version);
                    if (!replace) {
                        service.watch()
                                .events()
                                .updated(service.worker().now(), service.number(), m.chain, m.key, version);
                    }
                    forward();
                });
    }

    /** The version is durable here, and pending: now those behind. */
    void forward() {
        new Forward(service, this).start();
    }

    private void noteWriter(ChunkMeta c) {
        if (replace) {
            c.writers = new Writers();
        }
        int at = service.spec().path() == DataPath.INLINE ? m.length : 0;
        c.writers.noteAll(m.data, Math.min(at, m.dataLength), m.dataLength);
        if (!StorageService.isOwn(m)) {
            c.writers.note(m.client, m.channel, m.sequence, version);
        }
    }

    /** What the successor gets: the whole chunk as it is here. */
    Message forwarded(Chain chain, Target to) {
        Message f = new Message();
        f.method = m.method;
        f.chain = m.chain;
        f.chainVer = chain.version();
        f.key = m.key;
        f.offset = 0;
        f.length = wholeLength;
        f.updateVer = version;
        f.checksum = checksum;
        f.client = m.client;
        f.channel = m.channel;
        f.sequence = m.sequence;
        f.request = m.request;
        if (to.state() == dev.clockwire.storage.threefs.mgmtd.TargetState.SYNCING) {
            service.carry(f, target().store.find(m.key));
        }
        f.flags = to.state() == dev.clockwire.storage.threefs.mgmtd.TargetState.SYNCING ? StorageService.REPLACE : 0;
        return f;
    }

    /** Returns the place in the chain whose slot this holds, -1 if it holds none. */
    int place() {
        Granted s = slot;
        return s == null ? -1 : s.place(slotAddress);
    }

    long buffer() {
        return buffer;
    }

    int chain() {
        return m.chain;
    }

    int checksum() {
        return checksum;
    }

    Message request() {
        return m;
    }

    int version() {
        return version;
    }

    /** Everybody behind has committed, or nobody is behind. */
    void commit(int chainVer) {
        target().store.commit(m.key, version, chainVer, ok -> {
            if (!ok) {
                end(Status.DISK_ERROR);
                return;
            }
            service.committed(target(), m.key, version, replace);
            if (m.updateVer == 0) {
                service.watch().executed(service.worker().now(), service.number(), m, version);
            }
            service.tap("commit", m, version);
            Message done = new Message().answers(m, Status.OK);
            fill(done, target().store.find(m.key));
            end(done);
        });
    }

    static void fill(Message answer, @Nullable ChunkMeta c) {
        if (c != null) {
            answer.updateVer = c.updateVer;
            answer.commitVer = c.commitVer;
            answer.commitChainVer = c.chainVer;
            answer.checksum = c.checksum;
            answer.chunkLength = c.length;
        }
    }

    void end(Status how) {
        end(new Message().answers(m, how));
    }

    private void end(Message answer) {
        releaseBuffer();
        Granted s = slot;
        if (s != null) {
            slot = null;
            s.unuse(slotAddress);
        }
        LocalTarget t = target;
        if (locked && t != null) {
            locked = false;
            t.locks.unlock(m.key);
        }
        Channels.Entry e = channel;
        if (e != null) {
            channel = null;
            // a whole chunk may be replaced or removed again while it is brought up to date: then nobody must hear that
            // it is done
            service.channels().end(e, replace ? null : answer);
        }
        answer(answer);
    }

    private void releaseBuffer() {
        if (hasBuffer) {
            hasBuffer = false;
            service.buffers().give(buffer);
        }
        if (whole != 0) {
            service.buffers().give(whole);
            whole = 0;
        }
    }

    void answer(Message answer) {
        answer.chainVer = service.chainVer(m.chain);
        from.answer(answer);
        service.tap("answer", m, version);
    }
}
