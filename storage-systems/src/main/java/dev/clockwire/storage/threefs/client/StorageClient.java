package dev.clockwire.storage.threefs.client;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.lane.LaneTag;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.RoutingCache;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.Places;
import dev.clockwire.storage.threefs.rpc.RpcHandler;
import dev.clockwire.storage.threefs.rpc.RpcNet;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.RpcReply;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.rpc.WritePath;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import dev.clockwire.storage.threefs.server.Watch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client of an incarnation of a node: writes to heads, reads from whoever serves, asks again as 3FS's client does. */
public final class StorageClient implements RpcHandler {
    private static final long CONNECT_PS = 500_000_000L;

    private final Node node;
    private final ServiceSpec spec;
    private final Map<Integer, Node> nodes;
    private final Watch watch;
    private final RpcNet net;
    private final RoutingCache routing;
    private final Node manager;
    private final WritePath path;
    private final Ops ops;
    private final Payload content = new Payload();
    private final ReadBatches reads;
    private final Transmissions permits;
    private final ClientLanes lanes;
    private final boolean byNic;
    private final Deque<Channel> idle = new ArrayDeque<>();
    private int channels;
    private long requests;
    private int turn;
    private long retries;

    /** A channel: one write at a time, numbered, so that a server can tell a repetition. */
    static final class Channel {
        final int id;
        long sequence;

        Channel(int id) {
            this.id = id;
        }
    }

    /**
     * Who plays in a 3FS beside this client.
     *
     * @param manager the cluster manager's node
     * @param nodes with storage services, by their numbers among all hosts
     * @param wire where overheads are named
     * @param watch who looks on
     */
    public record Cast(Node manager, Map<Integer, Node> nodes, WireCount wire, Watch watch) {}

    /** Makes operations. */
    @FunctionalInterface
    interface Ops {
        /** Makes one; {@code channel} is null for reads. */
        ClientOp make(
                StorageClient client, Message m, long va, MemoryRegion region, @Nullable Channel channel, Outcome then);
    }

    /** Creates the client of an incarnation. */
    public StorageClient(Node node, ServiceSpec spec, Cast cast) {
        this(node, spec, cast, ClientOp::new);
    }

    /** Creates the client with other operations. */
    StorageClient(Node node, ServiceSpec spec, Cast cast, Ops ops) {
        this.ops = ops;
        watch = cast.watch();
        this.node = node;
        this.spec = spec;
        nodes = cast.nodes();
        manager = cast.manager();
        net = new RpcNet(node, cast.wire(), spec.socket(), this);
        routing = new RoutingCache(manager, net, spec.times(), () -> {});
        byNic = spec.transfer().forward() != Forwarding.CPU;
        lanes = new ClientLanes(
                node,
                cast.wire(),
                spec.socket().retries(),
                spec.times().rpc(),
                spec.transfer().forward() == Forwarding.ARTICLE);
        permits = new Transmissions(spec.transfer().transmissions());
        reads = new ReadBatches(node.worker(0), spec.transfer().batch(), permits);
        path = new WritePath(
                node, spec.path(), spec.slots(), Places.CLIENT, spec.transfer().notice(), m -> trace("slot", m));
    }

    /** Learns the chains, and connects to who serves them. */
    public void start(Runnable ready) {
        routing.refresh(() -> {
            if (routing.routing().version() == 0) {
                node.worker(0).after(spec.times().rpc(), (a, b) -> start(ready), 0, 0);
            } else {
                ready.run();
            }
        });
    }

    /**
     * Writes.
     *
     * @param region that the bytes lie in, from {@code va} on; they may not change before the end
     */
    public void write(int chain, long key, int offset, long va, int length, MemoryRegion region, Outcome then) {
        Message m = new Message();
        m.method = Method.WRITE;
        m.chain = chain;
        m.key = key;
        m.offset = offset;
        m.length = length;
        m.client = id();
        Channel channel = idle.isEmpty() ? new Channel(++channels) : idle.pop();
        m.channel = channel.id;
        m.sequence = ++channel.sequence;
        m.request = ++requests;
        node.worker(0).core().scan(length, spec.crcBytePs());
        content.clear();
        node.worker(0).core().memory().read(va, length, content);
        m.checksum = (int) content.digest();
        ops.make(this, m, va, region, channel, then).start();
    }

    /** Reads into a region that others may write to. */
    public void read(int chain, long key, int offset, long va, int length, MemoryRegion region, Outcome then) {
        Message m = new Message();
        m.method = Method.READ;
        m.chain = chain;
        m.key = key;
        m.offset = offset;
        m.length = length;
        m.address = va;
        m.rkey = region.rkey();
        m.client = node.number();
        ops.make(this, m, va, region, null, then).start();
    }

    /** Runs what submits reads: those that go to the same node are asked for at once, as many as the specification lets. */
    public void together(Runnable submits) {
        reads.together(submits);
    }

    private long id() {
        return node.number() | (long) node.incarnation() << Integer.SIZE;
    }

    /** Sends a write to the head of its chain. */
    void send(RpcPeer to, Node head, Message m, long va, MemoryRegion region, long timeoutPs, RpcReply reply) {
        if (byNic) {
            lanes.open(new LaneTag(m.client, m.chain, m.chainVer), head);
        }
        if (byNic && lanes.send(to, m, va, region.lkey(), timeoutPs, reply)) {
            return;
        }
        if (spec.transfer().forward() == Forwarding.ARTICLE) {
            reply.answered(new Message().answers(m, Status.ROUTING_VERSION_MISMATCH)); // it has no other way
        } else {
            path.send(to, m, 0, va, region.lkey(), region.rkey(), timeoutPs, reply);
        }
    }

    Node node(int number) {
        Node n = nodes.get(number);
        if (n == null) {
            throw new dev.clockwire.sim.error.InvariantViolation("no storage node has the number " + number);
        }
        return n;
    }

    ReadBatches reads() {
        return reads;
    }

    void done(@Nullable Channel channel) {
        if (channel != null) {
            idle.push(channel);
        }
    }

    /** Returns a target to read from, another one each time. */
    int nextTurn() {
        return turn++;
    }

    void step(String what, Message m) {
        watch.tap().step(node.number(), what, m.chain, m.key, m.commitVer);
        watch.steps().step(node.number(), what, node.worker(0).now());
    }

    /** Tells only who follows single operations. */
    void trace(String what, Message m) {
        watch.operation(node.number(), what, m, node.worker(0).now());
    }

    void named(Message m) {
        watch.named(m);
    }

    void acked(Message asked, Message answer) {
        watch.events()
                .acked(node.worker(0).now(), node.number(), asked.chain, asked.key, answer.chainVer, answer.commitVer);
    }

    void retried() {
        retries++;
    }

    /** Returns how often something was asked for again. */
    public long retries() {
        return retries;
    }

    /** Asks the manager something that is not about chains. */
    public void askManager(Message m, RpcReply then) {
        net.to(manager).call(m, spec.times().rpc(), then);
    }

    RpcPeer to(int number) {
        return net.to(node(number));
    }

    /** Makes connections to all nodes of a chain, so that the first operation finds them; asks again until they listen. */
    public void connect(int chain) {
        Chain c = routing.routing().chain(chain);
        if (c != null && !isConnected(chain)) {
            c.targets().forEach(t -> to(t.node()));
            Target head = c.head();
            if (byNic && head != null) {
                lanes.open(new LaneTag(id(), chain, c.version()), node(head.node()));
            }
            node.worker(0).after(CONNECT_PS, (a, b) -> connect(chain), 0, 0);
        }
    }

    /** Returns whether all nodes of a chain can be asked. */
    public boolean isConnected(int chain) {
        Chain c = routing.routing().chain(chain);
        return c != null
                && (!byNic || lanes.isOpen(chain))
                && c.targets().stream().allMatch(t -> {
                    Node n = nodes.get(t.node());
                    RpcPeer known = n == null ? null : net.known(n);
                    return known != null && path.isReady(known);
                });
    }

    RoutingCache routing() {
        return routing;
    }

    WritePath path() {
        return path;
    }

    ServiceSpec spec() {
        return spec;
    }

    Node node() {
        return node;
    }

    @Override
    public void request(RpcPeer from, Message m) {
        if (m.method == Method.GRANT) {
            path.granted(from, m);
        } else if (m.method == Method.APPLY) {
            permits.apply(from, m);
        } else {
            from.answer(new Message().answers(m, Status.INVALID));
        }
    }

    @Override
    public void lost(RpcPeer peer) {
        path.lost(peer);
    }
}
