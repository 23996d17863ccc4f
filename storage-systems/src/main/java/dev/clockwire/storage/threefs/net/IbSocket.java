package dev.clockwire.storage.threefs.net;

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
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.CqSource;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stream over one reliable connection, as 3FS's IBSocket: bytes are copied into send buffers, a buffer is used again when it is signalled and
 * acknowledged by the other side's zero-length SEND with immediate data, so a receive is always posted. Beside the stream, RDMA READ and WRITE, of which so many
 * are under way at most.
 */
public final class IbSocket {
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
    private static final int POLL = 16;
    private static final long RELEASE_PS = 100_000_000_000L;
    private static final int ACK = 0;
    private static final int TYPE_SHIFT = 24;
    private static final int COUNT_MASK = 0xFF_FFFF;
    private static final long KIND = 1L << 40;
    private static final long SEND = KIND;
    private static final long CREDIT = 2 * KIND;
    private static final long RDMA = 3 * KIND;
    private static final long RECEIVE = 4 * KIND;

    private final Node node;
    private final IbSocketSpec spec;
    private final WireCount wire;
    private final SocketUser user;
    private final SendBatch batch = new SendBatch(1, 1);
    private final ReceiveBatch receive = new ReceiveBatch(1, 1);
    private final byte[] scratch;
    private final Deque<Piece> waiting = new ArrayDeque<>();
    private final Deque<Rdma> queued = new ArrayDeque<>();
    private final Deque<Rdma> underWay = new ArrayDeque<>();
    private final int mine;
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
    private int posted;
    private boolean told;

    /** A part of the stream that waits for a buffer. */
    private static final class Piece {
        final byte[] bytes;
        final int off;
        final int length;
        final String overhead;

        Piece(byte[] bytes, int off, int length, String overhead) {
            this.bytes = bytes;
            this.off = off;
            this.length = length;
            this.overhead = overhead;
        }
    }

    /** A one-sided operation. */
    private record Rdma(WrOpcode opcode, long va, long length, int lkey, long remote, int rkey, RdmaDone done) {}

    /** Creates a socket of a node's incarnation; {@link #prepare} makes its resources. */
    public IbSocket(Node node, WireCount wire, IbSocketSpec spec, SocketUser user) {
        this.node = node;
        this.wire = wire;
        this.spec = spec;
        this.user = user;
        mine = node.incarnation();
        scratch = new byte[spec.bufferBytes()];
    }

    /** Connects to a port of another node. */
    public void connect(Node to, int port) {
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
            Completion<CompletionQueue> created = node.context(0).createCq(spec.completions());
            created.whenFailed(this::refused);
            created.whenDone(queue -> {
                cq = queue;
                pair(end, queue, then);
            });
        });
    }

    private void pair(CmId end, CompletionQueue queue, Runnable then) {
        QpCapabilities sizes = new QpCapabilities(spec.sendQueue(), spec.receives(), 1, 1, 0);
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
                if (!open && !dead) {
                    open = true;
                    user.established();
                    flush();
                }
            }
            case CONNECT_REQUEST, CONNECT_RESPONSE -> {}
            case DEVICE_REMOVAL -> fail(true);
            default -> fail(false);
        }
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

    /** Returns the number of the queue pair. */
    public int qpn() {
        return pair().qpn();
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
     * @param overhead what it is if it is no part of an operation, else empty
     */
    public void send(byte[] bytes, int length, String overhead) {
        if (dead) {
            return;
        }
        for (int at = 0; at < length; at += spec.bufferBytes()) {
            waiting.add(new Piece(bytes, at, Math.min(spec.bufferBytes(), length - at), overhead));
        }
        flush();
    }

    private boolean mayReuse() {
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
            boolean signal = unsignalled == spec.signalBatch() || !mayReuse();
            SendEntry e = entry(WrOpcode.SEND, SEND + sent, signal);
            if (signal) {
                unsignalled = 0;
            }
            e.sges().add(va, p.length, region().lkey());
            if (!p.overhead.isEmpty()) {
                wire.overhead(p.overhead, false);
            }
            pair().postSend(batch);
        }
    }

    private SendEntry entry(WrOpcode opcode, long wrId, boolean signal) {
        batch.clear();
        SendEntry e = batch.add();
        e.opcode = opcode;
        e.wrId = wrId;
        e.flags = signal ? SendFlag.SIGNALED.code() : 0;
        return e;
    }

    /** Reads from the other side's memory. */
    public void read(long va, long length, int lkey, long remote, int rkey, RdmaDone done) {
        start(new Rdma(WrOpcode.RDMA_READ, va, length, lkey, remote, rkey, done));
    }

    /** Writes to the other side's memory. */
    public void write(long va, long length, int lkey, long remote, int rkey, RdmaDone done) {
        start(new Rdma(WrOpcode.RDMA_WRITE, va, length, lkey, remote, rkey, done));
    }

    private void start(Rdma op) {
        if (dead) {
            op.done().done(false);
        } else if (underWay.size() == spec.maxRdma()) {
            queued.add(op);
        } else {
            post(op);
        }
    }

    private void post(Rdma op) {
        SendEntry e = entry(op.opcode(), RDMA, true);
        e.remoteAddress = op.remote();
        e.rkey = op.rkey();
        e.sges().add(op.va(), op.length, op.lkey());
        underWay.add(op);
        pair().postSend(batch);
    }

    private void completed(WorkCompletion wc) {
        long kind = wc.wrId / KIND * KIND;
        if (dead) {
            drain(kind, wc.status == WcStatus.SUCCESS);
            return;
        }
        if (wc.status != WcStatus.SUCCESS) {
            fail(false);
            drain(kind, false);
            return;
        }
        if (wc.opcode == WcOpcode.RECV) {
            received(wc);
        } else if (kind == SEND) {
            signalled = Math.max(signalled, wc.wrId - SEND);
            flush();
        } else if (kind == RDMA) {
            Rdma op = underWay.remove(); // of one kind they end in order; a READ and a WRITE end in the order they were
            // posted,
            // too
            Rdma next = queued.poll();
            if (next != null) {
                post(next);
            }
            op.done().done(true);
        }
    }

    private void received(WorkCompletion wc) {
        posted--;
        int i = (int) (wc.wrId - RECEIVE);
        if (WcFlag.WITH_IMM.in(wc.flags)) {
            int imm = wc.immOrKey;
            postReceive(i);
            if (imm >>> TYPE_SHIFT == ACK) {
                acked += imm & COUNT_MASK;
                if (acked > sent) {
                    throw new InvariantViolation(node.name() + ": " + acked + " buffers acknowledged of " + sent);
                }
                flush();
            }
            return;
        }
        int n = (int) wc.byteLength;
        node.worker(0).core().charge(HostCost.COPY_BYTE, n);
        node.worker(0).core().memory().getBytes(receiveAt(i), scratch, 0, n);
        postReceive(i);
        consumed++;
        if (consumed == spec.ackBatch()) {
            SendEntry e = entry(WrOpcode.SEND_WITH_IMM, CREDIT, false);
            e.immOrKey = ACK << TYPE_SHIFT | consumed;
            consumed = 0;
            wire.overhead("credit", false);
            pair().postSend(batch);
        }
        user.received(scratch, n);
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
        waiting.clear();
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

    private void drain(long kind, boolean ok) {
        if (kind == RDMA && !underWay.isEmpty()) {
            underWay.remove().done().done(ok);
        }
        if (kind == RECEIVE) {
            posted--;
        }
        if (posted == 0 && underWay.isEmpty()) {
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
