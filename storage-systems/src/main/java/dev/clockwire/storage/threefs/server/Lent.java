package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.RpcReply;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Buffers that a peer was told to read, and has not answered in time: it may read them still. An answer to a later try over the same connection says that the
 * earlier ones are over, too, since the chunk's lock takes them in turn; otherwise the connection is closed before the buffer is anybody else's.
 */
final class Lent {
    private final Map<Long, List<RpcPeer>> readers = new TreeMap<>();

    /** Returns a reply that notes whether a peer has answered. */
    RpcReply to(RpcPeer peer, long buffer, RpcReply reply) {
        return answer -> {
            if (answer.status.isNoAnswer()) {
                List<RpcPeer> some = readers.computeIfAbsent(buffer, b -> new ArrayList<>());
                if (!some.contains(peer)) {
                    some.add(peer);
                }
            } else if (answer.status == Status.OK && !readers.isEmpty()) {
                List<RpcPeer> some = readers.get(buffer);
                if (some != null) {
                    some.remove(peer);
                }
            }
            reply.answered(answer);
        };
    }

    /** Runs something as soon as nobody reads a buffer any more. */
    void end(long buffer, Runnable then) {
        List<RpcPeer> some = readers.isEmpty() ? null : readers.remove(buffer);
        if (some == null || some.isEmpty()) {
            then.run();
            return;
        }
        int[] left = {some.size()};
        for (RpcPeer peer : some) {
            peer.close(() -> {
                left[0]--;
                if (left[0] == 0) {
                    then.run();
                }
            });
        }
    }
}
