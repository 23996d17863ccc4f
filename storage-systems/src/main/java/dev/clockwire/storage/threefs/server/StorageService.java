package dev.clockwire.storage.threefs.server;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.threefs.chunk.ChunkDisk;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.ChunkStore;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.LocalState;
import dev.clockwire.storage.threefs.mgmtd.RoutingCache;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.ReadList;
import dev.clockwire.storage.threefs.rpc.RpcHandler;
import dev.clockwire.storage.threefs.rpc.RpcNet;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.RpcReply;
import dev.clockwire.storage.threefs.rpc.SlotShares;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.rpc.WritePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The storage service of one incarnation of a node: takes writes and reads of the targets it has, tells the manager that it lives, and ends itself when it
 * has not heard from the manager for half the time after which it counts as lost.
 */
public final class StorageService implements RpcHandler {
    /** Flag of a request: forget what is here, this is the whole chunk. */
    static final int REPLACE = 2;
    /** Clients that are nodes finishing their own work have this bit. */
    private static final long NODE_CLIENT = 1L << 62;
    /** No version: nobody can say. */
    static final int UNKNOWN = -1;

    private final Node node;
    private final Cast cast;
    private final ServiceSpec spec;
    private final RpcNet net;
    private final RoutingCache routing;
    private final WritePath path;
    private final BufferPool buffers;
    private final Grants grants;
    private final Lanes lanes;
    private final @Nullable ArticleWrites article;
    private final Parts parts;
    private final Gate gate;
    private final Channels channels;
    private final Map<Integer, LocalTarget> targets = new TreeMap<>();
    private final Resync resync;
    private final OfflineTargets offline;
    private final Membership membership;
    private long ownSequence;

    /**
     * Who plays in a 3FS beside this service.
     *
     * @param manager the cluster manager's node
     * @param nodes by their numbers among all hosts
     * @param wire where overheads are named
     * @param disks what outlives this incarnation, by chain
     * @param watch who looks on
     * @param slots how they are divided among writers
     */
    public record Cast(
            Node manager,
            Map<Integer, Node> nodes,
            WireCount wire,
            Map<Integer, ChunkDisk> disks,
            Watch watch,
            SlotShares slots) {}

    /** Creates the service of an incarnation. */
    public StorageService(Node node, ServiceSpec spec, Cast cast) {
        this(node, spec, cast, new Parts());
    }

    /** Creates the service of other parts. */
    StorageService(Node node, ServiceSpec spec, Cast cast, Parts parts) {
        this.node = node;
        this.parts = parts;
        gate = parts.gate();
        channels = parts.channels();
        this.spec = spec;
        this.cast = cast;
        net = new RpcNet(node, cast.wire(), spec.socket(), this);
        routing = new RoutingCache(cast.manager(), net, spec.times(), this::follow);
        membership = new Membership(this, node, net, cast);
        path = spec.writes(node, cast.slots(), m -> trace("slot", m));
        int count = spec.buffers() + spec.slotsOfNode(cast.slots(), cast.disks().size());
        buffers = new BufferPool(
                node, spec.chunkBytes(), spec.lead(), count, cast.slots().replicas());
        article = spec.transfer().forward() == Forwarding.ARTICLE ? new ArticleWrites(this) : null;
        grants = new Grants(this, cast.nodes().values(), cast.slots());
        lanes = new Lanes(this, node, article == null ? 0 : Message.REQUEST, article);
        resync = parts.resync(this);
        offline = new OfflineTargets(this);
    }

    /** Begins: loads what is durable, registers buffers, then listens. */
    public void start() {
        int nth = 0;
        for (Map.Entry<Integer, ChunkDisk> e : cast.disks().entrySet()) {
            ChunkStore store = new ChunkStore(
                    node, nth++, e.getValue(), spec.chunkBytes(), spec.blocks(), offline.watch(e.getKey()));
            targets.put(
                    e.getKey(),
                    new LocalTarget(
                            e.getKey(),
                            store,
                            parts.locks(),
                            membership.isFirst() ? LocalState.UP_TO_DATE : LocalState.ONLINE));
        }
        if (!membership.isFirst()) {
            cast.watch().events().crashed(worker().now(), number());
            targets.values().forEach(t -> cast.watch().back(worker().now(), number(), t.chain, t.store.all()));
        }
        buffers.open(() -> {
            net.listen();
            if (spec.transfer().forward() != Forwarding.CPU) {
                lanes.listen(tag -> behind(tag.chain()));
            }
            membership.start();
            meet(0, 0);
            resync.start();
        });
    }

    /** Returns who stands behind this node in a chain, null if it is the tail or not in it. */
    private @Nullable Node behind(int chain) {
        Chain c = routing.routing().chain(chain);
        Target t = c == null ? null : c.behind(number());
        return t == null ? null : cast.nodes().get(t.node());
    }

    /** Returns the lane over which a client's bytes come, null if there is none. */
    @Nullable
    LaneEnd lane(long client, int chain) {
        return lanes.find(client, chain);
    }

    /** Connects to those behind, so that the first write finds them; asks again until they listen. */
    private void meet(long a, long b) {
        if (!isOver() && !isConnected()) {
            successors().forEach(this::peer);
            worker().after(spec.times().heartbeat() / 4, this::meet, 0, 0);
        }
    }

    private List<Integer> successors() {
        List<Integer> behind = new ArrayList<>();
        for (int chain : targets.keySet()) {
            Chain c = routing.routing().chain(chain);
            Target t = c == null ? null : c.behind(number());
            if (t != null) {
                behind.add(t.node());
            }
        }
        return behind;
    }

    /** Returns whether it knows the chains and is connected to those behind it. */
    public boolean isConnected() {
        return routing.routing().version() > 0
                && successors().stream().allMatch(n -> {
                    Node to = cast.nodes().get(n);
                    RpcPeer known = to == null ? null : net.known(to);
                    return known != null && path.isReady(known);
                });
    }

    /** The chains have changed: a service that others think is gone ends; a head finishes what others left behind. */
    void follow() {
        for (LocalTarget t : targets.values()) {
            Chain c = routing.routing().chain(t.chain);
            Target own = c == null ? null : c.of(number());
            if (c != null && own != null && !isOver()) {
                membership.adopt(t, c);
                lanes.follow(t.chain, c.version());
                membership.follow(t, c, own);
            }
        }
        if (!isOver()) {
            sweep();
        }
    }

    /** A head brings to an end what writes that gave up, or heads before it, have left pending. */
    void sweep() {
        for (LocalTarget t : targets.values()) {
            Chain c = routing.routing().chain(t.chain);
            Target head = c == null ? null : c.head();
            if (head != null && head.node() == number() && t.state != LocalState.OFFLINE && !isGone()) {
                sweep(t);
            }
        }
    }

    /** Looks after what cannot be used; now and then. */
    void look() {
        sweep();
        offline.look();
    }

    private void sweep(LocalTarget t) {
        for (ChunkMeta c : new ArrayList<>(t.store.all())) {
            if (c.isPending() && !t.locks.isHeld(c.key)) {
                t.locks.lock(c.key, () -> {
                    if (c.isPending()) {
                        finish(t, c, () -> t.locks.unlock(c.key));
                    } else {
                        t.locks.unlock(c.key);
                    }
                });
            }
        }
    }

    /**
     * Sends a version on that a write has left pending here, and commits it; the caller holds the lock and keeps it.
     *
     * @param then runs when it is committed, or could not be
     */
    void finish(LocalTarget t, ChunkMeta c, Runnable then) {
        int version = c.updateVer;
        takeBuffers(
                1,
                t.chain,
                some -> t.store.read(c, true, 0, c.pendingLength, some[0], ok -> {
                    if (!ok || !c.isPending() || c.updateVer != version) {
                        buffers.give(some[0]);
                        worker().after(spec.times().forwardFirst(), (a, b) -> then.run(), 0, 0);
                        return;
                    }
                    parts.leftover(this, t, c, some[0], then).start();
                }));
    }

    /** Tells that a version of a copy is committed. */
    void committed(LocalTarget t, long key, int version, boolean replaced) {
        ChunkMeta c = t.store.find(key);
        long now = worker().now();
        if (c != null && c.commitVer == version) {
            if (replaced) {
                cast.watch().events().replaced(now, number(), t.chain, key, c.chainVer, version, c.checksum);
            } else {
                cast.watch().events().committed(now, number(), t.chain, key, c.chainVer, version, c.checksum);
            }
        }
    }

    /** Returns a message that only this node sends. */
    Message ownMessage(Method method, int chain, long key) {
        Message m = new Message();
        m.method = method;
        m.chain = chain;
        m.key = key;
        m.client = NODE_CLIENT | (long) node.incarnation() << Integer.SIZE | number();
        m.sequence = ++ownSequence;
        m.request = ownSequence;
        m.channel = (int) ownSequence; // nothing of this kind is answered from memory
        return m;
    }

    /** Returns whether a node sends this for itself. */
    static boolean isOwn(Message m) {
        return (m.client & NODE_CLIENT) != 0;
    }

    /** Has a message carry who has written a chunk, behind its bytes if these ride in it. */
    void carry(Message m, @Nullable ChunkMeta c) {
        if (c != null && spec.durableChannels()) {
            byte[] table = c.writers.encode(m.updateVer);
            m.with(table, table.length);
        }
    }

    /** Returns whether a write may be done here. */
    Status check(Message m) {
        Chain c = routing.routing().chain(m.chain);
        LocalTarget t = targets.get(m.chain);
        if (c == null || t == null) {
            return routing.routing().version() == 0 ? Status.ROUTING_VERSION_MISMATCH : Status.INVALID;
        }
        Target own = c.of(number());
        if (!gate.isFor(m, c) || own == null) {
            return Status.ROUTING_VERSION_MISMATCH;
        }
        if (isGone() || t.state == LocalState.OFFLINE || !c.written().contains(own)) {
            return Status.TARGET_OFFLINE;
        }
        if (m.updateVer == 0 && !gate.isHead(number(), c)) {
            return Status.ROUTING_VERSION_MISMATCH;
        }
        if (m.length < 1 || m.offset < 0 || (long) m.offset + m.length > spec.chunkBytes()) {
            return Status.INVALID;
        }
        return Status.OK;
    }

    /** Returns whether this incarnation may not take part: it has ended, has lost its lease, or not everybody knows that the one before it is gone. */
    boolean isGone() {
        return membership.isGone();
    }

    @Override
    public void request(RpcPeer from, Message m) {
        switch (m.method) {
            case WRITE -> {
                tap("received", m, m.updateVer);
                parts.update(this, from, m).start();
            }
            case READ -> read(from, m);
            case QUERY -> query(from, m);
            case GRANT -> path.granted(from, m);
            case LANE, CONFIRM -> {
                if (article != null) {
                    article.request(from, m);
                }
            }
            case SYNC_START, REMOVE, SYNC_DONE -> resync.request(from, m);
            case OFFLINE -> offline.request(from, m);
            default -> from.answer(new Message().answers(m, Status.INVALID));
        }
    }

    private void read(RpcPeer from, Message m) {
        List<Message> reads = ReadList.reads(m);
        if (reads == null || reads.size() > buffers.count()) {
            from.answer(new Message().answers(m, Status.INVALID));
        } else {
            new ReadBatch(this, from).start(reads);
        }
    }

    /** Tells whether a read may be done here, now or when it has looked who serves. */
    void readable(Message m, Consumer<Status> then) {
        tap("read", m, 0);
        Chain c = routing.routing().chain(m.chain);
        LocalTarget t = targets.get(m.chain);
        Target own = c == null ? null : c.of(number());
        if (c == null || t == null || own == null || m.chainVer > c.version()) {
            routing.refresh(() -> then.accept(Status.ROUTING_VERSION_MISMATCH));
        } else if (!gate.isFor(m, c)) {
            then.accept(Status.ROUTING_VERSION_MISMATCH);
        } else if (own.state() != TargetState.SERVING || t.state != LocalState.UP_TO_DATE || isGone()) {
            then.accept(Status.TARGET_OFFLINE);
        } else if (m.offset < 0 || m.length < 1 || m.length > spec.chunkBytes()) {
            then.accept(Status.INVALID);
        } else {
            then.accept(Status.OK);
        }
    }

    private void query(RpcPeer from, Message m) {
        int version = m.chainVer == chainVer(m.chain) && !isGone() ? newest(m.chain, m.key) : UNKNOWN;
        Message answer = new Message().answers(m, version == UNKNOWN ? Status.ROUTING_VERSION_MISMATCH : Status.OK);
        answer.commitVer = version;
        from.answer(answer);
    }

    /**
     * Returns the version of a chunk that readers may see, as the tail knows it: 0 if there is none, {@link #UNKNOWN} if this is not the tail, or if a version is
     * pending that somebody else may have committed: who stood behind in an earlier version of the chain, or stands behind now.
     */
    int newest(int chain, long key) {
        Chain c = routing.routing().chain(chain);
        LocalTarget t = targets.get(chain);
        Target tail = c == null ? null : c.tail();
        if (c == null || t == null || tail == null || tail.node() != number() || t.state != LocalState.UP_TO_DATE) {
            return UNKNOWN;
        }
        ChunkMeta m = t.store.find(key);
        if (m == null) {
            return 0;
        }
        boolean alone = c.behind(number()) == null && m.pendingSince == c.version();
        return !m.isPending() || alone ? m.commitVer : UNKNOWN;
    }

    @Override
    public void joined(RpcPeer peer) {
        if (spec.path() == DataPath.PUSH) {
            grants.joined(peer);
        }
    }

    @Override
    public void noticed(RpcPeer from, int word, int length) {
        grants.noticed(from, word, length);
    }

    @Override
    public void lost(RpcPeer peer) {
        path.lost(peer);
        grants.lost(peer);
    }

    /** Sends a write to another node at a place in a chain; {@code reply} always comes. */
    void send(int to, Message m, int place, long buffer, long timeoutPs, RpcReply reply) {
        RpcPeer peer = peer(to);
        RpcReply end = spec.path() == DataPath.PULL ? buffers.lent.to(peer, buffer, reply) : reply;
        path.send(peer, m, parts.place(place), buffer, buffers.lkey(), buffers.rkey(), timeoutPs, end);
    }

    /** Tells another node something that needs no answer. */
    void tell(int to, Message m) {
        peer(to).answer(m);
    }

    /** Asks another node something. */
    void call(int to, Message m, long timeoutPs, RpcReply reply) {
        peer(to).call(m, timeoutPs, reply);
    }

    private RpcPeer peer(int number) {
        Node n = cast.nodes().get(number);
        if (n == null) {
            throw new InvariantViolation("no storage node has the number " + number);
        }
        return net.to(n);
    }

    void tap(String what, Message m, int version) {
        tap(what, m.chain, m.key, version);
        trace(what, m);
    }

    /** Tells only who follows single operations. */
    void trace(String what, Message m) {
        cast.watch().operation(number(), what, m, worker().now());
    }

    void tap(String what, int chain, long key, int version) {
        cast.watch().tap().step(number(), what, chain, key, version);
        cast.watch().steps().step(number(), what, worker().now());
    }

    WireCount wire() {
        return cast.wire();
    }

    Watch watch() {
        return cast.watch();
    }

    @Nullable
    LocalTarget target(int chain) {
        return targets.get(chain);
    }

    Iterable<LocalTarget> targets() {
        return targets.values();
    }

    int chainVer(int chain) {
        Chain c = routing.routing().chain(chain);
        return c == null ? 0 : c.version();
    }

    Channels channels() {
        return channels;
    }

    /** Gives buffers to a write of a chain, now or when there are so many, and enough for those nearer to the tail. */
    void takeBuffers(int n, int chain, Consumer<long[]> then) {
        Chain c = routing.routing().chain(chain);
        buffers.take(n, c == null ? 0 : parts.leaves(c.countBehind(number())), then);
    }

    /** Returns the buffers. */
    public BufferPool buffers() {
        return buffers;
    }

    /** Returns what it knows of the chains. */
    public RoutingCache routing() {
        return routing;
    }

    ServiceSpec spec() {
        return spec;
    }

    Worker worker() {
        return node.worker(0);
    }

    int number() {
        return node.number();
    }

    Parts parts() {
        return parts;
    }

    Gate gate() {
        return gate;
    }

    WritePath path() {
        return path;
    }

    boolean isOver() {
        return membership.isOver();
    }

    /** Returns whether no write is under way here and none was left behind. */
    public boolean isQuiet() {
        return !isOver()
                && targets.values().stream()
                        .allMatch(t -> isLost(t.chain)
                                || (t.locks.isFree() && t.store.all().stream().noneMatch(ChunkMeta::isPending)));
    }

    /** Returns whether it has a target of a chain that will not come back: its disk has failed for good. */
    public boolean isLost(int chain) {
        LocalTarget t = targets.get(chain);
        return t != null && t.failed && t.store.device().isBroken();
    }

    /** Returns the chunks of a chain here, null if it has no target of it. */
    public @Nullable ChunkStore store(int chain) {
        LocalTarget t = targets.get(chain);
        return t == null ? null : t.store;
    }
}
