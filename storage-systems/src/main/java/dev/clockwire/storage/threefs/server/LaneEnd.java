package dev.clockwire.storage.threefs.server;

import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.storage.cluster.CqSource;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.lane.LaneStart;
import dev.clockwire.storage.threefs.lane.LaneTag;
import dev.clockwire.storage.threefs.net.RdmaRange;
import dev.clockwire.storage.threefs.rpc.Message;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The end of a lane that is written to: slots of the service's buffers, and, unless it is the tail's, the start of the lane to the next replica, whose messages the NIC
 * sends when those of this one have come. Nobody's core looks at what comes before a request names it.
 */
final class LaneEnd {
    private static final EnumSet<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    private static final long RELEASE_PS = 1_000_000_000L;

    private final StorageService service;
    private final Node node;
    private final LaneTag tag;
    private final int head;
    private final Landed taker;
    private final List<Long> slots = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final ReceiveBatch receive = new ReceiveBatch(1, 1);
    private final WorkCompletion[] found = WorkCompletion.array(LaneStart.MOST_SLOTS);
    private final CmId id;
    private @Nullable CompletionQueue cq;
    private @Nullable QueuePair qp;
    private @Nullable CqSource source;
    private @Nullable LaneStart next;
    private @Nullable Granted granted;
    private long landed;
    private long passed;
    private final boolean watched;
    private boolean accepted;
    private boolean established;
    private boolean watching;
    private boolean dead;

    /** Somebody who waits for a message. */
    private record Waiting(long n, Arrived then, long timer) {}

    /** Takes a message that was waited for. */
    @FunctionalInterface
    interface Arrived {
        /** It is in its slot, or never will be. */
        void arrived(boolean ok);
    }

    /** Takes every message as it comes, if anybody does. */
    @FunctionalInterface
    interface Landed {
        /** One is in its slot. */
        void landed(LaneEnd lane, long n);
    }

    LaneEnd(StorageService service, Node node, LaneTag tag, CmId id, int head, @Nullable Landed taker) {
        this.service = service;
        this.node = node;
        this.tag = tag;
        this.id = id;
        this.head = head;
        watched = taker != null;
        this.taker = taker == null ? (lane, n) -> {} : taker;
    }

    /** Takes the lane up when that to the next replica is there; refuses it if that cannot be. */
    void open(@Nullable Node to) {
        int n = Math.min(service.spec().slots(), LaneStart.MOST_SLOTS);
        service.buffers()
                .take(
                        n,
                        some -> node.context(0)
                                .createCq(2 * LaneStart.MOST_SLOTS)
                                .whenDone(queue -> {
                                    cq = queue;
                                    for (long slot : some) {
                                        slots.add(slot);
                                    }
                                    QpCapabilities sizes = new QpCapabilities(1, slots.size(), 1, 1, 0);
                                    id.createQp(node.pd(), QpInit.of(QpType.RC, queue, sizes), ACCESS)
                                            .whenDone(made -> {
                                                qp = made;
                                                granted = new Granted(
                                                        service.buffers(),
                                                        node.worker(0)
                                                                .core()
                                                                .memory()
                                                                .sanitizer(),
                                                        service.spec().chunkBytes(),
                                                        head,
                                                        made.qpn());
                                                slots.forEach(slot -> granted.add(slot, 0));
                                                if (to == null) {
                                                    accept();
                                                } else {
                                                    next = new LaneStart(
                                                            node,
                                                            service.wire(),
                                                            to,
                                                            tag,
                                                            service.spec()
                                                                    .socket()
                                                                    .retries(),
                                                            this::onward);
                                                }
                                            });
                                }));
    }

    private void onward(boolean works) {
        if (!works) {
            close();
        } else if (!dead) {
            accept();
        }
    }

    private void accept() {
        if (dead) {
            return;
        }
        for (int i = 0; i < slots.size(); i++) {
            prepare();
        }
        if (watched) {
            watch();
        }
        accepted = true;
        id.accept(new CmParameters(
                1,
                1,
                false,
                service.spec().socket().retries(),
                0,
                LaneStart.slots(slots, service.buffers().rkey())));
    }

    /** Posts what the next message takes, and has it passed on when it comes. */
    private void prepare() {
        passed++;
        receive.clear();
        receive.add().wrId = passed;
        Objects.requireNonNull(qp).postReceive(receive);
        LaneStart onward = next;
        if (onward != null) {
            long slot = slot(passed);
            int bytes = service.spec().chunkBytes();
            onward.forward(
                    passed,
                    Objects.requireNonNull(cq),
                    new RdmaRange(slot, bytes, service.buffers().lkey(), 0, 0),
                    head);
        }
    }

    private void watch() {
        if (source == null) { // one for good: it may still be armed when it is looked at no more
            source = new CqSource(node.worker(0), Objects.requireNonNull(cq), LaneStart.MOST_SLOTS, this::completed);
        }
        if (!watching) {
            watching = true;
            node.worker(0).add(source);
        }
    }

    private void poll() {
        int n = Objects.requireNonNull(cq).poll(found);
        for (int i = 0; i < n; i++) {
            completed(found[i]);
        }
    }

    private void completed(WorkCompletion wc) {
        if (dead) {
            return;
        }
        if (wc.status != WcStatus.SUCCESS) {
            close();
            return;
        }
        landed++;
        prepare();
        taker.landed(this, landed);
        for (Waiting w : List.copyOf(waiting)) {
            if (w.n() <= landed) {
                waiting.remove(w);
                node.worker(0).cancel(w.timer());
                w.then().arrived(true);
            }
        }
        if (waiting.isEmpty() && !watched && watching && source != null) {
            watching = false;
            node.worker(0).remove(source);
        }
    }

    /** Tells when a message is in its slot; gives up after a time. */
    void await(long n, long timeoutPs, Arrived then) {
        if (dead) {
            then.arrived(false);
            return;
        }
        if (landed < n && !watching) {
            poll();
        }
        if (landed >= n) {
            then.arrived(!dead);
            return;
        }
        waiting.add(new Waiting(n, then, node.worker(0).after(timeoutPs, (a, b) -> close(), 0, 0)));
        watch();
    }

    void happened(CmEvent e) {
        switch (e.type()) {
            case ESTABLISHED -> established = true;
            case CONNECT_REQUEST, CONNECT_RESPONSE -> {}
            default -> close();
        }
    }

    long slot(long n) {
        return slots.get((int) ((n - 1) % slots.size()));
    }

    /** Returns the request that lies before a message's bytes, null if none does. */
    @Nullable
    Message request(long n) {
        byte[] b = new byte[Message.REQUEST];
        node.worker(0).core().charge(HostCost.COPY_BYTE, b.length);
        node.worker(0).core().memory().getBytes(slot(n) - b.length, b, 0, b.length);
        return Message.decode(b);
    }

    /** Returns whether nobody stands behind. */
    boolean isTail() {
        return next == null;
    }

    LaneTag tag() {
        return tag;
    }

    Granted granted() {
        return Objects.requireNonNull(granted);
    }

    boolean isDead() {
        return dead;
    }

    /** Returns whether what comes is passed on to the next replica. */
    boolean passesOn() {
        LaneStart onward = next;
        return !dead && onward != null && onward.isOpen();
    }

    /** Ends it and what leads on from it: slots are free when nothing can be written there, and no write uses them. */
    void close() {
        if (dead) {
            return;
        }
        dead = true;
        CqSource s = source;
        if (s != null) {
            node.worker(0).remove(s);
        }
        LaneStart onward = next;
        if (onward != null) {
            onward.close();
        }
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(w -> node.worker(0).cancel(w.timer()));
        QueuePair pair = qp;
        if (pair == null) {
            id.reject(PrivateData.NONE);
            slots.forEach(service.buffers()::give);
        } else {
            qp = null;
            if (established) {
                id.disconnect();
            } else if (!accepted) {
                id.reject(PrivateData.NONE);
            }
            node.worker(0)
                    .after(
                            RELEASE_PS,
                            (x, y) -> pair.destroy()
                                    .whenDone(gone -> node.worker(0)
                                            .post((a, b) -> granted().lost(), 0, 0)),
                            0,
                            0);
        }
        all.forEach(w -> w.then().arrived(false));
    }
}
