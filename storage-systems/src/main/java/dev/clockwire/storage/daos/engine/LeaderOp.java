package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.daos.dtx.DtxEntry;
import dev.clockwire.storage.daos.dtx.DtxId;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import dev.clockwire.storage.daos.vos.Extent;
import java.util.TreeSet;

/** An update at its leader: dispatched to all replicas and executed here at the same time; visible and answered once all have prepared. */
final class LeaderOp {
    private final Engine engine;
    private final Rpc m;
    private final int version;
    private final int group;
    private final DtxEntry entry;
    private final TreeSet<Integer> members = new TreeSet<>();
    private final TreeSet<Integer> missing = new TreeSet<>();
    private Rpc asker;
    private boolean over;

    LeaderOp(Engine engine, Rpc m) {
        this.engine = engine;
        this.m = m;
        asker = m;
        PoolMap map = engine.map();
        version = map.version();
        group = map.group(m.key);
        DtxId id = new DtxId(m.dtxClient, m.dtxSequence);
        entry = engine.dtx()
                .begin(
                        id,
                        m.key,
                        engine.context().clock().now(),
                        engine.worker().now());
        entry.owner(this);
        engine.watch().events().headed(engine.worker().now(), engine.number(), group, version);
        engine.watch()
                .transactions()
                .begun(engine.worker().now(), engine.number(), group, m.key, entry.epoch(), id.client(), id.sequence());
        members.addAll(map.members(group, false));
        missing.addAll(members);
    }

    void start() {
        engine.ops().add(this);
        engine.tap("dispatch", m.key, entry.epoch());
        for (int e : members) {
            if (e != engine.me()) {
                forward(e);
            }
        }
        new LocalWrite(engine, m, entry, how -> local(how)).start();
    }

    private void forward(int to) {
        Rpc f = m.copy();
        f.flags |= Rpc.FORWARDED;
        f.epoch = entry.epoch();
        engine.call(to, f, engine.spec().times().rpc(), answer -> {
            engine.tap("replica", m.key, entry.epoch());
            prepared(to, answer.status);
        });
        engine.tap("forward", m.key, entry.epoch());
    }

    private void local(RpcStatus how) {
        if (over) {
            return;
        }
        if (how == RpcStatus.OK) {
            engine.prepared(entry);
        }
        prepared(engine.me(), how);
    }

    private void prepared(int who, RpcStatus how) {
        if (over) {
            return;
        }
        if (how != RpcStatus.OK) {
            abort(how == RpcStatus.NOSPACE || how == RpcStatus.CSUM ? how : RpcStatus.AGAIN);
            return;
        }
        missing.remove(who);
        if (engine.rules().isComplete(missing, engine.me())) {
            over();
            Extent x = engine.vos().find(m.key, entry.epoch());
            if (x != null) {
                engine.vos().committable(x);
            }
            engine.dtx().move(entry, DtxState.COMMITTABLE, engine.worker().now());
            engine.tap("committable", m.key, entry.epoch());
            engine.watch()
                    .transactions()
                    .committable(engine.worker().now(), engine.number(), group, m.key, entry.epoch());
            engine.committer().committable();
            answer(RpcStatus.OK);
        }
    }

    /** The client has sent it again: the answer goes where it asked last. */
    void askedAgain(Rpc again) {
        asker = again;
    }

    private void answer(RpcStatus how) {
        Rpc a = new Rpc().answers(asker, how);
        a.epoch = entry.epoch();
        engine.tap("answer", m.key, entry.epoch());
        engine.context().answer(asker, a);
    }

    private void over() {
        over = true;
        entry.owner(null);
        engine.ops().remove(this);
    }

    /** Undoes it everywhere. */
    private void abort(RpcStatus how) {
        over();
        engine.abort(entry);
        DtxList list = new DtxList();
        list.add(entry.id(), m.key, entry.epoch(), DtxState.ABORTED, 0);
        for (int e : engine.map().members(group, false)) {
            if (e != engine.me() && members.contains(e)) {
                engine.committer().send(e, list);
            }
        }
        answer(how);
    }

    /** The pool map has changed: another leads, or somebody who has not prepared is gone. */
    void changed(PoolMap map) {
        if (map.leader(group) != engine.me()) {
            over();
            if (entry.state() != DtxState.PREPARED) {
                engine.abort(entry);
            }
            answer(RpcStatus.AGAIN); // the new leader decides
        } else if (!map.members(group, false).containsAll(missing)) {
            abort(RpcStatus.AGAIN);
        }
    }

    int version() {
        return version;
    }

    int group() {
        return group;
    }
}
