package dev.clockwire.storage.threefs.server;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.ChunkState;
import dev.clockwire.storage.threefs.chunk.ChunkStore;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.LocalState;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Brings a target up to date, driven by its predecessor: asks what the successor has, sends every chunk that differs as a whole, removes what is no longer here, and
 * says when that is done. Writes of clients go on meanwhile and replace whole chunks there, too.
 */
class Resync {
    private static final int ENTRY = 28;

    private final StorageService service;
    private final Map<Integer, Long> tried = new TreeMap<>();
    private final TreeSet<Integer> busy = new TreeSet<>();

    Resync(StorageService service) {
        this.service = service;
    }

    void start() {
        service.worker().after(service.spec().times().sync(), this::look, 0, 0);
    }

    private void look(long a, long b) {
        if (service.isOver()) {
            return;
        }
        for (LocalTarget t : service.targets()) {
            Chain c = service.routing().routing().chain(t.chain);
            Target own = c == null ? null : c.of(service.number());
            Target next = c == null ? null : c.behind(service.number());
            if (c != null
                    && !service.isGone()
                    && own != null
                    && next != null
                    && own.state() == TargetState.SERVING
                    && next.state() == TargetState.SYNCING
                    && !busy.contains(t.chain)
                    && service.worker().now() >= tried.getOrDefault(t.chain, 0L)) {
                begin(t, c, next);
            }
        }
        start();
    }

    private void begin(LocalTarget t, Chain c, Target to) {
        busy.add(t.chain);
        Message m = service.ownMessage(Method.SYNC_START, t.chain, 0);
        m.chainVer = c.version();
        service.call(to.node(), m, service.spec().times().rpc(), answer -> {
            if (answer.status != Status.OK) {
                failed(t);
                return;
            }
            Deque<Long> transfers = new ArrayDeque<>();
            Deque<Long> removals = new ArrayDeque<>();
            service.tap("sync", t.chain, 0, c.version());
            if (!compare(t, answer, transfers, removals) && service.spec().syncRule() == SyncRule.OFFLINE) {
                offline(t, c, to);
                return;
            }
            step(t, c, to, transfers, removals);
        });
    }

    private void failed(LocalTarget t) {
        busy.remove(t.chain);
        tried.put(t.chain, service.worker().now() + service.spec().times().syncAgain());
    }

    /** Tells a target's node that it cannot be brought up to date; the chain goes on without it. */
    private void offline(LocalTarget t, Chain c, Target to) {
        Message m = service.ownMessage(Method.OFFLINE, t.chain, unwanted(c.of(service.number()), to));
        m.chainVer = c.version();
        service.call(to.node(), m, service.spec().times().rpc(), answer -> failed(t));
    }

    /** Returns the id of the target that is to go offline: its node has no other one's (3FS issue 229). */
    long unwanted(@Nullable Target own, Target successor) {
        return successor.id();
    }

    /** Returns whether nothing there is of a later version of the chain than what is committed here. */
    private boolean compare(LocalTarget t, Message theirs, Deque<Long> transfers, Deque<Long> removals) {
        boolean past = true;
        Map<Long, Integer> there = new TreeMap<>();
        for (int at = 0; at + ENTRY <= theirs.dataLength; at += ENTRY) {
            there.put(LittleEndian.get64(theirs.data, at), at);
        }
        for (ChunkMeta mine : t.store.all()) {
            Integer at = there.remove(mine.key);
            if (at == null || differs(mine, theirs.data, at)) {
                transfers.add(mine.key);
            }
            past &= at == null || mine.isPending() || LittleEndian.get32(theirs.data, at + 16) <= mine.chainVer;
        }
        removals.addAll(there.keySet());
        return past;
    }

    /**
     * Compares versions, state and checksum: the version alone does not tell, since a replica may hold as committed what another holds as pending (3FS
     * issue 345).
     *
     * @param at where the other's chunk begins, as {@link #describe} has written it
     */
    boolean differs(ChunkMeta mine, byte[] b, int at) {
        int updateVer = LittleEndian.get32(b, at + 8);
        int commitVer = LittleEndian.get32(b, at + 12);
        int checksum = LittleEndian.get32(b, at + 20);
        int state = LittleEndian.get32(b, at + 24);
        return state != ChunkState.COMMIT.code()
                || mine.isPending()
                || updateVer != mine.updateVer
                || commitVer != mine.commitVer
                || checksum != mine.checksum;
    }

    private void step(LocalTarget t, Chain c, Target to, Deque<Long> transfers, Deque<Long> removals) {
        Chain now = service.routing().routing().chain(t.chain);
        if (now == null || now.version() != c.version() || service.isGone()) {
            failed(t);
            tried.remove(t.chain);
            return;
        }
        Long key = transfers.poll();
        if (key != null) {
            t.locks.lock(
                    key,
                    () -> transfer(t, c, to, key, ok -> {
                        t.locks.unlock(key);
                        next(ok, t, c, to, transfers, removals);
                    }));
            return;
        }
        Long gone = removals.poll();
        if (gone != null) {
            t.locks.lock(
                    gone,
                    () -> gone(t, c, to, gone, ok -> {
                        t.locks.unlock(gone);
                        next(ok, t, c, to, transfers, removals);
                    }));
            return;
        }
        Message m = service.ownMessage(Method.SYNC_DONE, t.chain, 0);
        m.chainVer = c.version();
        service.call(to.node(), m, service.spec().times().rpc(), answer -> failed(t));
    }

    /** A chunk that is not here any more, unless a client has written it meanwhile; the lock is held. */
    private void gone(LocalTarget t, Chain c, Target to, long key, ChunkStore.Done done) {
        ChunkMeta here = t.store.find(key);
        if (here != null && here.block >= 0) {
            done.done(true);
            return;
        }
        Message m = service.ownMessage(Method.REMOVE, t.chain, key);
        m.chainVer = c.version();
        service.call(to.node(), m, service.spec().times().rpc(), answer -> done.done(answer.status == Status.OK));
    }

    private void next(boolean ok, LocalTarget t, Chain c, Target to, Deque<Long> transfers, Deque<Long> removals) {
        if (ok) {
            step(t, c, to, transfers, removals);
        } else {
            failed(t);
        }
    }

    /** Sends a chunk as it is committed here; the lock is held. */
    private void transfer(LocalTarget t, Chain c, Target to, long key, ChunkStore.Done done) {
        ChunkMeta mine = t.store.find(key);
        if (mine == null || mine.block < 0) {
            gone(t, c, to, key, done); // nothing is committed here: what is there must not stay
            return;
        }
        service.takeBuffers(1, t.chain, some -> {
            long buffer = some[0];
            t.store.read(mine, false, 0, mine.length, buffer, ok -> {
                if (!ok) {
                    service.buffers().give(buffer);
                    done.done(false);
                    return;
                }
                Message m = service.ownMessage(Method.WRITE, t.chain, key);
                m.chainVer = c.version();
                m.length = mine.length;
                m.updateVer = mine.commitVer;
                m.checksum = mine.checksum;
                service.carry(m, mine);
                m.flags = StorageService.REPLACE | Message.RESYNC;
                service.send(
                        to.node(),
                        m,
                        c.place(to.node()),
                        buffer,
                        service.spec().times().forwardMost(),
                        answer -> {
                            service.buffers().give(buffer);
                            done.done(answer.status == Status.OK);
                        });
            });
        });
    }

    /** The other end: this node is brought up to date. */
    void request(RpcPeer from, Message m) {
        LocalTarget t = service.target(m.chain);
        if (t == null || m.chainVer != service.chainVer(m.chain) || !isSyncing(m.chain)) {
            service.routing().refresh(() -> from.answer(new Message().answers(m, Status.ROUTING_VERSION_MISMATCH)));
            return;
        }
        Message answer = new Message().answers(m, Status.OK);
        switch (m.method) {
            case SYNC_START -> describe(t, answer);
            case REMOVE -> {
                t.locks.lock(m.key, () -> remove(t, from, m, answer));
                return;
            }
            default -> {
                t.state = LocalState.UP_TO_DATE;
                t.syncedVer = m.chainVer;
                service.tap("sync.done", m, m.chainVer);
            }
        }
        from.answer(answer);
    }

    private boolean isSyncing(int chain) {
        Chain c = service.routing().routing().chain(chain);
        Target own = c == null ? null : c.of(service.number());
        return own != null && own.state() == TargetState.SYNCING && !service.isGone();
    }

    private void remove(LocalTarget t, RpcPeer from, Message m, Message answer) {
        if (m.chainVer != service.chainVer(m.chain) || !isSyncing(m.chain)) {
            t.locks.unlock(m.key);
            answer.status = Status.ROUTING_VERSION_MISMATCH;
            from.answer(answer);
            return;
        }
        t.store.remove(m.key, ok -> {
            if (ok) {
                service.watch().events().removed(service.worker().now(), service.number(), t.chain, m.key);
            }
            t.locks.unlock(m.key);
            answer.status = ok ? Status.OK : Status.DISK_ERROR;
            from.answer(answer);
        });
    }

    private static void describe(LocalTarget t, Message answer) {
        byte[] b = new byte[ENTRY * t.store.all().size()];
        int at = 0;
        for (ChunkMeta c : t.store.all()) {
            LittleEndian.put64(b, at, c.key);
            LittleEndian.put32(b, at + 8, c.updateVer);
            LittleEndian.put32(b, at + 12, c.commitVer);
            LittleEndian.put32(b, at + 16, c.chainVer);
            LittleEndian.put32(b, at + 20, c.checksum);
            LittleEndian.put32(b, at + 24, c.state.code());
            at += ENTRY;
        }
        answer.with(b, at);
    }
}
