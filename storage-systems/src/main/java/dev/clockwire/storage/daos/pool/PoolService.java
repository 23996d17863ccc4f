package dev.clockwire.storage.daos.pool;

import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.daos.ofi.OfiSpec;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcContext;
import dev.clockwire.storage.daos.rpc.RpcHandler;
import dev.clockwire.storage.daos.rpc.RpcSpec;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * The pool service: keeps the pool map. An engine that others suspect is excluded once its lease is over; one that begins anew is brought up to date before it
 * serves. The last engine of a group is never excluded. It is one process that does not fail; DAOS replicates it by Raft, which is no part of the data path.
 */
public final class PoolService implements RpcHandler {
    private static final int LOOKS = 4;

    private final Node node;
    private final DaosTimes times;
    private final RpcContext context;
    private final long[] heard;
    private final TreeSet<Integer> suspects = new TreeSet<>();
    private final TreeSet<Integer> joined = new TreeSet<>();
    private final BiConsumer<Long, PoolMap> decided;
    private PoolMap map;

    /**
     * Creates the service.
     *
     * @param decided is told each map with its time, before anybody else can know it
     */
    public PoolService(
            Node node,
            DaosNet net,
            OfiSpec ofi,
            RpcSpec rpc,
            DaosTimes times,
            int replicas,
            int targets,
            BiConsumer<Long, PoolMap> decided) {
        this.decided = decided;
        this.node = node;
        this.times = times;
        context = new RpcContext(node, 0, net.all(), net.wire(), ofi, rpc, Integer.MAX_VALUE, this);
        map = PoolMap.of(net.engines(), replicas, targets);
        heard = new long[net.engines()];
    }

    /** Begins. */
    public void start() {
        decided.accept(node.worker(0).now(), map);
        context.open(() -> node.worker(0).after(times.lease() / LOOKS, this::look, 0, 0));
    }

    /** Returns the map. */
    public PoolMap map() {
        return map;
    }

    private void look(long a, long b) {
        long now = node.worker(0).now();
        for (int e : suspects.toArray(new Integer[0])) {
            if (map.state(e) == TargetState.DOWN) {
                suspects.remove(e);
            } else if (now - heard[e] > times.lease() && map.mayLose(e)) {
                suspects.remove(e);
                decide(e, TargetState.DOWN);
            }
        }
        node.worker(0).after(times.lease() / LOOKS, this::look, 0, 0);
    }

    @Override
    public void request(Rpc m) {
        Rpc answer = new Rpc().answers(m, RpcStatus.OK);
        int engine = (int) m.argument;
        switch (m.op) {
            case POOL_QUERY -> heard(engine);
            case JOIN -> join(engine);
            case SUSPECT -> {
                if (node.worker(0).now() - heard[engine] > times.lease() / 2) {
                    suspects.add(engine);
                }
            }
            case REBUILT -> {
                if (map.version() == m.mapVersion && map.state(engine) == TargetState.UP) {
                    decide(engine, TargetState.UPIN);
                }
            }
            case CONNECT -> {}
            default -> answer.status = RpcStatus.INVALID;
        }
        byte[] b = map.encode();
        context.answer(m, answer.with(b, b.length));
    }

    /** Only the incarnation that has joined last keeps its engine alive. */
    private void heard(int engine) {
        if (engine >= 0) {
            heard[engine] = node.worker(0).now();
            suspects.remove(engine);
        }
    }

    private void join(int engine) {
        heard[engine] = node.worker(0).now();
        suspects.remove(engine);
        if (joined.add(engine)) {
            return; // the first time: nothing is stored anywhere
        }
        if (map.state(engine) == TargetState.UPIN && !map.mayLose(engine)) {
            decide(engine, TargetState.UPIN); // the last one has what there is, but has forgotten what was under way
        } else {
            decide(engine, TargetState.UP);
        }
    }

    private void decide(int engine, TargetState state) {
        map = map.with(engine, state);
        decided.accept(node.worker(0).now(), map);
    }

    /** Returns its RPCs. */
    public RpcContext context() {
        return context;
    }
}
