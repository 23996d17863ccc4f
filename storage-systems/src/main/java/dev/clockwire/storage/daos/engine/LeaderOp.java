package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.daos.dtx.DtxEntry;
import dev.clockwire.storage.daos.dtx.DtxId;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.rpc.DmaBuffer.Slice;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import dev.clockwire.storage.daos.vos.Extent;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An update at its leader: dispatched to all replicas and executed here at the same time; visible and answered once all have prepared. */
final class LeaderOp {
    private final Target target;
    private final Rpc m;
    private final int version;
    private final int group;
    private final DtxEntry entry;
    private final TreeSet<Integer> members = new TreeSet<>();
    private final TreeSet<Integer> missing = new TreeSet<>();
    private Rpc asker;
    private @Nullable LocalWrite write;
    private final DtxList riders = new DtxList();
    private List<DtxEntry> riding = List.of();
    private int reached;
    private boolean over;

    LeaderOp(Target target, Rpc m) {
        this.target = target;
        this.m = m;
        asker = m;
        PoolMap map = target.map();
        version = map.version();
        group = map.group(m.key);
        DtxId id = new DtxId(m.dtxClient, m.dtxSequence);
        entry = target.dtx()
                .begin(
                        id,
                        m.key,
                        target.context().clock().now(),
                        target.worker().now());
        entry.owner(this);
        target.watch().events().headed(target.worker().now(), target.number(), group, version);
        target.watch()
                .transactions()
                .begun(target.worker().now(), target.number(), group, m.key, entry.epoch(), id.client(), id.sequence());
        members.addAll(target.rules().written(map, group));
        missing.addAll(members);
    }

    void start() {
        target.ops().add(this);
        int room = target.spec().rpc().limitBytes() - target.spec().rpc().requestBytes() - m.dataLength;
        riding = target.committer().riders(m.key, room);
        riding.forEach(e -> riders.add(e.id(), e.key(), e.epoch(), DtxState.COMMITTED, 0));
        target.tap("dispatch", entry);
        if (target.spec().leaderSends() && m.isBulk()) {
            write = new LocalWrite(target, m, entry, this::local, this::filled);
            write.start();
            return;
        }
        for (int e : members) {
            if (e != target.me()) {
                forward(e, m.copy(), ok -> {});
            }
        }
        new LocalWrite(target, m, entry, this::local).start();
    }

    /** The value is in the leader's buffer, where replicas read it. */
    private void filled(Slice s) {
        LocalWrite by = write;
        for (int e : members) {
            if (e != target.me() && by != null) {
                Rpc f = m.copy();
                f.bulkAddress = s.va();
                f.bulkRkey = s.chunk().rkey();
                f.bulkPeer = target.net().address(target.me(), target.index());
                by.hold();
                forward(e, f, ok -> left(by, s, ok));
            }
        }
    }

    private void left(LocalWrite by, Slice s, boolean ok) {
        if (ok) {
            by.leave(s);
        } else {
            target.worker().after(Rebuild.LATE_PS, (a, b) -> by.leave(s), 0, 0); // it may still read there
        }
    }

    private void forward(int to, Rpc f, Consumer<Boolean> ended) {
        f.flags |= Rpc.FORWARDED;
        f.riders = riders.bytes();
        f.epoch = entry.epoch();
        target.forward(to, f, answer -> {
            target.tap("replica", entry);
            ended.accept(answer.status != RpcStatus.UNREACHABLE);
            reached += answer.status == RpcStatus.UNREACHABLE ? 0 : 1;
            prepared(to, answer.status);
        });
        target.tap("forward", entry);
    }

    private void local(RpcStatus how) {
        if (over) {
            return;
        }
        if (how == RpcStatus.OK) {
            target.prepared(entry);
        }
        prepared(target.me(), how);
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
        if (target.rules().isComplete(missing, target.me())) {
            over();
            if (reached == members.size() - 1) {
                target.committer().arrived(riding);
            }
            Extent x = target.vos().find(m.key, entry.epoch());
            if (x != null) {
                target.vos().committable(x);
            }
            target.dtx().move(entry, DtxState.COMMITTABLE, target.worker().now());
            target.tap("committable", entry);
            target.watch()
                    .transactions()
                    .committable(target.worker().now(), target.number(), group, m.key, entry.epoch());
            target.committer().committable();
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
        target.tap("answer", entry);
        target.context().answer(asker, a);
    }

    private void over() {
        over = true;
        entry.owner(null);
        target.ops().remove(this);
    }

    /** Undoes it everywhere. */
    private void abort(RpcStatus how) {
        over();
        target.abort(entry);
        DtxList list = new DtxList();
        list.add(entry.id(), m.key, entry.epoch(), DtxState.ABORTED, 0);
        for (int e : target.map().members(group, false)) {
            if (e != target.me() && members.contains(e)) {
                target.committer().send(e, list);
            }
        }
        answer(how);
    }

    /** The pool map has changed: another leads, or somebody who has not prepared is gone. */
    void changed(PoolMap map) {
        if (map.leader(group) != target.me()) {
            over();
            if (entry.state() != DtxState.PREPARED) {
                target.abort(entry);
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
