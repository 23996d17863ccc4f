package dev.clockwire.storage.daos.pool;

import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcContext;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The pool map as one node knows it. */
public final class MapCache {
    private final RpcContext context;
    private final DaosNet net;
    private final long timeoutPs;
    private final Consumer<PoolMap> changed;
    private final List<Runnable> waiting = new ArrayList<>();
    private PoolMap map = PoolMap.NONE;
    private boolean asking;

    /**
     * Creates one that knows nothing.
     *
     * @param changed is told of each newer map before anybody else
     */
    public MapCache(RpcContext context, DaosNet net, long timeoutPs, Consumer<PoolMap> changed) {
        this.context = context;
        this.net = net;
        this.timeoutPs = timeoutPs;
        this.changed = changed;
    }

    /** Returns the latest map that is known. */
    public PoolMap map() {
        return map;
    }

    /** Asks the manager; {@code then} runs when it has answered, or not in time. */
    public void refresh(Runnable then) {
        waiting.add(then);
        if (asking) {
            return;
        }
        asking = true;
        Rpc m = new Rpc(RpcOp.POOL_QUERY);
        m.argument = -1;
        context.call(net.manager().number(), m, timeoutPs, answer -> {
            asking = false;
            learn(answer);
            List<Runnable> now = new ArrayList<>(waiting);
            waiting.clear();
            now.forEach(Runnable::run);
        });
    }

    /** Takes the map out of an answer of the manager. */
    public void learn(Rpc answer) {
        if (answer.status != RpcStatus.OK || answer.dataLength == 0) {
            return;
        }
        PoolMap next = PoolMap.decode(answer.data, answer.dataLength);
        if (next.version() > map.version()) {
            map = next;
            context.mapVersion(next.version());
            changed.accept(next);
        }
    }
}
