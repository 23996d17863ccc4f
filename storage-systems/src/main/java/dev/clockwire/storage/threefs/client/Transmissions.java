package dev.clockwire.storage.threefs.client;

import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who may send to this client: a server asks before it writes what a read wants, and is answered when there is a permit, which comes back with the answer to the read. A guard against
 * too many at once, not a credit: a server that is not answered in time writes all the same.
 */
final class Transmissions {
    private final int most;
    private final Set<Long> asked = new TreeSet<>();
    private final Set<Long> granted = new TreeSet<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long requests;

    /** A server that has asked. */
    private record Waiting(RpcPeer from, Message apply) {}

    /**
     * Creates an empty set.
     *
     * @param most that may be under way
     */
    Transmissions(int most) {
        this.most = most;
    }

    /** A request for reads goes out; returns the number under which servers ask. */
    long begin() {
        requests++;
        asked.add(requests);
        return requests;
    }

    /** A request has been answered, or never will be. */
    void end(long request) {
        asked.remove(request);
        granted.remove(request);
        while (granted.size() < most && !waiting.isEmpty()) {
            grant(waiting.remove());
        }
    }

    /** A server asks. */
    void apply(RpcPeer from, Message m) {
        if (granted.size() < most) {
            grant(new Waiting(from, m));
        } else {
            waiting.add(new Waiting(from, m));
        }
    }

    private void grant(Waiting w) {
        boolean wanted = asked.contains(w.apply().request);
        if (wanted) {
            granted.add(w.apply().request);
        }
        w.from().answer(new Message().answers(w.apply(), wanted ? Status.OK : Status.INVALID));
    }
}
