package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.daos.dtx.DtxEntry;
import dev.clockwire.storage.daos.dtx.DtxId;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.rpc.DmaBuffer.Slice;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import dev.clockwire.storage.daos.vos.Extent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings an engine up to date that has been away: for each of its groups it copies from the leader which transactions are committed and whatever value it
 * has no as new version of. What is written meanwhile comes by itself. When the pool map changes it begins again.
 */
final class Rebuild {
    /** After a failed call, how much longer nobody may use the memory it was for: as long as a queue pair tries again. */
    private static final long LATE_PS = 100_000_000_000L;

    private static final int MOST = DtxList.MOST;

    private final Engine engine;
    private final int version;
    private final Deque<DtxList.Item> lacking = new ArrayDeque<>();
    private int group;

    Rebuild(Engine engine) {
        this.engine = engine;
        version = engine.map().version();
        group = -1;
    }

    private boolean isOver() {
        return engine.isOver() || engine.map().version() != version;
    }

    void start() {
        engine.tap("rebuild", 0, 0);
        nextGroup();
    }

    private void nextGroup() {
        group++;
        PoolMap map = engine.map();
        while (group < map.groups() && !map.holds(group, engine.me())) {
            group++;
        }
        if (group == map.groups()) {
            engine.tap("rebuilt", 0, 0);
            engine.rebuilt(version);
        } else {
            scanDtx(null);
        }
    }

    private void ask(Rpc m, java.util.function.Consumer<Rpc> then, Runnable again) {
        int leader = engine.map().leader(group);
        if (leader < 0) {
            later(again);
            return;
        }
        m.argument = group;
        engine.call(leader, m, engine.spec().times().rpc(), answer -> {
            if (isOver()) {
                return;
            }
            if (answer.status == RpcStatus.OK) {
                then.accept(answer);
            } else {
                later(again);
            }
        });
    }

    private void later(Runnable again) {
        engine.worker()
                .after(
                        engine.spec().times().retryFirst(),
                        (a, b) -> {
                            if (!isOver()) {
                                again.run();
                            }
                        },
                        0,
                        0);
    }

    private void scanDtx(@Nullable DtxId behind) {
        Rpc m = new Rpc(RpcOp.SCAN_DTX);
        m.dtxClient = behind == null ? -1 : behind.client();
        m.dtxSequence = behind == null ? -1 : behind.sequence();
        ask(
                m,
                answer -> {
                    DtxList list = DtxList.of(answer);
                    for (DtxList.Item i : list.items()) {
                        committed(i);
                    }
                    if (list.isFull()) {
                        scanDtx(list.items().get(MOST - 1).id());
                    } else {
                        scanKeys(-1);
                    }
                },
                () -> scanDtx(behind));
    }

    private void committed(DtxList.Item i) {
        DtxEntry e = engine.dtx().find(i.id());
        if (e != null && e.epoch() == i.epoch() && e.state() == DtxState.PREPARED) {
            engine.commit(e); // it came by itself
        } else if (e == null || e.epoch() < i.epoch() || e.state() == DtxState.ABORTED) {
            if (!engine.rules().copiesTransactions()) {
                return;
            }
            engine.dtx().committed(i.id(), i.key(), i.epoch(), engine.worker().now());
            engine.vos().remember(i.id(), i.key(), i.epoch());
        }
    }

    private void scanKeys(long behind) {
        Rpc m = new Rpc(RpcOp.SCAN_KEYS);
        m.key = behind;
        ask(
                m,
                answer -> {
                    DtxList list = DtxList.of(answer);
                    for (DtxList.Item i : list.items()) {
                        if (lacks(i)) {
                            lacking.add(i);
                        }
                    }
                    long last = list.isFull() ? list.items().get(MOST - 1).key() : -1;
                    copyNext(last);
                },
                () -> scanKeys(behind));
    }

    private boolean lacks(DtxList.Item i) {
        Extent x = engine.vos().newest(i.key());
        return x == null || x.epoch() < i.epoch();
    }

    private void copyNext(long last) {
        DtxList.Item i = lacking.peek();
        if (i == null) {
            if (last >= 0) {
                scanKeys(last);
            } else {
                nextGroup();
            }
            return;
        }
        engine.dma().take(i.length(), s -> fetch(i, s, last));
    }

    private void fetch(DtxList.Item i, Slice s, long last) {
        Rpc m = new Rpc(RpcOp.REBUILD_FETCH);
        m.key = i.key();
        m.length = i.length();
        if (i.length() >= engine.spec().rpc().inlineBytes()) {
            m.flags = Rpc.BULK;
            m.bulkAddress = s.va();
            m.bulkRkey = s.chunk().rkey();
            m.bulkPeer = engine.number();
        }
        int leader = Math.max(0, engine.map().leader(group));
        engine.call(leader, m, engine.spec().times().rpc(), answer -> {
            if (isOver() || answer.status != RpcStatus.OK) {
                engine.worker().after(LATE_PS, (a, b) -> engine.dma().give(s), 0, 0);
                if (!isOver()) {
                    later(() -> scanKeys(-1));
                    lacking.clear();
                }
                return;
            }
            if (!m.isBulk()) {
                engine.worker().core().memory().putBytes(s.va(), answer.data, 0, answer.dataLength);
            }
            store(answer, s, last);
        });
    }

    private void store(Rpc answer, Slice s, long last) {
        lacking.poll();
        if (engine.vos().find(answer.key, answer.epoch) != null) {
            engine.dma().give(s); // it came by itself meanwhile
            copyNext(last);
            return;
        }
        DtxId id = new DtxId(answer.dtxClient, answer.dtxSequence);
        engine.vos()
                .write(id, answer.key, answer.epoch, s.va(), answer.length, answer.checksum, DtxState.COMMITTED, ok -> {
                    engine.dma().give(s);
                    if (ok) {
                        copied(id, answer);
                    }
                    if (!isOver()) {
                        copyNext(last);
                    }
                });
    }

    private void copied(DtxId id, Rpc of) {
        long now = engine.worker().now();
        engine.tap("copied", of.key, of.epoch);
        engine.dtx().committed(id, of.key, of.epoch, now);
        int g = engine.map().group(of.key);
        engine.watch().transactions().prepared(now, engine.number(), g, of.key, of.epoch);
        engine.watch().events().replaced(now, engine.number(), g, of.key, 0, of.epoch, of.checksum);
    }

    /** Answers one that is being brought up to date, when what began without it has ended. */
    static void answer(Engine engine, Rpc m) {
        int group = (int) m.argument;
        boolean early = engine.ops().stream().anyMatch(op -> op.group() == group && op.version() < m.mapVersion);
        if (!engine.leads(group) || early) {
            engine.context().answer(m, new Rpc().answers(m, RpcStatus.AGAIN));
            return;
        }
        DtxList list = new DtxList();
        if (m.op == dev.clockwire.storage.daos.rpc.RpcOp.SCAN_DTX) {
            DtxId from = m.dtxClient == -1 ? null : new DtxId(m.dtxClient, m.dtxSequence);
            for (Map.Entry<DtxId, DtxEntry> e : engine.dtx().behind(from).entrySet()) {
                DtxEntry d = e.getValue();
                if (d.state().isVisible() && engine.map().group(d.key()) == group) {
                    list.add(d.id(), d.key(), d.epoch(), DtxState.COMMITTED, 0);
                }
                if (list.isFull()) {
                    break;
                }
            }
        } else {
            for (long key : engine.vos().keysBehind(m.key)) {
                Extent x = engine.vos().newest(key);
                if (x != null && engine.map().group(key) == group) {
                    list.add(x.id(), key, x.epoch(), DtxState.COMMITTED, x.length());
                }
                if (list.isFull()) {
                    break;
                }
            }
        }
        engine.context().answer(m, list.into(new Rpc().answers(m, RpcStatus.OK)));
    }
}
