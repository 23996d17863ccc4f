package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcContext;
import dev.clockwire.storage.daos.rpc.RpcHandler;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcReply;
import dev.clockwire.storage.daos.rpc.RpcStatus;

/** An offload stream: it sends requests of leaders on, so that the core of a target does not copy them once for each replica. */
final class Offload implements RpcHandler {
    private final Engine engine;
    private final Worker worker;
    private final RpcContext context;

    Offload(Engine engine) {
        this.engine = engine;
        Node node = engine.node();
        DaosSpec spec = engine.spec();
        worker = node.worker(spec.targets());
        context = new RpcContext(
                node,
                spec.targets(),
                engine.net().all(),
                engine.net().wire(),
                spec.ofi(),
                spec.rpc(),
                Integer.MAX_VALUE,
                this);
    }

    RpcContext context() {
        return context;
    }

    Worker worker() {
        return worker;
    }

    /** Makes connections to all targets of all other engines, so that the first write does not wait for them. */
    void meet() {
        for (int e = 0; e < engine.net().engines(); e++) {
            for (int t = 0; e != engine.me() && t < engine.spec().targets(); t++) {
                connect(engine.net().address(e, t));
            }
        }
    }

    /** Hears of a newer pool map. */
    void changed(PoolMap last, PoolMap next) {
        context.mapVersion(next.version());
        for (int e : next.lostSince(last)) {
            for (int t = 0; t < next.targets(); t++) {
                context.abort(engine.net().address(e, t));
            }
        }
    }

    private void connect(int to) {
        context.call(to, new Rpc(RpcOp.CONNECT), engine.spec().times().rpc(), answer -> {
            if (answer.status != RpcStatus.OK && !engine.isOver()) {
                worker.after(engine.spec().times().retryFirst(), (a, b) -> connect(to), 0, 0);
            }
        });
    }

    /** Sends a request for a target, in a step of that; the reply comes to its core. */
    void forward(Target of, int to, Rpc m, long timeoutPs, RpcReply reply) {
        worker.handOver(
                (a, b) -> context.call(
                        to,
                        m,
                        timeoutPs,
                        answer -> of.worker().handOver((x, y) -> reply.answered(answer), 0, 0, worker.now())),
                0,
                0,
                of.worker().now());
    }

    @Override
    public void request(Rpc m) {
        context.answer(m, new Rpc().answers(m, m.op == RpcOp.CONNECT ? RpcStatus.OK : RpcStatus.INVALID));
    }
}
