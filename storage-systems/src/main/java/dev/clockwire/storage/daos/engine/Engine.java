package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.daos.pool.DaosNet;
import dev.clockwire.storage.daos.pool.MapCache;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.pool.TargetState;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcContext;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcReply;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import dev.clockwire.storage.daos.vos.VosDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An engine in one incarnation of its node: targets, each on a core of its own, perhaps an offload stream, and what belongs to all of them: its place in the pool, its lease, and the
 * watch over other engines. That runs on the core of the first target.
 */
public final class Engine {
    private static final int BEATS = 4;

    private final Node node;
    private final int me;
    private final DaosNet net;
    private final DaosSpec spec;
    private final Watch watch;
    private final DtxRules rules;
    private final int mine;
    private final List<Target> targets = new ArrayList<>();
    private final @Nullable Offload offload;
    private final MapCache maps;
    private final Swim swim;
    private final TreeSet<Integer> copying = new TreeSet<>();
    private PoolMap before = PoolMap.NONE;
    private int open;
    private boolean joined;
    private boolean joining;

    /** Creates the engine of a node's incarnation on what is durable, one disk for each target. */
    public Engine(Node node, DaosNet net, DaosSpec spec, List<VosDisk> disks, Watch watch, DtxRules rules) {
        this.node = node;
        this.net = net;
        this.spec = spec;
        this.watch = watch;
        this.rules = rules;
        me = net.engineOn(node.number());
        mine = node.incarnation();
        for (int t = 0; t < spec.targets(); t++) {
            targets.add(new Target(this, t, disks.get(t)));
            targets.get(t).context().share(targets.get(0).context());
        }
        offload = spec.offload() ? new Offload(this) : null;
        if (offload != null) {
            offload.context().share(targets.get(0).context());
        }
        maps = new MapCache(context(), net, spec.times().rpc(), this::changed);
        swim = new Swim(this);
    }

    /** Begins: when all its streams can talk it joins the pool, before anything else. */
    public void start() {
        node.onDeviceLoss(this::restart);
        Offload h = offload;
        open = targets.size() + (h == null ? 0 : 1);
        targets.get(0).start(this::opened);
        for (Target t : targets.subList(1, targets.size())) {
            node.disk().join(t.worker(), () -> on(t, () -> t.start(this::opened)));
        }
        if (h != null) {
            hand(
                    h.worker(),
                    () -> h.context().open(() -> hand(worker(), h.worker().now(), this::opened)));
        }
    }

    private void opened() {
        open--;
        if (open == 0) {
            join();
        }
    }

    /** Runs something on the core of a target. */
    void on(Target t, Runnable what) {
        if (t.index() == 0) {
            what.run();
        } else {
            hand(t.worker(), what);
        }
    }

    /** Runs something on the core of the first target, from that of another one. */
    void onFirst(Target from, Runnable what) {
        if (from.index() == 0) {
            what.run();
        } else {
            hand(worker(), from.worker().now(), what);
        }
    }

    private void hand(Worker to, Runnable what) {
        hand(to, worker().now(), what);
    }

    private void hand(Worker to, long fromPs, Runnable what) {
        to.handOver(
                (a, b) -> {
                    if (!isOver()) {
                        what.run();
                    }
                },
                0,
                0,
                fromPs);
    }

    /** The process ends, and whoever watches it starts it anew at once, without its memory. */
    private void restart() {
        if (!isOver()) {
            node.boot();
        }
    }

    private void join() {
        if (joining || isOver()) {
            return;
        }
        joining = true;
        Rpc m = new Rpc(RpcOp.JOIN);
        m.argument = me;
        long sent = worker().now();
        context().call(net.manager().number(), m, spec.times().lease() / 2, answer -> {
            joining = false;
            if (answer.status != RpcStatus.OK) {
                join();
                return;
            }
            boolean first = !joined;
            joined = true;
            targets.get(0).tap("joined", 0, 0);
            lease(sent + spec.times().lease());
            maps.learn(answer);
            if (first) {
                swim.start();
                targets.forEach(t -> on(t, t::meet));
                Offload h = offload;
                if (h != null) {
                    hand(h.worker(), h::meet);
                }
                worker().after(spec.times().lease() / BEATS, this::beat, 0, 0);
            }
        });
    }

    private void lease(long untilPs) {
        targets.forEach(t -> on(t, () -> t.lease(untilPs)));
    }

    /** Asks for the pool map, which keeps the lease too. */
    private void beat(long a, long b) {
        Rpc m = new Rpc(RpcOp.POOL_QUERY);
        m.argument = me;
        long sent = worker().now();
        context().call(net.manager().number(), m, spec.times().lease() / 2, answer -> {
            if (answer.status == RpcStatus.OK) {
                maps.learn(answer);
                if (map().state(me) != TargetState.DOWN) {
                    lease(sent + spec.times().lease());
                }
            }
        });
        worker().after(spec.times().lease() / BEATS, this::beat, 0, 0);
    }

    private void changed(PoolMap next) {
        Offload h = offload;
        if (h != null) {
            PoolMap last = before;
            hand(h.worker(), () -> h.changed(last, next));
        }
        before = next;
        copying.clear();
        for (Target t : targets) {
            copying.add(t.index());
            on(t, () -> t.changed(next));
        }
        if (next.state(me) == TargetState.DOWN) {
            joined = true;
            worker().post((a, b) -> join(), 0, 0); // it was taken for dead: as if it began anew
        }
    }

    /** Tells that it goes by a version of the pool map. */
    void adopted(PoolMap last, PoolMap next) {
        long now = worker().now();
        if (last.version() == 0) {
            watch.events().crashed(now, node.number());
        }
        for (int g = 0; g < next.groups(); g++) {
            if (next.holds(g, me)) {
                watch.events().adopted(now, node.number(), g, next.version());
            }
        }
    }

    /** A target has copied what it lacked. */
    void rebuilt(int target, int version) {
        if (map().version() == version && copying.remove(target) && copying.isEmpty()) {
            tellRebuilt(version);
        }
    }

    private void tellRebuilt(int version) {
        Rpc m = new Rpc(RpcOp.REBUILT);
        m.argument = me;
        context().call(net.manager().number(), m, spec.times().rpc(), answer -> {
            maps.learn(answer);
            if (answer.status != RpcStatus.OK && map().version() == version) {
                tellRebuilt(version);
            }
        });
    }

    /** Asks for the pool map; {@code then} runs when there is an answer, or not in time. */
    void refresh(Runnable then) {
        maps.refresh(then);
    }

    /** Asks another engine. */
    void call(int engine, Rpc m, long timeoutPs, RpcReply reply) {
        targets.get(0).call(engine, m, timeoutPs, reply);
    }

    /** Returns whether each target has its connections to other engines. */
    public boolean isConnected() {
        return targets.stream().allMatch(Target::isConnected);
    }

    /** Returns whether its incarnation is gone. */
    boolean isOver() {
        return !node.isStill(mine);
    }

    Worker worker() {
        return node.worker(0);
    }

    Node node() {
        return node;
    }

    /** Returns its place in the pool map. */
    public int me() {
        return me;
    }

    DaosSpec spec() {
        return spec;
    }

    DaosNet net() {
        return net;
    }

    Watch watch() {
        return watch;
    }

    DtxRules rules() {
        return rules;
    }

    /** Returns the RPCs of its first target. */
    public RpcContext context() {
        return targets.get(0).context();
    }

    MapCache maps() {
        return maps;
    }

    Swim swim() {
        return swim;
    }

    @Nullable
    Offload offload() {
        return offload;
    }

    /** Returns a target. */
    public Target target(int i) {
        return targets.get(i);
    }

    /** Returns all targets. */
    public List<Target> targets() {
        return List.copyOf(targets);
    }

    /** Returns the pool map as it knows it. */
    public PoolMap map() {
        return maps.map();
    }

    /** Returns whether it has joined the pool. */
    public boolean isJoined() {
        return joined;
    }

    /** Returns whether it is in service and nothing is under way. */
    public boolean isQuiet() {
        return joined
                && !isOver()
                && node.isRunning()
                && map().version() > 0
                && map().state(me) == TargetState.UPIN
                && targets.stream().allMatch(Target::isQuiet);
    }
}
