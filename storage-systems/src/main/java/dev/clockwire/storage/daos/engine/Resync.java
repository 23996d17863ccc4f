package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.daos.dtx.DtxEntry;
import dev.clockwire.storage.daos.dtx.DtxId;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * DTX resync: who has become leader of a group decides what the one before has left behind, before it serves. Committed if anybody knows so or all who are left have
 * prepared, else aborted.
 */
final class Resync {
    private final Target target;
    private final int group;
    private final int version;
    private final List<Integer> others = new ArrayList<>();
    private final TreeMap<DtxId, Open> found = new TreeMap<>();
    private int waiting;
    private boolean failed;

    /** A transaction that is open somewhere. */
    private static final class Open {
        final DtxId id;
        final long key;
        final long epoch;
        final TreeSet<Integer> prepared = new TreeSet<>();
        boolean visible;

        Open(DtxId id, long key, long epoch) {
            this.id = id;
            this.key = key;
            this.epoch = epoch;
        }
    }

    Resync(Target target, int group) {
        this.target = target;
        this.group = group;
        version = target.map().version();
        for (int e : target.map().members(group, true)) {
            if (e != target.me()) {
                others.add(e);
            }
        }
    }

    private boolean isOver() {
        return target.isOver() || target.map().version() != version;
    }

    void start() {
        if (isOver()) {
            return;
        }
        found.clear();
        failed = false;
        for (DtxEntry e : target.dtx().open(DtxState.PREPARED)) {
            if (target.map().group(e.key()) == group) {
                open(e.id(), e.key(), e.epoch()).prepared.add(target.me());
            }
        }
        waiting = others.size();
        others.forEach(e -> list(e, null));
        if (others.isEmpty()) {
            decide();
        }
    }

    private Open open(DtxId id, long key, long epoch) {
        Open o = found.get(id);
        if (o == null || o.epoch < epoch) {
            o = new Open(id, key, epoch);
            found.put(id, o);
        }
        return o;
    }

    private void list(int of, @org.jspecify.annotations.Nullable DtxId behind) {
        Rpc m = new Rpc(RpcOp.DTX_LIST);
        m.argument = group;
        m.dtxClient = behind == null ? -1 : behind.client();
        m.dtxSequence = behind == null ? -1 : behind.sequence();
        target.call(of, m, target.spec().times().rpc(), answer -> listed(of, answer));
    }

    private void listed(int of, Rpc answer) {
        if (isOver()) {
            return;
        }
        if (answer.status != RpcStatus.OK) {
            failed = true;
            one(this::check);
            return;
        }
        DtxList list = DtxList.of(answer);
        for (DtxList.Item i : list.items()) {
            Open o = open(i.id(), i.key(), i.epoch());
            if (o.epoch == i.epoch()) {
                o.prepared.add(of);
            }
        }
        if (list.isFull()) {
            list(of, list.items().get(list.items().size() - 1).id());
        } else {
            one(this::check);
        }
    }

    private void one(Runnable then) {
        waiting--;
        if (waiting > 0) {
            return;
        }
        if (failed) {
            target.worker().after(target.spec().times().retryFirst(), (a, b) -> start(), 0, 0);
        } else {
            then.run();
        }
    }

    /** Asks those who have not prepared what they know instead. */
    private void check() {
        Map<Integer, List<DtxList>> asks = new TreeMap<>();
        for (Open o : found.values()) {
            DtxEntry mine = target.dtx().find(o.id);
            o.visible |= mine != null && mine.epoch() == o.epoch && mine.state().isVisible();
            for (int e : others) {
                if (!o.prepared.contains(e)) {
                    List<DtxList> of = asks.computeIfAbsent(e, k -> new ArrayList<>());
                    if (of.isEmpty() || of.get(of.size() - 1).isFull()) {
                        of.add(new DtxList());
                    }
                    of.get(of.size() - 1).add(o.id, o.key, o.epoch, DtxState.PREPARED, 0);
                }
            }
        }
        waiting = asks.values().stream().mapToInt(List::size).sum();
        if (waiting == 0) {
            decide();
        }
        asks.forEach((e, lists) -> lists.forEach(list -> target.call(
                e, list.into(new Rpc(RpcOp.DTX_CHECK)), target.spec().times().rpc(), this::checked)));
    }

    private void checked(Rpc answer) {
        if (isOver()) {
            return;
        }
        failed |= answer.status != RpcStatus.OK;
        for (DtxList.Item i : DtxList.of(answer).items()) {
            Open o = found.get(i.id());
            if (o != null && o.epoch == i.epoch()) {
                o.visible |= i.state().isVisible();
            }
        }
        one(this::decide);
    }

    private void decide() {
        DtxList list = new DtxList();
        for (Open o : found.values()) {
            boolean all = o.prepared.contains(target.me()) && o.prepared.containsAll(others);
            boolean commit = target.rules().commits(o.visible, all);
            DtxEntry mine = target.dtx().find(o.id);
            if (mine == null || mine.epoch() < o.epoch) {
                mine = target.dtx().begin(o.id, o.key, o.epoch, target.worker().now());
            }
            if (mine.epoch() == o.epoch) {
                if (commit && mine.state() == DtxState.PREPARED) {
                    target.commit(mine);
                } else if (!commit && !mine.state().isVisible()) {
                    target.abort(mine);
                }
            }
            target.tap("resync", o.key, o.epoch);
            list.add(o.id, o.key, o.epoch, commit ? DtxState.COMMITTED : DtxState.ABORTED, 0);
            if (list.isFull()) {
                tell(list);
                list = new DtxList();
            }
        }
        tell(list);
        target.resynced(group);
    }

    private void tell(DtxList list) {
        if (!list.items().isEmpty()) {
            others.forEach(e -> target.committer().send(e, list));
        }
    }

    /** Answers a new leader with what is prepared here. */
    static void answer(Target target, Rpc m) {
        int group = (int) m.argument;
        boolean isLeader = target.map().leader(group) == target.net().engineOn(m.sender);
        Rpc a = new Rpc().answers(m, isLeader ? RpcStatus.OK : RpcStatus.AGAIN);
        DtxList list = new DtxList();
        DtxId from = new DtxId(m.dtxClient, m.dtxSequence);
        for (DtxEntry e : target.dtx().open(DtxState.PREPARED)) {
            boolean behind = m.dtxClient == -1 || e.id().compareTo(from) > 0;
            if (behind && target.map().group(e.key()) == group && !list.isFull()) {
                list.add(e.id(), e.key(), e.epoch(), e.state(), 0);
            }
        }
        target.context().answer(m, list.into(a));
    }
}
