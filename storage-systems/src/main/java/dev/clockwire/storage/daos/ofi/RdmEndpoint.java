package dev.clockwire.storage.daos.ofi;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.CqSource;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Pool;
import dev.clockwire.storage.cluster.Worker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A reliable-datagram endpoint: messages to any node by number, over a queue pair that is made when it is first needed. Short messages are copied into a bounce
 * buffer here and out of one there; longer ones go in segments. All connections take their receives from one shared queue. Nothing moves unless the owner
 * calls {@link #progress}; its worker does, in its loop.
 */
public final class RdmEndpoint {
    /** Where endpoints listen: DAOS's usual port. */
    public static final int PORT = 31_316;

    private static final int TAG_SHIFT = 16;
    private static final int POLL = 16;
    private static final long KIND = 1L << 40;
    private static final long SEND = KIND;
    private static final long RDMA = 2 * KIND;
    private static final long RECEIVE = 3 * KIND;

    private final Node node;
    private final int tag;
    private final Worker worker;
    private final WireCount wire;
    private final OfiSpec spec;
    private final OfiUser user;
    private final SendBatch batch = new SendBatch(1, 1);
    private final ReceiveBatch receive = new ReceiveBatch(1, 1);
    private final byte[] scratch;
    private final Map<Integer, Conn> byQpn = new TreeMap<>();
    private final Map<Integer, Conn> byPeer = new TreeMap<>();
    private final Map<CmId, Conn> accepted = new LinkedHashMap<>();
    private final Deque<Conn> starved = new ArrayDeque<>();
    private final TreeSet<Long> announced = new TreeSet<>();
    private final Deque<Integer> freeSends = new ArrayDeque<>();
    private final Deque<Integer> freeOps = new ArrayDeque<>();
    private final Conn[] sending;
    private final @Nullable RdmaOp[] ops;
    private @Nullable ProtectionDomain pd;
    private @Nullable CompletionQueue cq;
    private @Nullable SharedReceiveQueue srq;
    private @Nullable MemoryRegion mr;
    private @Nullable CqSource source;
    private long copied;
    private int nextOwn;
    /** Receives of connections that have their own, by number. */
    private final Map<Integer, Own> own = new TreeMap<>();

    private record Own(Conn conn, int qpn, long va, int lkey) {}

    /**
     * Creates an endpoint of a node's incarnation; {@link #open} makes its resources.
     *
     * @param tag which of the node, from 0: it belongs to the worker of that number, and listens at the port of that distance from the first
     */
    public RdmEndpoint(Node node, int tag, WireCount wire, OfiSpec spec, OfiUser user) {
        this.node = node;
        this.tag = tag;
        worker = node.worker(tag);
        this.wire = wire;
        this.spec = spec;
        this.user = user;
        scratch = new byte[spec.eagerBytes()];
        sending = new Conn[spec.sends()];
        ops = new RdmaOp[spec.maxRdma()];
        for (int i = 0; i < spec.sends(); i++) {
            freeSends.add(i);
        }
        for (int i = 0; i < spec.maxRdma(); i++) {
            freeOps.add(i);
        }
    }

    /** Returns the address of an endpoint: of the first of a node its number. */
    public static int address(int node, int tag) {
        return tag << TAG_SHIFT | node;
    }

    /** Returns the node of an address. */
    public static int nodeOf(int address) {
        return address & (1 << TAG_SHIFT) - 1;
    }

    private static int tagOf(int address) {
        return address >>> TAG_SHIFT;
    }

    /** Registers bounce buffers, makes the queues, posts receives and listens; called on its worker. */
    public void open(Runnable then) {
        if (tag == 0) {
            pd = node.pd();
            register(then);
        } else {
            node.context(tag).allocPd().whenDone(domain -> {
                pd = domain;
                worker.post((a, b) -> register(then), 0, 0);
            });
        }
    }

    private void register(Runnable then) {
        long bytes = (long) (spec.receives() + spec.sends()) * spec.eagerBytes();
        long memory = node.allocate("bounce" + (tag == 0 ? "" : tag), bytes, Allocation.Kind.REAL);
        pd().regMr(memory, bytes, EnumSet.of(AccessFlag.LOCAL_WRITE)).whenDone(region -> {
            mr = region;
            node.context(tag).createCq(spec.completions()).whenDone(queue -> {
                cq = queue;
                pd().createSrq(new SrqAttributes(spec.receives(), 1, 0)).whenDone(shared -> {
                    srq = shared;
                    worker.post((a, b) -> opened(then), 0, 0);
                });
            });
        });
    }

    private void opened(Runnable then) {
        for (int i = 0; i < spec.receives() && spec.receivesEach() == 0; i++) {
            postReceive(i);
        }
        CqSource s = new CqSource(worker, cq(), POLL, this::completed);
        source = s;
        worker.add(s);
        node.connector().paths(Mtu.MTU_4096, spec.timeoutCode());
        node.connector().listen(PORT + tag, e -> onWorker(() -> asked(e)));
        then.run();
    }

    /** Connections are made by worker 0, whoever's they are: what it hears of them is handed over. */
    void onWorker(Runnable what) {
        if (tag == 0) {
            what.run();
        } else {
            worker.handOver((a, b) -> what.run(), 0, 0, node.worker(0).now());
        }
    }

    private void asked(CmEvent e) {
        if (e.type() == CmEventType.CONNECT_REQUEST) {
            Conn c = new Conn(this, Conn.asker(e));
            c.incarnation(Conn.incarnation(e));
            accepted.put(e.id(), c);
            c.accept(e.id());
            return;
        }
        Conn c = accepted.get(e.id());
        if (c != null) {
            c.happened(e);
        }
    }

    /** Looks for what has come or ended; returns how much was found. The owner's loop does this. */
    public int progress() {
        return source == null ? 0 : source.poll();
    }

    /**
     * Returns the connection to an endpoint, made now if there is none.
     *
     * @param other the node of the address
     */
    public Conn to(Node other, int address) {
        Conn known = byPeer.get(address);
        if (known != null && !known.isDead()) {
            return known;
        }
        Conn c = new Conn(this, address);
        byPeer.put(address, c);
        c.connect(other, PORT + tagOf(address));
        return c;
    }

    /** Returns whether there is a connection to an endpoint. */
    public boolean isConnected(int address) {
        Conn c = byPeer.get(address);
        return c != null && c.isOpen();
    }

    /** Announces a message, before what asks for it is sent. */
    public void expect(long tag) {
        announced.add(tag);
    }

    /** Takes an announcement back: the message is dropped if it comes. */
    public void cancel(long tag) {
        announced.remove(tag);
    }

    /**
     * Sends a message.
     *
     * @param bytes the first {@link RxmHeader#BYTES} are the endpoint's
     * @param name what it is for
     */
    public void send(Conn to, byte[] bytes, int length, long tag, boolean expected, MessageName name) {
        if (length > spec.sarBytes()) {
            throw new ConfigurationException(node.name() + ": a message of " + length + " B: at most " + spec.sarBytes()
                    + " go without rendezvous");
        }
        if (to.isDead()) {
            return;
        }
        to.waiting.add(new Conn.Outgoing(new Segment(bytes, length, tag, expected, name), null));
        flush(to);
    }

    /** Reads from the other side's memory. */
    public void read(Conn from, long va, int length, int lkey, long remote, int rkey, MessageName name, RdmaDone done) {
        start(new RdmaOp(from, WrOpcode.RDMA_READ, va, length, lkey, remote, rkey, name, done));
    }

    /** Writes to the other side's memory. */
    public void write(Conn to, long va, int length, int lkey, long remote, int rkey, MessageName name, RdmaDone done) {
        start(new RdmaOp(to, WrOpcode.RDMA_WRITE, va, length, lkey, remote, rkey, name, done));
    }

    private void start(RdmaOp op) {
        if (op.conn().isDead()) {
            op.done().done(false);
            return;
        }
        op.conn().waiting.add(new Conn.Outgoing(Segment.NONE, op));
        flush(op.conn());
    }

    private void flush(Conn c) {
        while (c.isOpen() && !c.waiting.isEmpty()) {
            Conn.Outgoing first = c.waiting.element();
            RdmaOp op = first.op();
            boolean room = c.hasRoom() && !(op == null ? freeSends : freeOps).isEmpty();
            if (!room) {
                if (!starved.contains(c)) {
                    starved.add(c);
                }
                return;
            }
            if (op == null) {
                postSend(c, first.segment());
                if (first.segment().isDone()) {
                    c.waiting.remove();
                }
            } else {
                c.waiting.remove();
                postRdma(op);
            }
        }
    }

    private void postSend(Conn c, Segment s) {
        int i = freeSends.remove();
        int n = s.next(scratch, spec.eagerBytes());
        long va = sendAt(i);
        copy(n);
        worker.core().memory().putBytes(va, scratch, 0, n);
        sending[i] = c;
        SendEntry e = entry(WrOpcode.SEND, SEND + i);
        e.sges().add(va, n, region().lkey());
        wire.posted(node.number(), c.pair().qpn(), s.name());
        c.posted();
        c.pair().postSend(batch);
    }

    private void postRdma(RdmaOp op) {
        int i = freeOps.remove();
        ops[i] = op;
        SendEntry e = entry(op.opcode(), RDMA + i);
        e.remoteAddress = op.remote();
        e.rkey = op.rkey();
        e.sges().add(op.va(), op.length(), op.lkey());
        wire.posted(node.number(), op.conn().pair().qpn(), op.name());
        op.conn().posted();
        op.conn().pair().postSend(batch);
    }

    private SendEntry entry(WrOpcode opcode, long wrId) {
        batch.clear();
        SendEntry e = batch.add();
        e.opcode = opcode;
        e.wrId = wrId;
        e.flags = SendFlag.SIGNALED.code();
        return e;
    }

    private void copy(int bytes) {
        worker.core().charge(HostCost.COPY_BYTE, bytes);
        copied += bytes;
    }

    private long sendAt(int i) {
        return region().address() + (long) (spec.receives() + i) * spec.eagerBytes();
    }

    private void postReceive(int i) {
        receive.clear();
        var r = receive.add();
        r.wrId = RECEIVE + i;
        Own of = own.get(i);
        if (of == null) {
            r.sges().add(receiveAt(i), spec.eagerBytes(), region().lkey());
            srq().postReceive(receive);
        } else {
            r.sges().add(of.va, spec.eagerBytes(), of.lkey);
            of.conn.pair().postReceive(receive);
        }
    }

    private long receiveAt(int i) {
        Own of = own.get(i);
        return of == null ? region().address() + (long) i * spec.eagerBytes() : of.va;
    }

    private void completed(WorkCompletion wc) {
        long kind = wc.wrId / KIND * KIND;
        int i = (int) (wc.wrId - kind);
        boolean ok = wc.status == WcStatus.SUCCESS;
        if (kind == RECEIVE) {
            received(i, wc, ok);
        } else if (kind == SEND) {
            Conn c = sending[i];
            freeSends.add(i);
            c.retired();
            ended(c, ok);
        } else {
            RdmaOp op = Objects.requireNonNull(ops[i]);
            ops[i] = null;
            freeOps.add(i);
            op.conn().retired();
            ended(op.conn(), ok);
            op.done().done(ok);
        }
    }

    private void ended(Conn c, boolean ok) {
        if (!ok) {
            c.fail();
        }
        flush(c);
        for (int n = starved.size(); n > 0; n--) {
            flush(starved.remove());
        }
    }

    private void received(int i, WorkCompletion wc, boolean ok) {
        Conn c = byQpn.get(wc.qpNum);
        boolean mine = own.containsKey(i);
        if (mine && (!ok || c == null || c.isDead())) {
            own.remove(i);
            if (c != null) {
                c.fail();
            }
            return;
        }
        if (!ok || wc.opcode != WcOpcode.RECV || c == null || wc.byteLength < RxmHeader.BYTES) {
            postReceive(i);
            if (c != null) {
                c.fail();
            }
            return;
        }
        int n = (int) wc.byteLength;
        copy(n);
        worker.core().memory().getBytes(receiveAt(i), scratch, 0, n);
        postReceive(i);
        int at = RxmHeader.at(scratch);
        int total = RxmHeader.total(scratch);
        int skip = at == 0 ? 0 : RxmHeader.BYTES;
        boolean wrong = total > spec.sarBytes() || total < RxmHeader.BYTES;
        byte[] whole = wrong ? null : c.gather(scratch, skip, n - skip, at, total);
        if (whole == null) {
            return;
        }
        long tag = RxmHeader.tag(scratch);
        if (!RxmHeader.isExpected(scratch)) {
            user.unexpected(c, whole, total);
        } else if (announced.remove(tag)) {
            user.expected(tag, whole, total);
        }
    }

    void made(Conn c, int qpn) {
        byQpn.put(qpn, c);
    }

    void gone(int qpn) {
        byQpn.remove(qpn);
        own.values().removeIf(b -> b.qpn == qpn); // its memory is lost to the incarnation
    }

    /** Posts the receives of a connection's own, if it has such. */
    void provide(Conn c, Runnable then) {
        int each = spec.receivesEach();
        if (each == 0) {
            then.run();
            return;
        }
        int qpn = c.pair().qpn();
        long bytes = (long) each * spec.eagerBytes();
        long memory = node.allocate("bounce" + tag + ".qp" + qpn, bytes, Allocation.Kind.REAL);
        pd().regMr(memory, bytes, EnumSet.of(AccessFlag.LOCAL_WRITE)).whenDone(region -> {
            if (c.isDead()) {
                return;
            }
            for (int i = 0; i < each; i++) {
                int number = spec.receives() + nextOwn++;
                own.put(number, new Own(c, qpn, memory + (long) i * spec.eagerBytes(), region.lkey()));
                postReceive(number);
            }
            then.run();
        });
    }

    void established(Conn c) {
        for (Conn old : new ArrayList<>(byQpn.values())) {
            if (old.peer() == c.peer() && old.isOpen() && old.incarnation() < c.incarnation()) {
                old.fail(); // the node has begun anew: nobody is there any more
            }
        }
        Conn known = byPeer.get(c.peer());
        if (known == null || known.isDead() || known.isOpen()) {
            byPeer.put(c.peer(), c); // the latest: its other end lives
        }
        flush(c);
    }

    void broken(Conn c) {
        byPeer.values().removeIf(x -> x == c);
        accepted.values().removeIf(x -> x == c);
        List<RdmaOp> unposted = new ArrayList<>();
        for (Conn.Outgoing o : c.waiting) {
            if (o.op() != null) {
                unposted.add(o.op());
            }
        }
        c.waiting.clear();
        unposted.forEach(op -> op.done().done(false));
        user.lost(c);
    }

    Node node() {
        return node;
    }

    Worker worker() {
        return worker;
    }

    int address() {
        return address(node.number(), tag);
    }

    /** Returns the domain of its queue pairs and memory. */
    public ProtectionDomain pd() {
        return Objects.requireNonNull(pd);
    }

    OfiSpec spec() {
        return spec;
    }

    CompletionQueue cq() {
        return Objects.requireNonNull(cq);
    }

    SharedReceiveQueue srq() {
        return Objects.requireNonNull(srq);
    }

    private MemoryRegion region() {
        return Objects.requireNonNull(mr);
    }

    /** Returns what it sends from, for whoever looks whether all comes back. */
    public List<Pool> pools() {
        String of = tag == 0 ? "" : " of endpoint " + tag;
        return List.of(
                new Pool(node.number(), "bounce buffers to send from" + of, freeSends::size, spec::sends),
                new Pool(node.number(), "one-sided requests" + of, freeOps::size, spec::maxRdma));
    }

    /** Returns the bytes that were copied into and out of bounce buffers. */
    public long copied() {
        return copied;
    }

    /** Returns the messages announced and not come. */
    public int announced() {
        return announced.size();
    }
}
