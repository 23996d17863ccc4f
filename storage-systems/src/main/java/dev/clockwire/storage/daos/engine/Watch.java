package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.check.monitor.ProtocolEvents;
import dev.clockwire.storage.check.monitor.TargetState;
import dev.clockwire.storage.check.monitor.TransactionEvents;
import dev.clockwire.storage.cluster.OperationTap;
import dev.clockwire.storage.cluster.StepTap;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;

/**
 * Who looks on: it changes nothing but by faults. A group of engines is a chain to monitors, its leader the head.
 *
 * @param tap hears of each step of a transaction
 * @param steps counts steps for schedules of faults
 * @param events are what invariants of replicas are about
 * @param transactions are what those of transactions are about
 * @param operations follows single operations
 */
public record Watch(
        DtxTap tap, StepTap steps, ProtocolEvents events, TransactionEvents transactions, OperationTap operations) {
    /** Nobody looks on. */
    public static final Watch NONE =
            new Watch(DtxTap.NONE, StepTap.NONE, new ProtocolEvents() {}, TransactionEvents.NONE, OperationTap.NONE);

    /** What steps are called: those of clients first, then of a write in its order, of a read, and of recovery. */
    public static final List<String> STEPS = List.of(
            "submit",
            "handle",
            "done",
            "received",
            "dispatch",
            "forward",
            "buffer",
            "pull",
            "pulled",
            "data",
            "data.done",
            "persist",
            "prepared",
            "reply",
            "replica",
            "committable",
            "answer",
            "commit",
            "committed",
            "aborted",
            "fetch",
            "fetch.disk",
            "fetch.done",
            "put",
            "put.done",
            "fetch.answer",
            "joined",
            "resync",
            "rebuild",
            "copied",
            "rebuilt");

    /** Returns the number by which a read is known of which an RPC tells: RPCs of a client are numbered, transactions as well, but reads are none. */
    public static long reading(Rpc m) {
        return ~m.id;
    }

    /** Tells of a step that a host takes for a client's transaction. */
    void operation(int host, String what, long client, long sequence, long ps) {
        operations.step((int) client, sequence, host, what, ps);
    }

    /** Tells of a step that a host takes for a client's read. */
    void reading(int host, String what, Rpc read, long ps) {
        operations.step(read.sender, reading(read), host, what, ps);
    }

    /** Tells of a version of the pool map, as the pool service decides on it. */
    public void map(long ps, PoolMap map, List<Integer> numbers) {
        for (int g = 0; g < map.groups(); g++) {
            List<Integer> nodes = new ArrayList<>();
            List<TargetState> states = new ArrayList<>();
            for (int i = 0; i < map.replicas(); i++) {
                int e = map.shard(g, i);
                nodes.add(numbers.get(e));
                states.add(
                        switch (map.state(e)) {
                            case UPIN -> TargetState.SERVING;
                            case UP -> TargetState.SYNCING;
                            case DOWN -> TargetState.OFFLINE;
                        });
            }
            events.table(ps, g, map.version(), nodes, states);
        }
    }
}
