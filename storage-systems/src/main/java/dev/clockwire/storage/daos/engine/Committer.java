package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.daos.dtx.DtxEntry;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Commits what is committable, many at once and not at once; asks leaders for what has been prepared for long. */
final class Committer {
    private static final int LOOKS = 2;
    private static final int RIDERS = 64;

    private final Target target;
    private int waiting;

    Committer(Target target) {
        this.target = target;
    }

    void start() {
        long age = target.spec().times().dtxAge();
        target.worker().after(age / LOOKS, this::look, 0, 0);
        target.worker().after(target.spec().times().dtxRefresh() / LOOKS, this::refresh, 0, 0);
    }

    void committable() {
        waiting++;
        if (waiting >= target.spec().commitBatch()) {
            commit(0);
        }
    }

    private void look(long a, long b) {
        long age = target.spec().times().dtxAge();
        if (waiting > 0 && isPlaced()) {
            commit(age / LOOKS);
        }
        target.worker().after(age / LOOKS, this::look, 0, 0);
    }

    /** Commits those that are old enough. */
    private void commit(long agePs) {
        long now = target.worker().now();
        Map<Integer, DtxList> lists = new TreeMap<>();
        for (DtxEntry e : target.dtx().open(DtxState.COMMITTABLE)) {
            if (now - e.sincePs() < agePs) {
                continue;
            }
            waiting--;
            for (int to : target.map().members(target.map().group(e.key()), false)) {
                if (to == target.me()) {
                    continue;
                }
                DtxList list = lists.computeIfAbsent(to, k -> new DtxList());
                list.add(e.id(), e.key(), e.epoch(), DtxState.COMMITTED, 0);
                if (list.isFull()) {
                    send(to, list);
                    lists.remove(to);
                }
            }
            target.commit(e);
        }
        lists.forEach(this::send);
    }

    /**
     * Returns committable transactions of an object, as many as may ride on a request about it: replicas commit them before they do that.
     *
     * @param bytes that there is room for
     */
    List<DtxEntry> riders(long key, int bytes) {
        List<DtxEntry> some = new ArrayList<>();
        for (DtxEntry e : target.dtx().open(DtxState.COMMITTABLE)) {
            if (e.key() == key && some.size() < RIDERS && (some.size() + 1) * DtxList.BYTES <= bytes) {
                some.add(e);
            }
        }
        return some;
    }

    /** All replicas have got what rode on a request. */
    void arrived(List<DtxEntry> riders) {
        for (DtxEntry e : riders) {
            if (e.state() == DtxState.COMMITTABLE) {
                waiting--;
                target.commit(e);
            }
        }
    }

    /** Takes what rides on a request. */
    void ridden(Rpc m) {
        DtxList.of(m.riders, m.riders.length).items().forEach(this::apply);
    }

    /** Tells an engine of transactions that are decided. */
    void send(int to, DtxList list) {
        target.call(
                to, list.into(new Rpc(RpcOp.DTX_COMMIT)), target.spec().times().rpc(), answer -> {});
    }

    /** Whether it is known who leads what: an engine that is begun anew has its transactions before it has a pool map. */
    private boolean isPlaced() {
        return target.map().version() > 0;
    }

    private void refresh(long a, long b) {
        long old = target.worker().now() - target.spec().times().dtxRefresh();
        Map<Integer, DtxList> lists = new TreeMap<>();
        List<DtxEntry> prepared = isPlaced() ? target.dtx().open(DtxState.PREPARED) : List.of();
        for (DtxEntry e : prepared) {
            int leader = target.map().leader(target.map().group(e.key()));
            if (e.sincePs() > old || leader < 0 || leader == target.me()) {
                continue;
            }
            DtxList list = lists.computeIfAbsent(leader, k -> new DtxList());
            if (!list.isFull()) {
                list.add(e.id(), e.key(), e.epoch(), e.state(), 0);
            }
        }
        lists.forEach((to, list) -> target.call(
                to, list.into(new Rpc(RpcOp.DTX_REFRESH)), target.spec().times().rpc(), answer -> {
                    if (answer.status == RpcStatus.OK) {
                        DtxList.of(answer).items().forEach(this::apply);
                    }
                }));
        target.worker().after(target.spec().times().dtxRefresh() / LOOKS, this::refresh, 0, 0);
    }

    /** Answers a replica that asks what became of transactions. */
    void refreshed(Rpc m) {
        DtxList known = new DtxList();
        for (DtxList.Item i : DtxList.of(m).items()) {
            DtxEntry e = target.dtx().find(i.id());
            DtxState s;
            if (!target.leads(target.map().group(i.key()))) {
                s = DtxState.PREPARED; // ask again, or somebody else
            } else if (e == null || e.epoch() != i.epoch()) {
                s = DtxState.ABORTED;
            } else {
                s = e.state();
            }
            known.add(i.id(), i.key(), i.epoch(), s, 0);
        }
        target.context().answer(m, known.into(new Rpc().answers(m, RpcStatus.OK)));
    }

    /** Takes decisions of a leader. */
    void decided(Rpc m) {
        DtxList.of(m).items().forEach(this::apply);
        target.context().answer(m, new Rpc().answers(m, RpcStatus.OK));
    }

    private void apply(DtxList.Item i) {
        DtxEntry e = target.dtx().find(i.id());
        if (i.state().isVisible()) {
            if (e != null && e.epoch() == i.epoch() && e.state() == DtxState.PREPARED) {
                target.commit(e);
            }
        } else if (i.state() == DtxState.ABORTED) {
            aborted(i, e);
        }
    }

    /** What has not come yet must not come any more, either. */
    private void aborted(DtxList.Item i, @Nullable DtxEntry e) {
        boolean open = e != null && (e.state() == DtxState.PREPARED || e.state() == DtxState.INITED);
        if (e != null && e.epoch() <= i.epoch() && open) {
            target.abort(e);
        }
        if (e == null || (e.epoch() < i.epoch() && e.state() != DtxState.COMMITTED)) {
            target.abort(target.dtx()
                    .begin(i.id(), i.key(), i.epoch(), target.worker().now()));
        }
    }

    /** Answers a new leader that asks what is known here. */
    void checked(Rpc m) {
        DtxList known = new DtxList();
        for (DtxList.Item i : DtxList.of(m).items()) {
            DtxEntry e = target.dtx().find(i.id());
            known.add(i.id(), i.key(), i.epoch(), e == null || e.epoch() != i.epoch() ? DtxState.ABSENT : e.state(), 0);
        }
        target.context().answer(m, known.into(new Rpc().answers(m, RpcStatus.OK)));
    }
}
