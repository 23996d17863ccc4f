package dev.clockwire.sim.mem;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** WRITEs under way to one memory, by the queue pair at which they arrive. Each queue pair hears one peer only. */
final class RemoteWrites {
    private final TreeMap<Long, WritesUnderWay> queues = new TreeMap<>();

    void connected(int device, int qpn, RemoteMemory peer, int peerQpn) {
        queues.put(MemoryUser.peer(device, qpn, 0), new WritesUnderWay(peer, peerQpn));
    }

    void gone(int device, int qpn) {
        queues.remove(MemoryUser.peer(device, qpn, 0));
    }

    /** Returns what is under way to a queue pair from one peer, null if that is not who it is connected with. */
    @Nullable
    WritesUnderWay from(RemoteMemory peer, int peerQpn, int device, int qpn) {
        WritesUnderWay queue = queues.get(MemoryUser.peer(device, qpn, 0));
        return queue != null && queue.isFrom(peer, peerQpn) ? queue : null;
    }

    /** Returns what is under way to where a peer's packet has arrived. */
    @Nullable
    WritesUnderWay to(long user) {
        return queues.get(MemoryUser.peer(MemoryUser.device(user), MemoryUser.qpn(user), 0));
    }
}
