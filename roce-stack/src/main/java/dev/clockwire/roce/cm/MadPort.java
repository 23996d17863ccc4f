package dev.clockwire.roce.cm;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/** Queue pair 1 with its buffers: sends and receives datagrams of the connection manager. */
final class MadPort {
    /** Datagrams that may be on their way out, and receives that are posted ahead. */
    static final int SLOTS = 32;

    private static final int GRH = 40;
    private static final int RECEIVE = GRH + Mad.BYTES;
    /** Bytes of memory that the buffers take. */
    static final long BUFFER_BYTES = (long) SLOTS * (RECEIVE + Mad.BYTES);

    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final WorkCompletion[] wc = WorkCompletion.array(SLOTS);
    private final SendBatch send = new SendBatch(1, 1);
    private final ReceiveBatch receive = new ReceiveBatch(1, 1);
    private final byte[] bytes = new byte[Mad.BYTES];
    private final Map<AddressVector, Completion<AddressHandle>> ways = new LinkedHashMap<>();
    private final Deque<Integer> freeSlots = new ArrayDeque<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    /** Takes what was received. */
    interface Sink {
        /** A datagram of the connection manager came from an address. */
        void received(Mad mad, Completion<AddressHandle> back);
    }

    private MadPort(ProtectionDomain pd, MemoryRegion region, CompletionQueue cq, QueuePair qp) {
        this.pd = pd;
        this.region = region;
        this.cq = cq;
        this.qp = qp;
        for (int i = 0; i < SLOTS; i++) {
            freeSlots.add(i);
            postReceive(i);
        }
    }

    /** Creates queue pair 1 and makes it ready. */
    static Completion<MadPort> open(ProtectionDomain pd, MemoryRegion region) {
        Completion<MadPort> open = new Completion<>();
        Completion<CompletionQueue> queue = pd.context().createCq(2 * SLOTS);
        queue.whenFailed(open::fail);
        queue.whenDone(cq -> {
            QpCapabilities sizes = new QpCapabilities(SLOTS, SLOTS, 1, 1, 0);
            Completion<QueuePair> made = pd.createQp(new QpInit(QpType.UD, cq, cq, sizes, true).asGsi());
            made.whenFailed(error -> {
                cq.close();
                open.fail(error);
            });
            made.whenDone(qp -> {
                open.whenFailed(
                        error -> { // its number is free again for the next try
                            qp.close();
                            cq.close();
                        });
                ready(pd, region, cq, qp, open);
            });
        });
        return open;
    }

    private static void ready(
            ProtectionDomain pd, MemoryRegion region, CompletionQueue cq, QueuePair qp, Completion<MadPort> open) {
        Steps.modify(
                qp,
                open,
                () -> open.complete(new MadPort(pd, region, cq, qp)),
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).qkey(Mad.QKEY),
                new QpAttributes().state(QpState.RTR),
                new QpAttributes().state(QpState.RTS).sqPsn(0));
    }

    CompletionQueue cq() {
        return cq;
    }

    private long receiveAt(int slot) {
        return region.address() + (long) slot * RECEIVE;
    }

    private long sendAt(int slot) {
        return region.address() + (long) SLOTS * RECEIVE + (long) slot * Mad.BYTES;
    }

    private void postReceive(int slot) {
        receive.clear();
        var wr = receive.add();
        wr.wrId = slot;
        wr.sges().add(receiveAt(slot), RECEIVE, region.lkey());
        qp.postReceive(receive);
    }

    /** Returns the way to an address; it is looked for once. */
    Completion<AddressHandle> way(AddressVector to) {
        return ways.computeIfAbsent(to, pd::createAh);
    }

    /** Sends a datagram when the way is known and a buffer is free; silently not if there is no way. */
    void send(Mad mad, Completion<AddressHandle> to) {
        to.whenDone(ah -> {
            if (qp.state() != QpState.RTS) {
                return; // the device has failed, or the program has ended, while the way was looked for
            }
            Integer slot = freeSlots.poll();
            if (slot == null) {
                waiting.add(() -> send(mad, to));
                return;
            }
            mad.encode(bytes, 0);
            pd.context().cpu().memory().putBytes(sendAt(slot), bytes, 0, Mad.BYTES);
            send.clear();
            SendEntry wr = send.add();
            wr.wrId = slot;
            wr.opcode = WrOpcode.SEND;
            wr.flags = SendFlag.SIGNALED.code();
            wr.ah = ah;
            wr.remoteQpn = QpInit.GSI_QPN;
            wr.remoteQkey = Mad.QKEY;
            wr.sges().add(sendAt(slot), Mad.BYTES, region.lkey());
            qp.postSend(send);
        });
    }

    /** Takes what has come and what has left; returns whether there was anything. */
    boolean poll(Sink sink) {
        int n = cq.poll(wc);
        for (int i = 0; i < n; i++) {
            int slot = (int) wc[i].wrId;
            if (wc[i].opcode == WcOpcode.RECV) {
                received(wc[i], slot, sink);
            } else {
                freeSlots.add(slot);
                Runnable next = waiting.poll();
                if (next != null) {
                    next.run();
                }
            }
        }
        return n > 0;
    }

    private void received(WorkCompletion done, int slot, Sink sink) {
        if (done.status == WcStatus.SUCCESS && done.byteLength == RECEIVE) {
            pd.context().cpu().memory().getBytes(receiveAt(slot) + GRH, bytes, 0, Mad.BYTES);
            Mad mad = Mad.decode(bytes, 0, Mad.BYTES);
            if (mad != null) {
                sink.received(mad, back(done, slot));
            }
        }
        if (done.status == WcStatus.SUCCESS) {
            postReceive(slot);
        }
    }

    private Completion<AddressHandle> back(WorkCompletion done, int slot) {
        Completion<AddressHandle> way = pd.createAhFromWc(done, receiveAt(slot));
        Completion<AddressHandle> shared = new Completion<>();
        way.whenFailed(shared::fail);
        way.whenDone(ah -> {
            Completion<AddressHandle> known = ways.putIfAbsent(ah.vector(), way);
            if (known != null && known != way) {
                ah.close();
                known.whenDone(shared::complete);
            } else {
                shared.complete(ah);
            }
        });
        return shared;
    }

    void close() {
        ways.values().forEach(way -> way.whenDone(AddressHandle::close));
        qp.close();
        cq.close();
    }
}
