package dev.clockwire.storage.threefs.net;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.CqSource;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.net.Piece.Notice;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stream over one reliable connection, as 3FS's IBSocket: bytes are copied into send buffers, a buffer is used again when it is signalled and
 * acknowledged by the other side's zero-length SEND with immediate data, so a receive is always posted. Beside the stream, RDMA READ and WRITE, of which so many
 * are under way at most.
 */
public class IbSocket {
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
    private static final MessageName CREDIT_NAME = MessageName.aside("credit");
    private static final int POLL = 16;
    private static final long RELEASE_PS = 100_000_000_000L;
    private static final int ACK = 0;
    private static final int NOTICE = 2;
    private static final int TYPE_SHIFT = 24;
    private static final int COUNT_MASK = 0xFF_FFFF;
    private static final long KIND = 1L << 40;
    private static final long SEND = KIND;
    private static final long CREDIT = 2 * KIND;
    private static final long RDMA = 3 * KIND;
    private static final long RECEIVE = 4 * KIND;
    private static final long PART = 5 * KIND;
    private static final long PROBE = 6 * KIND;
    private static final MessageName PROBE_NAME = MessageName.aside("probe");
    static final int SGES = 2;

    private final Node node;
    private final IbSocketSpec spec;
    private final WireCount wire;
    private final SocketUser user;
    private final SendBatch batch;
    private final ReceiveBatch receive;
    private final byte[] scratch;
    private final Deque<Piece> waiting = new ArrayDeque<>();
    private final Deque<Rdma> queued = new ArrayDeque<>();
    private final Deque<Rdma> underWay = new ArrayDeque<>();
    private final Deque<Notice> notices = new ArrayDeque<>();
    private final int mine;
    private final Greeting greeting;
    private @Nullable CmId id;
    private @Nullable CompletionQueue cq;
    private @Nullable MemoryRegion mr;
    private @Nullable QueuePair qp;
    private @Nullable CqSource source;
    private boolean open;
    private boolean dead;
    private long sent;
    private long signalled;
    private long acked;
    private long unsignalled;
    private int consumed;
    private int unsignalledCredits;
    private int posted;
    private int oneSided;
    private long completions;
    private boolean told;

    /** One-sided operations that are posted together. */
    private record Rdma(WrOpcode opcode, List<RdmaRange> ranges, MessageName name, RdmaDone done) {}

    /** Creates a socket of a node's incarnation; {@link #prepare} makes its resources. */
    public IbSocket(Node node, WireCount wire, IbSocketSpec spec, SocketMemory shared, SocketUser user) {
        this.node = node;
        this.wire = wire;
        this.spec = spec;
        this.user = user;
        mine = node.incarnation();
        batch = shared.sends;
        receive = shared.receives;
        scratch = shared.bytes;
        greeting = new Greeting(spec.probe(), node, this::probe, this::opened, () -> fail(false));
    }

    /** Connects to a port of another node. */
    public void connect(Node to, int port) {
        greeting.dials();
        CmId end = node.connector().client(this::happened);
        prepare(end, () -> end.connect(to.gid(), port, terms()));
    }

    /** Takes a connection up that another node wants. */
    public void accept(CmId end) {
        prepare(end, () -> end.accept(terms()));
    }

    private CmParameters terms() {
        int depth = spec.maxRdAtomic();
        return new CmParameters(
                depth,
                depth,
                false,
                spec.retries(),
                spec.rnrRetries(),
                CmParameters.usual().privateData());
    }

    private void prepare(CmId end, Runnable then) {
        id = end;
        int buffers = spec.sendBuffers() + spec.receives();
        long bytes = (long) buffers * spec.bufferBytes();
        long memory = node.allocate("socket", bytes, Allocation.Kind.REAL);
        Completion<MemoryRegion> registered = node.pd().regMr(memory, bytes, EnumSet.of(AccessFlag.LOCAL_WRITE));
        registered.whenFailed(this::refused);
        registered.whenDone(region -> {
            mr = region;
            if (!node.isStill(mine)) {
                return; // its program has ended meanwhile
            }
            Completion<CompletionQueue> created = node.context(0).createCq(entries());
            created.whenFailed(this::refused);
            created.whenDone(queue -> {
                cq = queue;
                pair(end, queue, then);
            });
        });
    }

    private void pair(CmId end, CompletionQueue queue, Runnable then) {
        if (!node.isStill(mine)) {
            return; // its program has ended meanwhile
        }
        QpCapabilities sizes = new QpCapabilities(spec.sendQueue(), spec.receives(), SGES, 1, 0);
        Completion<QueuePair> created = end.createQp(node.pd(), QpInit.of(QpType.RC, queue, sizes), ACCESS);
        created.whenFailed(this::refused);
        created.whenDone(made -> {
            if (!node.isStill(mine) || dead) {
                return;
            }
            qp = made;
            for (int i = 0; i < spec.receives(); i++) {
                postReceive(i);
            }
            source = new CqSource(node.worker(0), queue, POLL, this::completed);
            node.worker(0).add(source);
            then.run();
        });
    }

    /** A control verb has failed: so has the device. */
    private void refused(VerbsException why) {
        if (node.isStill(mine)) {
            fail(true);
        }
    }

    /** Is told what happens to the connection: also by who listens. */
    public void happened(CmEvent e) {
        switch (e.type()) {
            case ESTABLISHED -> {
                if (!dead) {
                    greeting.established();
                }
            }
            case CONNECT_REQUEST, CONNECT_RESPONSE -> {}
            case DEVICE_REMOVAL -> fail(true);
            default -> fail(false);
        }
    }

    private void probe(WrOpcode opcode) {
        entry(opcode, PROBE, true).immOrKey = 0;
        wire.posted(node.number(), qpn(), PROBE_NAME);
        pair().postSend(batch);
    }

    private void opened() {
        open = true;
        user.established();
        flush();
    }

    private long receiveAt(int i) {
        return region().address() + (long) (spec.sendBuffers() + i) * spec.bufferBytes();
    }

    private void postReceive(int i) {
        receive.clear();
        var r = receive.add();
        r.wrId = RECEIVE + i;
        r.sges().add(receiveAt(i), spec.bufferBytes(), region().lkey());
        pair().postReceive(receive);
        posted++;
    }

    private MemoryRegion region() {
        return Objects.requireNonNull(mr);
    }

    private QueuePair pair() {
        return Objects.requireNonNull(qp);
    }

    /** Returns the address of who has asked for this connection. */
    public Gid asker() {
        return Objects.requireNonNull(id).request().primary().localGid();
    }

    /** Returns the number of the queue pair. */
    public int qpn() {
        return pair().qpn();
    }

    /** Returns the completions that it has taken. */
    public long completions() {
        return completions;
    }

    /** Returns the buffers that were sent and not acknowledged. */
    public long unacknowledged() {
        return sent - acked;
    }

    /** Returns whether it can be used. */
    public boolean isOpen() {
        return open && !dead;
    }

    /** Returns whether it broke or was closed. */
    public boolean isDead() {
        return dead;
    }

    /**
     * Sends bytes behind those sent before.
     *
     * @param name what they are for
     */
    public void send(byte[] bytes, int length, MessageName name) {
        if (dead) {
            return;
        }
        for (int at = 0; at < length; at += spec.bufferBytes()) {
            waiting.add(new Piece(bytes, at, Math.min(spec.bufferBytes(), length - at), name, null));
        }
        flush();
    }

    /**
     * Writes bytes and behind them a range to the other side's memory, in one message that takes a receive there and tells it a word: a WRITE with immediate data. It
     * goes by the same credits as what is sent, and in the same order.
     *
     * @param head up to a buffer's bytes, written before {@code range.remote()}
     * @param word 24 bits
     * @param name what it is for
     * @param done when the range may change again
     */
    public void notice(byte[] head, RdmaRange range, int word, MessageName name, RdmaDone done) {
        if (head.length > spec.bufferBytes() || word >>> TYPE_SHIFT != 0) {
            throw new InvariantViolation(
                    node.name() + ": notice 0x" + Integer.toHexString(word) + " with " + head.length + " B in front");
        }
        if (dead) {
            done.done(false);
            return;
        }
        waiting.add(new Piece(head, 0, head.length, name, new Notice(range, word, done)));
        flush();
    }

    /** Returns the completions that the queue has room for. */
    int entries() {
        return spec.completions();
    }

    /** Returns whether a send buffer is free: the other side has taken what was in it, and the device has read it. */
    boolean mayReuse() {
        return sent - Math.min(acked, signalled) < spec.sendBuffers();
    }

    private void flush() {
        while (open && !dead && !waiting.isEmpty() && mayReuse()) {
            Piece p = waiting.remove();
            long va = region().address() + sent % spec.sendBuffers() * spec.bufferBytes();
            node.worker(0).core().charge(HostCost.COPY_BYTE, p.length);
            node.worker(0).core().memory().putBytes(va, p.bytes, p.off, p.length);
            sent++;
            unsignalled++;
            Notice n = p.notice;
            boolean signal = n != null || unsignalled == spec.signalBatch() || !mayReuse();
            SendEntry e = entry(n == null ? WrOpcode.SEND : WrOpcode.RDMA_WRITE_WITH_IMM, SEND + sent, signal);
            if (signal) {
                unsignalled = 0;
            }
            e.sges().add(va, p.length, region().lkey());
            if (n != null) {
                follow(e, p.length, n);
            }
            wire.posted(node.number(), qpn(), p.name);
            pair().postSend(batch);
        }
    }

    private void follow(SendEntry e, int head, Notice n) {
        n.index = sent;
        notices.add(n);
        e.remoteAddress = n.range.remote() - head;
        e.rkey = n.range.rkey();
        e.immOrKey = NOTICE << TYPE_SHIFT | n.word;
        e.sges().add(n.range.va(), n.range.length(), n.range.lkey());
    }

    private SendEntry entry(WrOpcode opcode, long wrId, boolean signal) {
        batch.clear();
        return add(opcode, wrId, signal);
    }

    private SendEntry add(WrOpcode opcode, long wrId, boolean signal) {
        SendEntry e = batch.add();
        e.opcode = opcode;
        e.wrId = wrId;
        e.flags = signal ? SendFlag.SIGNALED.code() : 0;
        return e;
    }

    /**
     * Reads from the other side's memory.
     *
     * @param name what it is for
     */
    public void read(RdmaRange range, MessageName name, RdmaDone done) {
        start(new Rdma(WrOpcode.RDMA_READ, List.of(range), name, done));
    }

    /**
     * Writes ranges to the other side's memory: of those that are posted together only the last is signalled.
     *
     * @param name what they are for
     */
    public void write(List<RdmaRange> ranges, MessageName name, RdmaDone done) {
        int most = spec.rdmaBatch();
        for (int at = 0; at < ranges.size(); at += most) {
            boolean last = at + most >= ranges.size();
            List<RdmaRange> some = List.copyOf(ranges.subList(at, last ? ranges.size() : at + most));
            start(new Rdma(WrOpcode.RDMA_WRITE, some, name, last ? done : ok -> {})); // they end in order
        }
    }

    private void start(Rdma op) {
        if (dead) {
            op.done().done(false);
        } else if (!queued.isEmpty() || oneSided + op.ranges().size() > spec.maxRdma()) {
            queued.add(op);
        } else {
            post(op);
        }
    }

    private void post(Rdma op) {
        batch.clear();
        int n = op.ranges().size();
        for (int i = 0; i < n; i++) {
            RdmaRange r = op.ranges().get(i);
            SendEntry e = add(op.opcode(), i == n - 1 ? RDMA : PART, i == n - 1);
            e.remoteAddress = r.remote();
            e.rkey = r.rkey();
            e.sges().add(r.va(), r.length(), r.lkey());
        }
        underWay.add(op);
        oneSided += n;
        for (int i = 0; i < n; i++) {
            wire.posted(node.number(), qpn(), op.name());
        }
        pair().postSend(batch);
    }

    private void completed(WorkCompletion wc) {
        long kind = wc.wrId / KIND * KIND;
        completions++;
        if (dead) {
            drain(kind, wc.wrId, wc.status == WcStatus.SUCCESS);
            return;
        }
        if (wc.status != WcStatus.SUCCESS) {
            fail(false);
            drain(kind, wc.wrId, false);
            return;
        }
        if (kind == PROBE) {
            greeting.arrived();
        } else if (kind == RECEIVE) {
            received(wc);
        } else if (kind == SEND) {
            signalled = Math.max(signalled, wc.wrId - SEND);
            noticed(true);
            flush();
        } else if (kind == RDMA) {
            // of one kind they end in order; a READ and a WRITE end in the order they were posted, too
            Rdma op = underWay.remove();
            oneSided -= op.ranges().size();
            Rdma next = queued.peek();
            while (next != null && oneSided + next.ranges().size() <= spec.maxRdma()) {
                post(queued.remove());
                next = queued.peek();
            }
            op.done().done(true);
        }
    }

    /** Tells what the device has read of the ranges of notices. */
    private void noticed(boolean ok) {
        while (!notices.isEmpty() && notices.peek().index <= signalled) {
            notices.remove().done.done(ok);
        }
    }

    private void received(WorkCompletion wc) {
        posted--;
        int i = (int) (wc.wrId - RECEIVE);
        if (Greeting.isProbe(wc)) {
            postReceive(next(i));
            greeting.arrived();
            return;
        }
        if (WcFlag.WITH_IMM.in(wc.flags)) {
            int imm = wc.immOrKey;
            postReceive(next(i));
            if (imm >>> TYPE_SHIFT == ACK) {
                acked += imm & COUNT_MASK;
                if (acked > sent) {
                    throw new InvariantViolation(node.name() + ": " + acked + " buffers acknowledged of " + sent);
                }
                flush();
            } else if (imm >>> TYPE_SHIFT == NOTICE) {
                consumed();
                user.noticed(imm & COUNT_MASK, (int) wc.byteLength);
            }
            return;
        }
        int n = (int) wc.byteLength;
        node.worker(0).core().charge(HostCost.COPY_BYTE, n);
        node.worker(0).core().memory().getBytes(receiveAt(i), scratch, 0, n);
        postReceive(next(i));
        consumed();
        user.received(scratch, n);
    }

    /** Returns the receive that is posted again when one has come back: the same. */
    int next(int taken) {
        return taken;
    }

    /** A buffer of the other side's has been taken: it is told of several at once. */
    private void consumed() {
        consumed++;
        if (consumed == spec.ackBatch()) {
            unsignalledCredits++;
            boolean signal =
                    unsignalledCredits == spec.ackBuffers(); // so that the queue gets free where nothing else is sent
            unsignalledCredits = signal ? 0 : unsignalledCredits;
            SendEntry e = entry(WrOpcode.SEND_WITH_IMM, CREDIT, signal);
            e.immOrKey = ACK << TYPE_SHIFT | consumed;
            consumed = 0;
            wire.posted(node.number(), qpn(), CREDIT_NAME);
            pair().postSend(batch);
        }
    }

    /** Ends the connection: nothing that was posted touches memory afterwards, neither side's. */
    public void close() {
        fail(false);
    }

    /**
     * The queue pair goes to ERR, and everything that was posted comes back: until then the device may still touch what one-sided operations name.
     *
     * @param gone whether the device has forgotten everything
     */
    private void fail(boolean gone) {
        if (dead) {
            if (gone) {
                over();
            }
            return;
        }
        dead = true;
        open = false;
        while (!waiting.isEmpty()) {
            Notice n = waiting.remove().notice;
            if (n != null) {
                n.done.done(false);
            }
        }
        while (!queued.isEmpty()) {
            queued.remove().done().done(false);
        }
        CmId end = id;
        if (end != null && qp != null && !gone) {
            end.disconnect();
        }
        node.worker(0).after(RELEASE_PS, (a, b) -> release(), 0, 0);
        if (gone || qp == null) {
            over();
        }
    }

    private void drain(long kind, long wrId, boolean ok) {
        if (kind == SEND) {
            signalled = Math.max(signalled, wrId - SEND);
            noticed(ok);
        }
        if (kind == RDMA && !underWay.isEmpty()) {
            underWay.remove().done().done(ok);
        }
        if (kind == RECEIVE) {
            posted--;
        }
        if (posted == 0 && underWay.isEmpty() && notices.isEmpty()) {
            over();
        }
    }

    private void over() {
        if (told) {
            return;
        }
        told = true;
        CqSource s = source;
        if (s != null) {
            node.worker(0).remove(s);
        }
        while (!underWay.isEmpty()) {
            underWay.remove().done().done(false);
        }
        while (!notices.isEmpty()) {
            notices.remove().done.done(false);
        }
        user.broken();
    }

    private void release() {
        QueuePair pair = qp;
        if (pair == null) {
            over();
        }
        if (pair != null) {
            qp = null;
            pair.destroy().whenDone(gone -> {
                node.worker(0).post((a, b) -> over(), 0, 0);
                Objects.requireNonNull(cq).close();
                region().close();
            });
        }
    }
}
