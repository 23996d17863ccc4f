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
    static final long LATE_PS = 100_000_000_000L;

    private static final int MOST = DtxList.MOST;

    private final Target target;
    private final int version;
    private final Deque<DtxList.Item> lacking = new ArrayDeque<>();
    private int group;

    Rebuild(Target target) {
        this.target = target;
        version = target.map().version();
        group = -1;
    }

    private boolean isOver() {
        return target.isOver() || target.map().version() != version;
    }

    void start() {
        target.tap("rebuild", 0, 0);
        if (target.rules().copiesValues()) {
            nextGroup();
        } else {
            target.rebuilt(version);
        }
    }

    private void nextGroup() {
        group++;
        PoolMap map = target.map();
        while (group < map.groups() && !map.holds(group, target.me())) {
            group++;
        }
        if (group == map.groups()) {
            target.tap("rebuilt", 0, 0);
            target.rebuilt(version);
        } else {
            scanDtx(null);
        }
    }

    private void ask(Rpc m, java.util.function.Consumer<Rpc> then, Runnable again) {
        int leader = target.map().leader(group);
        if (leader < 0) {
            later(again);
            return;
        }
        m.argument = group;
        target.call(leader, m, target.spec().times().rpc(), answer -> {
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
        target.worker()
                .after(
                        target.spec().times().retryFirst(),
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
        DtxEntry e = target.dtx().find(i.id());
        if (e != null && e.epoch() == i.epoch() && e.state() == DtxState.PREPARED) {
            target.commit(e); // it came by itself
        } else if (e == null || e.epoch() < i.epoch() || e.state() == DtxState.ABORTED) {
            if (!target.rules().copiesTransactions()) {
                return;
            }
            target.dtx().committed(i.id(), i.key(), i.epoch(), target.worker().now());
            target.vos().remember(i.id(), i.key(), i.epoch());
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
        Extent x = target.vos().newest(i.key());
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
        target.dma().take(i.length(), s -> fetch(i, s, last));
    }

    private void fetch(DtxList.Item i, Slice s, long last) {
        Rpc m = new Rpc(RpcOp.REBUILD_FETCH);
        m.key = i.key();
        m.length = i.length();
        if (i.length() >= target.spec().rpc().inlineBytes()) {
            m.flags = Rpc.BULK;
            m.bulkAddress = s.va();
            m.bulkRkey = s.chunk().rkey();
            m.bulkPeer = target.number();
        }
        int leader = Math.max(0, target.map().leader(group));
        target.call(leader, m, target.spec().times().rpc(), answer -> {
            if (isOver() || answer.status != RpcStatus.OK) {
                target.worker().after(LATE_PS, (a, b) -> target.dma().give(s), 0, 0);
                lookAgain();
                return;
            }
            if (!m.isBulk()) {
                target.worker().core().memory().putBytes(s.va(), answer.data, 0, answer.dataLength);
            }
            store(answer, s, last);
        });
    }

    /** What could not be copied is lacking still: an engine that went on without it would serve what it has not. */
    private void lookAgain() {
        lacking.clear();
        if (!isOver()) {
            later(() -> scanKeys(-1));
        }
    }

    private void store(Rpc answer, Slice s, long last) {
        lacking.poll();
        Extent here = target.vos().find(answer.key, answer.epoch);
        if (here != null) {
            target.dma().give(s);
            if (here.state() == DtxState.INITED) {
                lookAgain(); // the copy under an older map is on its way to the disk, which may refuse it
            } else {
                copyNext(last); // it came by itself meanwhile
            }
            return;
        }
        DtxId id = new DtxId(answer.dtxClient, answer.dtxSequence);
        target.vos()
                .write(id, answer.key, answer.epoch, s.va(), answer.length, answer.checksum, DtxState.COMMITTED, ok -> {
                    target.dma().give(s);
                    if (!ok) {
                        lookAgain();
                        return;
                    }
                    copied(id, answer);
                    if (!isOver()) {
                        copyNext(last);
                    }
                });
    }

    private void copied(DtxId id, Rpc of) {
        long now = target.worker().now();
        target.tap("copied", of.key, of.epoch);
        target.dtx().committed(id, of.key, of.epoch, now);
        int g = target.map().group(of.key);
        target.watch().transactions().prepared(now, target.number(), g, of.key, of.epoch);
        Extent newest = target.vos().newest(of.key);
        if (newest != null
                && newest.epoch() == of.epoch) { // a newer one may have come by itself while a slow disk wrote this
            target.watch().events().replaced(now, target.number(), g, of.key, 0, of.epoch, of.checksum);
        }
    }

    /** Answers one that is being brought up to date, when what began without it has ended. */
    static void answer(Target target, Rpc m) {
        int group = (int) m.argument;
        boolean early = target.ops().stream().anyMatch(op -> op.group() == group && op.version() < m.mapVersion);
        if (!target.leads(group) || early) {
            target.context().answer(m, new Rpc().answers(m, RpcStatus.AGAIN));
            return;
        }
        DtxList list = new DtxList();
        if (m.op == dev.clockwire.storage.daos.rpc.RpcOp.SCAN_DTX) {
            DtxId from = m.dtxClient == -1 ? null : new DtxId(m.dtxClient, m.dtxSequence);
            for (Map.Entry<DtxId, DtxEntry> e : target.dtx().behind(from).entrySet()) {
                DtxEntry d = e.getValue();
                if (d.state().isVisible() && target.map().group(d.key()) == group) {
                    list.add(d.id(), d.key(), d.epoch(), DtxState.COMMITTED, 0);
                }
                if (list.isFull()) {
                    break;
                }
            }
        } else {
            for (long key : target.vos().keysBehind(m.key)) {
                Extent x = target.vos().newest(key);
                if (x != null && target.map().group(key) == group) {
                    list.add(x.id(), key, x.epoch(), DtxState.COMMITTED, x.length());
                }
                if (list.isFull()) {
                    break;
                }
            }
        }
        target.context().answer(m, list.into(new Rpc().answers(m, RpcStatus.OK)));
    }
}
