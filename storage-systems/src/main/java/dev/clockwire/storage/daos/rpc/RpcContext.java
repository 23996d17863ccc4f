package dev.clockwire.storage.daos.rpc;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Task;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.daos.ofi.Conn;
import dev.clockwire.storage.daos.ofi.OfiSpec;
import dev.clockwire.storage.daos.ofi.OfiUser;
import dev.clockwire.storage.daos.ofi.RdmEndpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A CaRT context: RPCs over one endpoint. The response is announced before the request goes. A peer has so many RPCs under way at most, what is more waits; a
 * request whose deadline is over is dropped unread by who gets it.
 */
public final class RpcContext implements OfiUser {
    private final Node node;
    private final Worker worker;
    private final Map<Integer, Node> nodes;
    private final RpcSpec spec;
    private final int quota;
    private final RdmEndpoint endpoint;
    private final RpcHandler handler;
    private HybridClock clock;
    private final Map<Long, Call> calls = new TreeMap<>();
    private final Map<Integer, Peer> peers = new TreeMap<>();
    private final Task timeout = this::timedOut;
    private int underWay;
    private int mapVersion;
    private long nextId = 1;
    private long expired;

    /** What is under way to a node, and what waits for credits. */
    private static final class Peer {
        final Deque<Call> waiting = new ArrayDeque<>();
        int underWay;
    }

    private static final class Call {
        final int to;
        final Rpc request;
        final RpcReply reply;
        boolean sent;
        long timer;

        @Nullable
        Conn conn;

        Call(int to, Rpc request, RpcReply reply) {
            this.to = to;
            this.request = request;
            this.reply = reply;
        }
    }

    /**
     * Creates a context of a node's incarnation.
     *
     * @param tag which of the node, from 0: it belongs to the worker of that number
     * @param quota RPCs under way to all peers together; servers have none, that is many
     */
    public RpcContext(
            Node node,
            int tag,
            Map<Integer, Node> nodes,
            WireCount wire,
            OfiSpec ofi,
            RpcSpec spec,
            int quota,
            RpcHandler handler) {
        this.node = node;
        worker = node.worker(tag);
        this.nodes = nodes;
        this.spec = spec;
        this.quota = quota;
        this.handler = handler;
        clock = new HybridClock(worker);
        endpoint = new RdmEndpoint(node, tag, wire, ofi, this);
        nextId = (long) node.incarnation() << 40 | 1;
    }

    /** Opens the endpoint. */
    public void open(Runnable then) {
        endpoint.open(then);
    }

    /** Returns the endpoint. */
    public RdmEndpoint endpoint() {
        return endpoint;
    }

    /** Has it share the clock of another context of the process. */
    public void share(RpcContext other) {
        clock = other.clock.on(worker);
    }

    /** Returns the clock that every message moves. */
    public HybridClock clock() {
        return clock;
    }

    /** Sets the version of the pool map that messages carry. */
    public void mapVersion(int version) {
        mapVersion = version;
    }

    /** Returns the node of an address. */
    public Node node(int address) {
        int number = RdmEndpoint.nodeOf(address);
        Node n = nodes.get(number);
        if (n == null) {
            throw new InvariantViolation("no node has the number " + number);
        }
        return n;
    }

    /**
     * Asks somebody.
     *
     * @param to address, see {@link RdmEndpoint#address}
     * @param timeoutPs after which there is no answer any more, unless the request has an earlier deadline
     */
    public void call(int to, Rpc request, long timeoutPs, RpcReply reply) {
        long now = worker.now();
        request.deadline = request.deadline == 0 ? now + timeoutPs : Math.min(request.deadline, now + timeoutPs);
        request.id = nextId++;
        int size = spec.requestBytes() + request.dataLength + request.riders.length;
        if (size > spec.limitBytes()) {
            throw new ConfigurationException(
                    node.name() + ": an RPC of " + size + " B: at most " + spec.limitBytes() + ", or by bulk");
        }
        Call c = new Call(to, request, reply);
        calls.put(request.id, c);
        c.timer = worker.after(Math.max(0, request.deadline - now), timeout, request.id, 0);
        peer(to).waiting.add(c);
        pump(to);
    }

    private Peer peer(int number) {
        return peers.computeIfAbsent(number, k -> new Peer());
    }

    private void pump(int to) {
        Peer p = peer(to);
        while (!p.waiting.isEmpty() && p.underWay < spec.credits() && underWay < quota) {
            Call c = p.waiting.remove();
            if (calls.containsKey(c.request.id)) {
                p.underWay++;
                underWay++;
                c.sent = true;
                post(c);
            }
        }
    }

    private void post(Call c) {
        c.request.sender = node.number();
        c.request.mapVersion = mapVersion;
        c.request.clock = clock.now();
        byte[] b = c.request.encode(spec.requestBytes());
        endpoint.expect(c.request.id);
        Conn conn = endpoint.to(node(c.to), c.to);
        c.conn = conn;
        endpoint.send(conn, b, b.length, c.request.id, false, c.request.op.request());
    }

    private @Nullable Call take(long id) {
        Call c = calls.remove(id);
        if (c != null) {
            worker.cancel(c.timer);
            if (c.sent) {
                peer(c.to).underWay--;
                underWay--;
                endpoint.cancel(id);
            }
        }
        return c;
    }

    private void pumpAll(int first) {
        pump(first);
        if (quota != Integer.MAX_VALUE) {
            peers.keySet().forEach(this::pump);
        }
    }

    private void timedOut(long id, long unused) {
        Call c = take(id);
        if (c != null) {
            fail(c);
        }
    }

    private void fail(Call c) {
        pumpAll(c.to);
        c.reply.answered(new Rpc().answers(c.request, RpcStatus.UNREACHABLE));
    }

    /** Answers a request, into the void if its connection is gone. */
    public void answer(Rpc request, Rpc response) {
        response.sender = node.number();
        response.mapVersion = mapVersion;
        response.clock = clock.now();
        byte[] b = response.encode(spec.responseBytes());
        endpoint.send(request.from(), b, b.length, request.id, true, response.op.response());
    }

    @Override
    public void unexpected(Conn from, byte[] bytes, int length) {
        Rpc m = Rpc.decode(bytes, length);
        if (m == null || m.response) {
            return;
        }
        if (worker.now() > m.deadline) {
            expired++;
            return;
        }
        m.from = from;
        clock.hear(m.clock);
        handler.request(m);
    }

    @Override
    public void expected(long tag, byte[] bytes, int length) {
        Call c = take(tag);
        Rpc m = Rpc.decode(bytes, length);
        if (c == null || m == null) {
            return;
        }
        clock.hear(m.clock);
        pumpAll(c.to);
        c.reply.answered(m);
    }

    /** Returns the connection over which memory of an address is reached. */
    public Conn reach(int address) {
        return endpoint.to(node(address), address);
    }

    /** Gives up whatever is under way to an address that is known to be gone, or to have begun anew. */
    public void abort(int to) {
        giveUp(c -> c.sent && c.to == to);
    }

    @Override
    public void lost(Conn conn) {
        handler.lost(conn);
        giveUp(c -> c.conn == conn);
    }

    private void giveUp(Predicate<Call> which) {
        List<Long> open = new ArrayList<>();
        calls.forEach((id, c) -> {
            if (which.test(c)) {
                open.add(id);
            }
        });
        for (Long id : open) {
            // not inside of what found out: the caller may be about to post something there
            worker.post(timeout, id, 0);
        }
    }

    /** Returns the requests that came too late. */
    public long expired() {
        return expired;
    }

    /** Returns the calls that have no answer yet. */
    public int open() {
        return calls.size();
    }

    /** Returns the limits. */
    public RpcSpec spec() {
        return spec;
    }
}
