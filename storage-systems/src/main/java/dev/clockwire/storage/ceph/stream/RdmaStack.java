package dev.clockwire.storage.ceph.stream;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.CqSource;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Pool;
import dev.clockwire.storage.cluster.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of one process share: the pools of chunks, a pair of completion queues, the shared receive queue, and the polling thread on worker 1's core, which
 * wakes the messenger's event loop, worker 0, through an eventfd. Connections are made by the connection manager; Ceph exchanges queue pair numbers over TCP.
 */
public class RdmaStack {
    /** Where messengers listen. */
    public static final int PORT = 6800;

    static final EnumSet<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE);
    private static final int SPARE = 64;
    private static final int POLL = 32;

    private final Node node;
    private final WireCount wire;
    private final StreamSpec spec;
    private final ChunkPool send;
    private final ChunkPool receive;
    private final Map<Integer, RdmaStream> streams = new TreeMap<>();
    private final Map<CmId, RdmaStream> in = new LinkedHashMap<>();
    private final Deque<RdmaStream> dry = new ArrayDeque<>();
    private final ReceiveBatch batch = new ReceiveBatch(1, 1);
    private final Task refill = (a, b) -> refill();
    private final Task again = (a, b) -> catchUp();
    private @Nullable CompletionQueue txCq;
    private @Nullable CompletionQueue rxCq;
    private @Nullable SharedReceiveQueue srq;
    private @Nullable PollingThread thread;
    private int open;
    private int backlog;
    private boolean growing;
    private boolean refilling;
    private long refused;

    /** Creates the stack of a node's incarnation; {@link #start} makes its resources. */
    public RdmaStack(Node node, WireCount wire, StreamSpec spec) {
        this.node = node;
        this.wire = wire;
        this.spec = spec;
        send = pool(true, spec.bufferBytes(), spec.sendBuffers());
        receive = pool(false, spec.bufferBytes(), spec.firstReceives());
    }

    /** Makes the pool of sends or receives. */
    ChunkPool pool(boolean sends, int chunkBytes, int slab) {
        return new ChunkPool(chunkBytes, slab);
    }

    /** Makes a stream. */
    RdmaStream stream() {
        return new RdmaStream(this);
    }

    /** Has something run, in a step of worker 0, when the device fails: nothing of the stack works any more then. */
    public void onLoss(Runnable then) {
        node.onDeviceLoss(then);
    }

    /** Registers pools and creates queues, then goes on in a step of worker 0. */
    public void start(Runnable ready) {
        node.connector().paths(spec.mtu(), spec.timeoutCode());
        Context poller = node.context(spec.reactor() ? 0 : 1);
        register("ceph.tx", spec.sendBuffers(), tx -> {
            send.add(tx, spec.sendBuffers());
            register("ceph.rx", spec.firstReceives(), rx -> {
                receive.add(rx, spec.firstReceives());
                poller.createCq(spec.sendBuffers() + SPARE).whenDone(t -> {
                    txCq = t;
                    poller.createCq(Math.max(spec.receiveBuffers(), spec.receiveQueue()) + SPARE)
                            .whenDone(r -> {
                                rxCq = r;
                                srq(ready);
                            });
                });
            });
        });
    }

    private void register(String what, int chunks, Consumer<MemoryRegion> then) {
        long bytes = (long) chunks * spec.bufferBytes();
        long va = node.allocate(what, bytes, Allocation.Kind.BULK);
        node.pd().regMr(va, bytes, ACCESS).whenDone(then);
    }

    private void srq(Runnable ready) {
        if (!spec.sharedReceives()) {
            poll(ready);
            return;
        }
        node.pd().createSrq(new SrqAttributes(spec.receiveQueue(), 1, 0)).whenDone(made -> {
            srq = made;
            backlog = spec.receiveQueue();
            poll(ready);
        });
    }

    private void poll(Runnable ready) {
        if (spec.reactor()) {
            node.worker(0)
                    .post(
                            (a, b) -> {
                                node.worker(0).add(new CqSource(node.worker(0), tx(), POLL, this::sent));
                                node.worker(0).add(new CqSource(node.worker(0), rx(), POLL, this::arrived));
                                catchUp();
                                ready.run();
                            },
                            0,
                            0);
            return;
        }
        thread = new PollingThread(node.worker(1).core(), spec.pollingPs(), tx(), rx(), this::sent, this::arrived);
        thread.start();
        node.worker(0)
                .post(
                        (a, b) -> {
                            catchUp();
                            ready.run();
                        },
                        0,
                        0);
    }

    /** Takes connections up. */
    public void listen(StreamDoor door) {
        node.connector().listen(PORT, e -> happened(e, door));
    }

    private void happened(CmEvent e, StreamDoor door) {
        if (e.type() != CmEventType.CONNECT_REQUEST) {
            RdmaStream s = in.get(e.id());
            if (s != null) {
                s.happened(e);
                if (s.isDead()) {
                    in.remove(e.id());
                }
            }
        } else if (open == spec.eventHandles()) {
            refused++;
            e.id().reject(PrivateData.NONE); // no eventfd to wake its reader with: that is no reason to abort
        } else {
            RdmaStream s = stream();
            open++;
            in.put(e.id(), s);
            s.use(door.comes(s));
            s.prepare(e.id(), () -> e.id().accept(s.terms()));
        }
    }

    /** Connects to another node's stack. */
    public RdmaStream connect(Node to, StreamUser user) {
        RdmaStream s = stream();
        s.use(user);
        if (open == spec.eventHandles()) {
            refused++;
            node.worker(0).post((a, b) -> s.fail(), 0, 0);
            return s;
        }
        open++;
        CmId end = node.connector().client(s::happened);
        s.prepare(end, () -> end.connect(to.gid(), PORT, s.terms()));
        return s;
    }

    /** A stream has a queue pair; or none any more. */
    void bind(int qpn, RdmaStream s) {
        streams.put(qpn, s);
    }

    void release(int qpn) {
        streams.remove(qpn);
        open--;
    }

    private void sent(WorkCompletion wc) {
        RdmaStream s = streams.get(wc.qpNum);
        int chunk = (int) (wc.wrId & RdmaStream.NUMBER);
        if (wc.wrId < RdmaStream.NO_CHUNK) {
            send.give(chunk);
            if (!dry.isEmpty() && !refilling) {
                refilling = true;
                hop(refill);
            }
        }
        if (s != null && s.sent(wc)) {
            hop(s.sentTask);
        }
    }

    private void arrived(WorkCompletion wc) {
        RdmaStream s = streams.get(wc.qpNum);
        int chunk = (int) wc.wrId;
        if (s == null || wc.status != WcStatus.SUCCESS) {
            receive.give(chunk);
            if (srq != null) { // a queue pair that ended had taken it from the others
                backlog++;
                hop(again);
            }
            if (s != null && s.flushed()) {
                hop(s.sentTask);
            }
            return;
        }
        if (s.arrived(chunk, (int) wc.byteLength)) {
            hop(s.readTask);
        }
    }

    /** Has the event loop run something: by an eventfd from the polling thread, at once if it polls by itself. */
    private void hop(Task task) {
        PollingThread t = thread;
        if (t == null) {
            node.worker(0).post(task, 0, 0);
        } else {
            t.core().charge(HostCost.SYSCALL, 1);
            node.worker(0).handOver(task, 1, 0, t.core().now());
        }
    }

    private void refill() {
        refilling = false;
        List<RdmaStream> now = new ArrayList<>(dry);
        dry.clear();
        now.forEach(RdmaStream::flush);
    }

    /** A stream waits for chunks to send from. */
    void isDry(RdmaStream s) {
        if (!dry.contains(s)) {
            dry.add(s);
        }
    }

    /** A receive was used: another one is posted as soon as there is a chunk. */
    void used() {
        backlog++;
    }

    /** Posts receives that are missing. */
    void catchUp() {
        SharedReceiveQueue q = srq;
        while (q != null && backlog > 0) {
            int chunk = receive.take();
            if (chunk < 0) {
                grow();
                return;
            }
            backlog--;
            q.postReceive(filled(chunk));
        }
    }

    private void grow() {
        int more = Math.min(spec.firstReceives(), spec.receiveBuffers() - receive.size());
        if (more <= 0 || growing) {
            return;
        }
        growing = true;
        register("ceph.rx" + receive.size(), more, region -> {
            receive.add(region, more);
            growing = false;
            node.worker(0)
                    .post(
                            (a, b) -> {
                                catchUp();
                                List.copyOf(streams.values()).forEach(RdmaStream::catchUp);
                            },
                            0,
                            0);
        });
    }

    /** Returns a receive into a chunk. */
    ReceiveBatch filled(int chunk) {
        batch.clear();
        var r = batch.add();
        r.wrId = chunk;
        r.sges().add(receive.address(chunk), spec.bufferBytes(), receive.lkey(chunk));
        return batch;
    }

    /** Returns a chunk for a receive of a connection of its own, -1 if there is none. */
    int takeReceive() {
        int chunk = receive.take();
        if (chunk < 0) {
            grow();
        }
        return chunk;
    }

    ChunkPool sends() {
        return send;
    }

    ChunkPool receives() {
        return receive;
    }

    Node node() {
        return node;
    }

    WireCount wire() {
        return wire;
    }

    StreamSpec spec() {
        return spec;
    }

    @Nullable
    SharedReceiveQueue srq() {
        return srq;
    }

    CompletionQueue tx() {
        return Objects.requireNonNull(txCq);
    }

    CompletionQueue rx() {
        return Objects.requireNonNull(rxCq);
    }

    /** Returns the chunks for whoever looks whether all come back: those that are posted are where they belong. */
    public List<Pool> pools() {
        return List.of(
                new Pool(node.number(), "chunks to send from", send::free, send::size),
                new Pool(node.number(), "chunks to receive into", () -> receive.free() + posted(), receive::size));
    }

    private int posted() {
        int own = 0;
        for (RdmaStream s : streams.values()) {
            own += s.ownReceives();
        }
        return srq == null ? own : spec.receiveQueue() - backlog;
    }

    /** Returns the polling thread, null if the event loop polls. */
    public @Nullable PollingThread thread() {
        return thread;
    }

    /** Returns the chunks that nothing is sent from now. */
    public int freeSends() {
        return send.free();
    }

    /** Returns the chunks of the receive pool so far. */
    public int receiveChunks() {
        return receive.size();
    }

    /** Returns the chunks that are neither posted nor wait for a reader. */
    public int freeReceives() {
        return receive.free();
    }

    /** Returns the receives that are missing for want of chunks. */
    public int backlog() {
        return backlog;
    }

    /** Returns the connections that had no event handle. */
    public long refused() {
        return refused;
    }

    /** Returns the connections that exist. */
    public int connections() {
        return streams.size();
    }

    /** Checks that a node has the cores that it takes. */
    public static void check(String who, int workers, StreamSpec spec) {
        if (!spec.reactor() && workers < 2) {
            throw new ConfigurationException("ceph: " + who + " has " + workers
                    + " worker: async+rdma takes 2, the second is the core of the polling thread");
        }
    }
}
