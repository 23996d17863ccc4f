package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.check.monitor.ProtocolEvents;
import dev.clockwire.storage.check.monitor.TargetState;
import dev.clockwire.storage.check.monitor.TransactionEvents;
import dev.clockwire.storage.cluster.StepTap;
import dev.clockwire.storage.daos.pool.PoolMap;
import java.util.ArrayList;
import java.util.List;

/**
 * Who looks on: it changes nothing but by faults. A group of engines is a chain to monitors, its leader the head.
 *
 * @param tap hears of each step of a transaction
 * @param steps counts steps for schedules of faults
 * @param events are what invariants of replicas are about
 * @param transactions are what those of transactions are about
 */
public record Watch(DtxTap tap, StepTap steps, ProtocolEvents events, TransactionEvents transactions) {
    /** Nobody looks on. */
    public static final Watch NONE =
            new Watch(DtxTap.NONE, StepTap.NONE, new ProtocolEvents() {}, TransactionEvents.NONE);

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
