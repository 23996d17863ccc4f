package dev.clockwire.storage.ceph.stream;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.cluster.Task;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A byte stream over one reliable connection, as {@code RDMAConnectedSocketImpl}: what is sent is copied into chunks, each one signalled SEND; if chunks run out, a part is
 * sent and the rest waits. What comes stays in its chunk until it is read. A SEND of no bytes is the end. Before the queue pair is destroyed a marker work request
 * (beacon) shows that its send queue is drained, so every chunk comes back.
 */
public class RdmaStream {
    /** Bits of a work request's number that name its chunk. */
    static final long NUMBER = 0xFFFF_FFFFL;
    /** From here on a number names no chunk. */
    static final long NO_CHUNK = 1L << 32;

    private static final long FIN = NO_CHUNK;
    private static final MessageName FIN_NAME = MessageName.aside("fin");
    private static final long BEACON = 2 * NO_CHUNK;
    private static final long LOOK_PS = 100_000_000L;
    private static final long LENGTH = 1L << 32;

    final Task readTask = this::read;
    final Task sentTask = (a, b) -> afterSends();
    private final RdmaStack stack;
    private final int mine;
    private final SendBatch batch = new SendBatch(1, 1);
    private final Deque<Out> waiting = new ArrayDeque<>();
    private final Deque<Long> arrivals = new ArrayDeque<>();
    private final Payload scratch = new Payload();
    private @Nullable StreamUser user;
    private @Nullable CmId id;
    private @Nullable QueuePair qp;
    private boolean open;
    private boolean dead;
    private boolean closing;
    private boolean finPosted;
    private boolean finDone;
    private boolean drained;
    private boolean beaconPosted;
    private boolean destroyed;
    private boolean failed;
    private boolean notified;
    private boolean paused;
    private int unposted;
    private int ownReceives;

    /** Bytes to send. */
    private static final class Out {
        final Payload bytes;
        final MessageName name;
        int at;

        Out(Payload bytes, MessageName name) {
            this.bytes = bytes;
            this.name = name;
        }
    }

    RdmaStream(RdmaStack stack) {
        this.stack = stack;
        mine = stack.node().incarnation();
    }

    void use(StreamUser who) {
        user = who;
    }

    CmParameters terms() {
        StreamSpec s = stack.spec();
        return new CmParameters(
                1, 1, false, s.retries(), s.rnrRetries(), CmParameters.usual().privateData());
    }

    void prepare(CmId end, Runnable then) {
        id = end;
        StreamSpec s = stack.spec();
        SharedReceiveQueue shared = stack.srq();
        QpCapabilities sizes = new QpCapabilities(s.sendBuffers() + 2, shared == null ? s.receiveQueue() : 0, 1, 1, 0);
        QpInit init = new QpInit(QpType.RC, stack.tx(), stack.rx(), sizes, true);
        end.createQp(stack.node().pd(), shared == null ? init : init.withSrq(shared), RdmaStack.ACCESS)
                .whenDone(made -> {
                    if (!stack.node().isStill(mine)) {
                        return;
                    }
                    qp = made;
                    stack.bind(made.qpn(), this);
                    unposted = shared == null ? s.receiveQueue() : 0;
                    catchUp();
                    if (dead) {
                        drain(0, 0);
                    } else {
                        then.run();
                    }
                });
    }

    /** Posts receives of its own that are missing. */
    void catchUp() {
        QueuePair pair = qp;
        while (pair != null && unposted > 0 && !dead) {
            int chunk = stack.takeReceive();
            if (chunk < 0) {
                return;
            }
            unposted--;
            ownReceives++;
            pair.postReceive(stack.filled(chunk));
        }
    }

    void happened(CmEvent e) {
        switch (e.type()) {
            case ESTABLISHED -> {
                if (!open && !dead) {
                    open = true;
                    who().opened();
                    flush();
                }
            }
            case CONNECT_REQUEST, CONNECT_RESPONSE -> {}
            default -> fail();
        }
    }

    private StreamUser who() {
        return Objects.requireNonNull(user);
    }

    /** Returns whether it can be used. */
    public boolean isOpen() {
        return open && !dead && !closing;
    }

    /** Returns whether it is gone. */
    public boolean isDead() {
        return dead;
    }

    /**
     * Sends bytes behind those before; they belong to the stream from now on.
     *
     * @param name what they are for
     */
    public void send(Payload bytes, MessageName name) {
        if (dead || closing) {
            return;
        }
        waiting.add(new Out(bytes, name));
        flush();
    }

    /** Sends what there are chunks for. */
    void flush() {
        while (open && !dead && !waiting.isEmpty()) {
            int chunk = stack.sends().take();
            if (chunk < 0) {
                stack.isDry(this);
                return;
            }
            Out o = waiting.getFirst();
            int n = Math.min(stack.spec().bufferBytes(), o.bytes.length() - o.at);
            var core = stack.node().worker(0).core();
            if (!stack.spec().zeroCopy()) {
                core.charge(HostCost.COPY_BYTE, n);
            }
            core.memory().write(stack.sends().address(chunk), o.bytes, o.at, n);
            o.at += n;
            post(chunk, n, chunk, o.name);
            if (o.at == o.bytes.length()) {
                waiting.removeFirst();
            }
        }
        if (closing && !finPosted && open && !dead && waiting.isEmpty()) {
            finPosted = true;
            post(-1, 0, FIN, FIN_NAME);
        }
    }

    private void post(int chunk, int length, long wrId, MessageName name) {
        batch.clear();
        SendEntry e = batch.add();
        e.opcode = WrOpcode.SEND;
        e.wrId = wrId;
        e.flags = SendFlag.SIGNALED.code();
        if (chunk >= 0) {
            e.sges().add(stack.sends().address(chunk), length, stack.sends().lkey(chunk));
        }
        QueuePair pair = Objects.requireNonNull(qp);
        stack.wire().posted(stack.node().number(), pair.qpn(), name);
        pair.postSend(batch);
    }

    /** A send has completed; returns whether the event loop has to go on with {@link #sentTask}. Called by who polls. */
    boolean sent(WorkCompletion wc) {
        drained |= wc.wrId == BEACON;
        finDone |= wc.wrId == FIN;
        failed |= wc.status != WcStatus.SUCCESS;
        return drained || finDone || failed;
    }

    /** A receive of its own was flushed; returns whether the event loop has to go on. */
    boolean flushed() {
        if (stack.srq() == null) {
            ownReceives--;
        }
        failed = true;
        return true;
    }

    /** Returns the receives of its own that are posted. */
    int ownReceives() {
        return ownReceives;
    }

    /** Bytes came into a chunk; returns whether the event loop has to be woken. Called by who polls. */
    boolean arrived(int chunk, int length) {
        arrivals.add(chunk * LENGTH | length);
        if (stack.srq() == null) {
            ownReceives--;
        }
        if (notified) {
            return false;
        }
        notified = true;
        return true;
    }

    private int newArrivals;

    private void read(long hopped, long unused) {
        if (hopped == 1) {
            stack.node().worker(0).core().charge(HostCost.SYSCALL, 1); // reads the eventfd
        }
        notified = false;
        repost();
        if (!paused) {
            readAll();
        }
    }

    /** One new receive for each that came, as long as there are chunks; the rest when chunks come back. */
    private void repost() {
        int n = arrivals.size() - newArrivals;
        newArrivals = arrivals.size();
        for (int i = 0; i < n; i++) {
            if (stack.srq() != null) {
                stack.used();
            } else {
                unposted++;
            }
        }
        stack.catchUp();
        catchUp();
    }

    private void readAll() {
        while (!arrivals.isEmpty()) {
            long one = arrivals.remove();
            newArrivals = Math.max(0, newArrivals - 1);
            int chunk = (int) (one / LENGTH);
            int n = (int) (one % LENGTH);
            scratch.clear();
            if (n > 0 && !dead) {
                var core = stack.node().worker(0).core();
                core.charge(HostCost.COPY_BYTE, n);
                core.memory().read(stack.receives().address(chunk), n, scratch);
            }
            stack.receives().give(chunk);
            stack.catchUp();
            catchUp();
            if (dead) {
                continue;
            }
            if (n == 0) {
                fail();
            } else {
                who().received(scratch);
            }
        }
    }

    /** Has the reader stop, its chunks full, or go on. */
    public void pause(boolean stop) {
        paused = stop;
        if (!stop) {
            stack.node().worker(0).post(readTask, 0, 0);
        }
    }

    private void afterSends() {
        if (drained) {
            release();
        } else if (finDone || failed) {
            fail();
        }
    }

    /** Ends the connection behind what was sent: the other side sees no bytes. */
    public void close() {
        if (!dead && !closing) {
            closing = true;
            if (open) {
                flush();
            } else {
                fail();
            }
        }
    }

    /** The connection is gone; what it holds comes back when its queue pair is drained. */
    void fail() {
        if (dead) {
            return;
        }
        dead = true;
        waiting.clear();
        if (!notified) {
            repost();
            readAll();
        }
        drain(0, 0);
        who().broken();
    }

    private void drain(long a, long b) {
        QueuePair pair = qp;
        if (pair == null || beaconPosted || !stack.node().isStill(mine)) {
            return;
        }
        if (pair.state() == QpState.ERR) {
            beaconPosted = true;
            CmId end = Objects.requireNonNull(id);
            end.disconnect();
            post(-1, 0, BEACON, MessageName.NONE); // never leaves
            return;
        }
        try {
            pair.modify(new QpAttributes().state(QpState.ERR))
                    .whenDone(x -> stack.node().worker(0).post(this::drain, 0, 0));
        } catch (VerbsException busy) { // the connection manager changes it just now
            stack.node().worker(0).after(LOOK_PS, this::drain, 0, 0);
        }
    }

    private void release() {
        QueuePair pair = Objects.requireNonNull(qp);
        if (destroyed) {
            return;
        }
        if (stack.srq() == null && ownReceives > 0) {
            stack.node().worker(0).after(LOOK_PS, sentTask, 0, 0); // its receives are still being flushed
            return;
        }
        destroyed = true;
        int qpn = pair.qpn();
        pair.destroy().whenDone(gone -> stack.release(qpn));
    }
}
