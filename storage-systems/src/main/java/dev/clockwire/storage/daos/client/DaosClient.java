package dev.clockwire.storage.daos.client;

import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.Watch;
import dev.clockwire.storage.daos.pool.DaosNet;
import dev.clockwire.storage.daos.pool.MapCache;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.rpc.BulkRegistry;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcContext;
import dev.clockwire.storage.daos.rpc.RpcHandler;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcStatus;

/** A client: one incarnation of its node. */
public final class DaosClient implements RpcHandler {
    private final Node node;
    private final DaosNet net;
    private final DaosSpec spec;
    private final Watch watch;
    private final RpcContext context;
    private final MapCache maps;
    private final BulkRegistry registry;
    private long sequence;
    private long readings;
    private int turn;
    private int connected;
    private long retries;

    /** Creates a client. */
    public DaosClient(Node node, DaosNet net, DaosSpec spec, Watch watch) {
        this.watch = watch;
        this.node = node;
        this.net = net;
        this.spec = spec;
        context = new RpcContext(
                node,
                0,
                net.all(),
                net.wire(),
                spec.ofi(),
                spec.rpc(),
                spec.rpc().quota(),
                this);
        maps = new MapCache(context, net, spec.times().rpc(), map -> {});
        registry = new BulkRegistry(node, spec.rpc());
        turn = node.number();
    }

    /** Begins; {@code ready} runs when it knows the pool map. */
    public void start(Runnable ready) {
        context.open(() -> know(ready));
    }

    private void know(Runnable ready) {
        maps.refresh(() -> {
            if (map().version() > 0) {
                ready.run();
            } else {
                know(ready);
            }
        });
    }

    /** Makes a connection to each target of each engine. */
    public void connect() {
        for (int e = 0; e < net.engines(); e++) {
            for (int t = 0; t < spec.targets(); t++) {
                connect(net.address(e, t));
            }
        }
    }

    private void connect(int to) {
        context.call(to, new Rpc(RpcOp.CONNECT), spec.times().rpc(), answer -> {
            if (answer.status == RpcStatus.OK) {
                connected++;
            } else {
                node.worker(0).after(spec.times().retryFirst(), (a, b) -> connect(to), 0, 0);
            }
        });
    }

    /** Returns whether there is one to each of them. */
    public boolean isConnected() {
        return connected == net.engines() * spec.targets();
    }

    /** Writes a value, in a step of the worker; its bytes do not change before the end. */
    public void write(long key, long va, int length, DaosOutcome then) {
        new ClientOp(this, RpcOp.UPDATE, key, va, length, then).start();
    }

    /** Reads a value. */
    public void read(long key, long va, int length, DaosOutcome then) {
        new ClientOp(this, RpcOp.FETCH, key, va, length, then).start();
    }

    @Override
    public void request(Rpc m) {
        context.answer(m, new Rpc().answers(m, m.op == RpcOp.CONNECT ? RpcStatus.OK : RpcStatus.INVALID));
    }

    Node node() {
        return node;
    }

    DaosNet net() {
        return net;
    }

    DaosSpec spec() {
        return spec;
    }

    /** Returns its RPCs. */
    public RpcContext context() {
        return context;
    }

    MapCache maps() {
        return maps;
    }

    PoolMap map() {
        return maps.map();
    }

    /** Returns its bulk handles. */
    public BulkRegistry registry() {
        return registry;
    }

    long nextSequence() {
        return ++sequence;
    }

    int nextTurn() {
        return turn++;
    }

    void step(String what, long operation) {
        watch.steps().step(node.number(), what, node.worker(0).now());
        trace(what, operation);
    }

    /** Tells only who follows single operations. */
    void trace(String what, long operation) {
        watch.operations()
                .step(
                        node.number(),
                        operation,
                        node.number(),
                        what,
                        node.worker(0).now());
    }

    /** Returns the number of a new operation, which is a transaction of a number unless it is a read. */
    long named(long transaction) {
        long number = transaction == 0 ? Long.MIN_VALUE + ++readings : transaction;
        watch.operations().named(node.number(), number);
        return number;
    }

    /** A read is known by the number of its last RPC. */
    long asked(long operation, Rpc m) {
        long now = Watch.reading(m);
        watch.operations().renamed(node.number(), operation, now);
        return now;
    }

    void acked(long key, Rpc answer) {
        watch.events()
                .acked(node.worker(0).now(), node.number(), map().group(key), key, answer.mapVersion, answer.epoch);
    }

    void retried() {
        retries++;
    }

    /** Returns how often something was asked again. */
    public long retries() {
        return retries;
    }
}
