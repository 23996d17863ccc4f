package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.check.monitor.ProtocolEvents;
import dev.clockwire.storage.check.monitor.Request;
import dev.clockwire.storage.cluster.OperationTap;
import dev.clockwire.storage.cluster.StepTap;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import java.util.List;

/**
 * Who looks on: it changes nothing but by faults.
 *
 * @param tap hears of each step of a write
 * @param steps counts steps for schedules of faults
 * @param events are what invariants are about
 * @param operations follows single operations
 */
public record Watch(ProtocolTap tap, StepTap steps, ProtocolEvents events, OperationTap operations) {
    /** What steps are called, in the order of a write; those of clients first. */
    public static final List<String> STEPS = List.of(
            "submit",
            "received",
            "channel",
            "lock",
            "read.posted",
            "read.done",
            "data",
            "data.done",
            "written",
            "forward",
            "successor",
            "committing",
            "commit",
            "answer",
            "done",
            "read",
            "read.disk",
            "read.answer",
            "sync",
            "sync.done",
            "offline",
            "online");

    /** Returns the number by which an operation is known of which a message tells: a write by its request, a read by where its bytes are to go. */
    private static long number(Message m) {
        return m.method == Method.READ ? ~m.address : m.request;
    }

    /** Tells that a client has begun what it will ask for with a message. */
    public void named(Message m) {
        operations.named((int) m.client, number(m));
    }

    /** Tells of a step that a host takes for a client's operation. */
    public void operation(int host, String what, Message m, long ps) {
        operations.step((int) m.client, number(m), host, what, ps);
    }

    /** Tells of a version of a chain, as the manager decides on it. */
    public void table(long ps, Chain c) {
        events.table(
                ps,
                c.id(),
                c.version(),
                c.targets().stream().map(Target::node).toList(),
                c.targets().stream()
                        .map(t -> dev.clockwire.storage.check.monitor.TargetState.valueOf(
                                t.state().name()))
                        .toList());
    }

    /** Tells that a head has carried out a client's request. */
    void executed(long ps, int node, Message m, int version) {
        events.executed(ps, node, m.chain, m.key, new Request(m.client, m.channel, m.sequence), version);
    }

    /** Tells what the disk of a node that has come back still had. */
    void back(long ps, int node, int chain, Iterable<ChunkMeta> chunks) {
        for (ChunkMeta c : chunks) {
            events.replaced(ps, node, chain, c.key, c.chainVer, c.commitVer, c.checksum);
            if (c.isPending()) {
                events.updated(ps, node, chain, c.key, c.updateVer);
            }
        }
    }
}
