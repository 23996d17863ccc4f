package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.daos.dtx.DtxEntry;
import dev.clockwire.storage.daos.dtx.DtxId;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.dtx.DtxTable;
import dev.clockwire.storage.daos.pool.DaosNet;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.pool.TargetState;
import dev.clockwire.storage.daos.rpc.DmaBuffer;
import dev.clockwire.storage.daos.rpc.HybridClock;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcContext;
import dev.clockwire.storage.daos.rpc.RpcHandler;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcReply;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import dev.clockwire.storage.daos.vos.Extent;
import dev.clockwire.storage.daos.vos.Vos;
import dev.clockwire.storage.daos.vos.VosDisk;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A target of an engine: a stream that polls its endpoint and runs everything to completion, on a core of its own, with its part of the objects and of the SSD. */
public final class Target implements RpcHandler {
    private static final int FORGETS = 8;

    private final Engine engine;
    private final int index;
    private final Worker worker;
    private final RpcContext context;
    private final Vos vos;
    private final DtxTable dtx = new DtxTable();
    private final DmaBuffer dma;
    private final Committer committer;
    private final Set<LeaderOp> ops = new LinkedHashSet<>();
    /** Groups that it leads and whose leftovers are not decided yet. */
    private final TreeSet<Integer> closed = new TreeSet<>();

    private final List<Rpc> parked = new ArrayList<>();
    private PoolMap map = PoolMap.NONE;
    private long leaseUntil;

    /** Creates a target of an engine, on what is durable. */
    Target(Engine engine, int index, VosDisk disk) {
        this.engine = engine;
        this.index = index;
        Node node = engine.node();
        worker = node.worker(index);
        DaosSpec spec = engine.spec();
        context =
                new RpcContext(node, index, net().all(), net().wire(), spec.ofi(), spec.rpc(), Integer.MAX_VALUE, this);
        vos = new Vos(
                node, index, spec.targets(), spec.vos(), disk, (what, x) -> tap(what, x.id(), x.key(), x.epoch()));
        dma = new DmaBuffer(node, index, context.endpoint(), spec.chunkBytes(), spec.chunks());
        committer = new Committer(this);
        long now = worker.now();
        vos.committed().forEach((id, c) -> dtx.committed(id, c.key(), c.epoch(), now));
        for (Extent x : vos.prepared()) {
            dtx.move(dtx.begin(x.id(), x.key(), x.epoch(), now), DtxState.PREPARED, now);
        }
    }

    /** Begins, on its own worker; {@code then} runs on worker 0. */
    void start(Runnable then) {
        context.open(() -> engine.onFirst(this, () -> {
            worker.post((a, b) -> begin(), 0, 0);
            then.run();
        }));
    }

    private void begin() {
        committer.start();
        worker.after(spec().times().dtxKeep() / FORGETS, this::forget, 0, 0);
    }

    /** Makes connections to the same target of all engines behind its own. */
    void meet() {
        for (int e = me() + 1; e < net().engines(); e++) {
            connect(e);
        }
    }

    /** Hears until when it may serve. */
    void lease(long untilPs) {
        leaseUntil = untilPs;
    }

    private void forget(long a, long b) {
        long old = worker.now() - spec().times().dtxKeep();
        dtx.forget(old);
        if (old > 0) {
            vos.forget(HybridClock.at(old));
        }
        worker.after(spec().times().dtxKeep() / FORGETS, this::forget, 0, 0);
    }

    /** Hears of a newer pool map. */
    void changed(PoolMap next) {
        PoolMap last = map;
        map = next;
        context.mapVersion(next.version());
        adopted(last, next);
        next.lostSince(last).forEach(e -> context.abort(net().address(e, index)));
        new ArrayList<>(ops).forEach(op -> op.changed(next));
        TargetState state = next.state(me());
        if (state != TargetState.UPIN) {
            closed.clear();
            if (state == TargetState.UP) {
                dtx.open(DtxState.PREPARED).forEach(this::abort); // what of it counts will be copied
                new Rebuild(this).start();
            }
            return;
        }
        for (int g = 0; g < next.groups(); g++) {
            boolean led = last.version() > 0 && last.leader(g) == me() && last.state(me()) == TargetState.UPIN;
            boolean fresh = next.version() == 1 || (led && !closed.contains(g));
            if (next.leader(g) != me()) {
                closed.remove(g);
            } else if (!fresh && rules().resyncs()) {
                closed.add(g);
                new Resync(this, g).start();
            }
        }
    }

    private void adopted(PoolMap last, PoolMap next) {
        long now = worker.now();
        if (index == 0) {
            engine.adopted(last, next);
        }
        if (last.version() == 0) {
            for (Extent x : vos.visible()) {
                watch().events().replaced(now, number(), next.group(x.key()), x.key(), 0, x.epoch(), x.checksum());
            }
        }
    }

    /** A group's leftovers are decided. */
    void resynced(int group) {
        closed.remove(group);
    }

    /** Everything has been copied. */
    void rebuilt(int version) {
        engine.onFirst(this, () -> engine.rebuilt(index, version));
    }

    @Override
    public void request(Rpc m) {
        if (map.version() == 0) {
            context.answer(m, new Rpc().answers(m, RpcStatus.AGAIN));
            return;
        }
        boolean placed = m.op != RpcOp.PING && m.op != RpcOp.PING_FOR && m.op != RpcOp.CONNECT;
        if (placed && m.mapVersion > map.version()) {
            parked.add(m);
            engine.onFirst(this, () -> engine.refresh(() -> engine.on(this, this::unpark)));
            return;
        }
        dispatch(m);
    }

    private void unpark() {
        List<Rpc> now = new ArrayList<>(parked);
        parked.clear();
        for (Rpc m : now) {
            if (m.mapVersion > map.version()) {
                context.answer(m, new Rpc().answers(m, RpcStatus.AGAIN));
            } else {
                dispatch(m);
            }
        }
    }

    private void dispatch(Rpc m) {
        switch (m.op) {
            case UPDATE -> update(m);
            case FETCH -> fetch(m);
            case REBUILD_FETCH -> {
                Extent x = vos.newest(m.key);
                if (!leads(map.group(m.key)) || x == null) {
                    context.answer(m, new Rpc().answers(m, RpcStatus.AGAIN));
                } else {
                    new FetchOp(this, m, x).start();
                }
            }
            case DTX_COMMIT -> committer.decided(m);
            case DTX_REFRESH -> committer.refreshed(m);
            case DTX_CHECK -> committer.checked(m);
            case DTX_LIST -> Resync.answer(this, m);
            case SCAN_DTX, SCAN_KEYS -> Rebuild.answer(this, m);
            case PING, CONNECT -> context.answer(m, new Rpc().answers(m, RpcStatus.OK));
            case PING_FOR -> engine.swim().pingFor(m);
            default -> context.answer(m, new Rpc().answers(m, RpcStatus.INVALID));
        }
    }

    /** Returns whether it may decide for a group: it leads it, nothing of an earlier leader is open, and its lease is good. */
    boolean leads(int group) {
        return map.leader(group) == me() && !closed.contains(group) && isLeased();
    }

    private boolean isLeased() {
        return rules().isLeased(worker.now(), leaseUntil);
    }

    private void update(Rpc m) {
        tap("received", m.key, m.epoch);
        transaction("received", m);
        if ((m.flags & Rpc.FORWARDED) != 0) {
            forwarded(m);
            return;
        }
        int group = map.group(m.key);
        if (map.leader(group) != me()) {
            plainly("answer", m, RpcStatus.STALE);
            return;
        }
        if (!leads(group)) {
            plainly("answer", m, RpcStatus.AGAIN);
            return;
        }
        DtxEntry e = rules().known(dtx.find(new DtxId(m.dtxClient, m.dtxSequence)));
        if (e != null && e.state().isVisible()) {
            Rpc a = new Rpc().answers(m, RpcStatus.OK);
            a.epoch = e.epoch();
            transaction("answer", m);
            context.answer(m, a);
        } else if (e != null && e.owner() instanceof LeaderOp op && rules().joins(e.state())) {
            op.askedAgain(m);
        } else {
            new LeaderOp(this, m).start();
        }
    }

    /** Answers with a status alone. */
    private void plainly(String what, Rpc m, RpcStatus how) {
        transaction(what, m);
        context.answer(m, new Rpc().answers(m, how));
    }

    private boolean isLeaderOf(long key, int sender) {
        int leader = map.leader(map.group(key));
        return leader >= 0 && net().engine(leader).number() == sender && map.state(me()) != TargetState.DOWN;
    }

    private void forwarded(Rpc m) {
        committer.ridden(m);
        DtxId id = new DtxId(m.dtxClient, m.dtxSequence);
        DtxEntry known = dtx.find(id);
        boolean late = known != null && known.epoch() >= m.epoch;
        boolean twice = known != null && known.state() == DtxState.COMMITTED;
        if (late || twice || !isLeaderOf(m.key, m.sender)) {
            boolean same = known != null && known.epoch() == m.epoch && known.state() == DtxState.PREPARED;
            plainly("reply", m, same ? RpcStatus.OK : RpcStatus.AGAIN);
            return;
        }
        if (known != null) {
            abort(known); // its leader executes it again
        }
        DtxEntry e = dtx.begin(id, m.key, m.epoch, worker.now());
        new LocalWrite(this, m, e, how -> {
                    RpcStatus now = how;
                    if (e.state() == DtxState.INITED) {
                        if (how == RpcStatus.OK && isLeaderOf(m.key, m.sender)) {
                            prepared(e);
                        } else {
                            abort(e);
                            now = how == RpcStatus.OK ? RpcStatus.AGAIN : how;
                        }
                    } else {
                        now = RpcStatus.AGAIN;
                    }
                    tap("reply", e);
                    context.answer(m, new Rpc().answers(m, now));
                })
                .start();
    }

    /** A transaction is durable here, and invisible. */
    void prepared(DtxEntry e) {
        dtx.move(e, DtxState.PREPARED, worker.now());
        tap("prepared", e);
        watch().transactions().prepared(worker.now(), number(), map.group(e.key()), e.key(), e.epoch());
    }

    private void fetch(Rpc m) {
        tap("fetch", m.key, 0);
        reading("fetch", m);
        int group = map.group(m.key);
        boolean leader = map.leader(group) == me();
        Extent x = rules().readable(vos, m.key);
        RpcStatus how = RpcStatus.OK;
        if (map.state(me()) != TargetState.UPIN || !map.holds(group, me())) {
            how = RpcStatus.STALE;
        } else if (!isLeased() || closed.contains(group)) {
            how = RpcStatus.AGAIN;
        } else if (!leader && rules().asksLeader(vos, m.key, x == null ? -1 : x.epoch())) {
            how = RpcStatus.TO_LEADER;
        } else if (x == null) {
            how = RpcStatus.NONEXIST;
        }
        if (how == RpcStatus.OK && x != null) {
            new FetchOp(this, m, x).start();
        } else {
            reading("fetch.answer", m);
            context.answer(m, new Rpc().answers(m, how));
        }
    }

    /** Makes what a transaction has written visible here for good. */
    void commit(DtxEntry e) {
        dtx.move(e, DtxState.COMMITTED, worker.now());
        tap("commit", e.key(), e.epoch());
        watch().transactions().decided(worker.now(), number(), map.group(e.key()), e.key(), e.epoch());
        Extent x = vos.find(e.key(), e.epoch());
        if (x != null) {
            vos.commit(x, ok -> {
                tap("committed", e.key(), e.epoch());
                durable(x);
            });
        }
    }

    /** A version is committed for good: told if it is the newest. */
    void durable(Extent x) {
        if (vos.newest(x.key()) == x) {
            long now = worker.now();
            int group = map.group(x.key());
            watch().events().updated(now, number(), group, x.key(), x.epoch());
            watch().events().committed(now, number(), group, x.key(), 0, x.epoch(), x.checksum());
        }
    }

    /** Undoes a transaction here, and keeps it from coming back. */
    void abort(DtxEntry e) {
        Extent x = vos.find(e.key(), e.epoch());
        dtx.move(e, DtxState.ABORTED, worker.now());
        if (x != null && !x.state().isVisible()) {
            vos.abort(x);
        }
        tap("aborted", e.key(), e.epoch());
        watch().transactions().aborted(worker.now(), number(), map.group(e.key()), e.key(), e.epoch());
    }

    /** Asks another engine. */
    void call(int engine, Rpc m, long timeoutPs, RpcReply reply) {
        context.call(net().address(engine, index), m, timeoutPs, answer -> {
            if (!isOver()) {
                reply.answered(answer);
            }
        });
    }

    /** Sends a request of a client on to the same target of another engine; an offload stream does it if there is one. */
    void forward(int to, Rpc m, RpcReply reply) {
        Offload offload = engine.offload();
        long timeout = spec().times().rpc();
        if (offload == null) {
            call(to, m, timeout, reply);
        } else {
            offload.forward(this, net().address(to, index), m, timeout, reply);
        }
    }

    /** Makes a connection to another engine, so that the first write does not wait for it. */
    private void connect(int other) {
        call(other, new Rpc(RpcOp.CONNECT), spec().times().rpc(), answer -> {
            if (answer.status != RpcStatus.OK) {
                worker.after(spec().times().retryFirst(), (a, b) -> connect(other), 0, 0);
            }
        });
    }

    /** Returns whether there is a connection to the same target of each other engine. */
    boolean isConnected() {
        for (int e = 0; e < net().engines(); e++) {
            if (e != me() && !context.endpoint().isConnected(net().address(e, index))) {
                return false;
            }
        }
        return true;
    }

    /** A step of a transaction. */
    void tap(String what, DtxEntry e) {
        tap(what, e.id(), e.key(), e.epoch());
    }

    private void tap(String what, DtxId id, long key, long epoch) {
        tap(what, key, epoch);
        watch().operation(number(), what, id.client(), id.sequence(), worker.now());
    }

    /** A step of the transaction that an RPC is of, for who follows single operations. */
    private void transaction(String what, Rpc m) {
        watch().operation(number(), what, m.dtxClient, m.dtxSequence, worker.now());
    }

    /** A step of a read, for who follows single operations. */
    void reading(String what, Rpc m) {
        watch().reading(number(), what, m, worker.now());
    }

    void tap(String what, long key, long epoch) {
        watch().tap().step(me(), what, key, epoch);
        watch().steps().step(number(), what, worker.now());
    }

    Watch watch() {
        return engine.watch();
    }

    DtxRules rules() {
        return engine.rules();
    }

    /** Returns whether its incarnation is gone. */
    boolean isOver() {
        return engine.isOver();
    }

    /** Returns its stream. */
    public Worker worker() {
        return worker;
    }

    /** Returns which target of its engine it is. */
    int index() {
        return index;
    }

    /** Returns the engine's place in the pool map. */
    int me() {
        return engine.me();
    }

    int number() {
        return engine.node().number();
    }

    DaosSpec spec() {
        return engine.spec();
    }

    DaosNet net() {
        return engine.net();
    }

    /** Returns its RPCs. */
    public RpcContext context() {
        return context;
    }

    /** Returns the pool map as it knows it. */
    public PoolMap map() {
        return map;
    }

    /** Returns its store. */
    public Vos vos() {
        return vos;
    }

    /** Returns what it knows of transactions. */
    public DtxTable dtx() {
        return dtx;
    }

    /** Returns its DMA buffer. */
    public DmaBuffer dma() {
        return dma;
    }

    Committer committer() {
        return committer;
    }

    Set<LeaderOp> ops() {
        return ops;
    }

    /** Returns whether nothing is under way. */
    boolean isQuiet() {
        return map.version() > 0
                && map.state(me()) == TargetState.UPIN
                && ops.isEmpty()
                && closed.isEmpty()
                && dtx.open() == 0
                && vos.committing() == 0;
    }
}
