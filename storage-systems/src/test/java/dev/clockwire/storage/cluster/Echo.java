package dev.clockwire.storage.cluster;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A service that takes a note (where the data are), reads them from the client, writes them to its disk if it has one, and answers. */
final class Echo {
    static final int PORT = 4791;
    static final int NOTE = 64;
    static final int DATA = 8192;
    private static final long RETRY_PS = 500_000_000L;
    private static final EnumSet<AccessFlag> ALL =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

    final Node node;
    final boolean server;
    /** Operations that the client begins by itself, one after the other. */
    int wanted;

    int answers;
    int failures;
    boolean connected;
    private @Nullable Node peer;
    long memory;
    private @Nullable CompletionQueue cq;
    private @Nullable MemoryRegion mr;
    private @Nullable QueuePair qp;
    private final SendBatch send = new SendBatch(1, 1);
    private final ReceiveBatch receive = new ReceiveBatch(1, 1);

    Echo(Node node, boolean server) {
        this.node = node;
        this.server = server;
    }

    void start(Node toServer) {
        memory = node.allocate("echo", 2 * NOTE + DATA, Allocation.Kind.REAL);
        node.pd().regMr(memory, 2 * NOTE + DATA, ALL).whenDone(region -> {
            mr = region;
            node.context(0).createCq(64).whenDone(queue -> {
                cq = queue;
                node.worker(0).add(new CqSource(node.worker(0), queue, 8, this::completed));
                if (server) {
                    node.connector().listen(PORT, this::happened);
                } else {
                    connect(toServer);
                }
            });
        });
    }

    private void connect(Node toServer) {
        peer = toServer;
        CmId id = node.connector().client(this::happened);
        prepare(id, () -> id.connect(toServer.gid(), PORT, CmParameters.usual()));
    }

    private void prepare(CmId id, Runnable then) {
        QpInit init = QpInit.of(QpType.RC, Objects.requireNonNull(cq), new QpCapabilities(16, 16, 1, 1, 0));
        id.createQp(node.pd(), init, ALL).whenDone(made -> {
            qp = made;
            post();
            then.run();
        });
    }

    private void happened(CmEvent e) {
        switch (e.type()) {
            case CONNECT_REQUEST -> prepare(e.id(), () -> e.id().accept(CmParameters.usual()));
            case ESTABLISHED -> {
                connected = true;
                if (wanted > 0) {
                    ask();
                }
            }
            case REJECTED -> // not there yet
                node.worker(0).after(RETRY_PS, (a, b) -> connect(Objects.requireNonNull(peer)), 0, 0);
            default -> {}
        }
    }

    private void post() {
        receive.clear();
        var r = receive.add();
        r.wrId = 1;
        r.sges().add(memory, NOTE, Objects.requireNonNull(mr).lkey());
        Objects.requireNonNull(qp).postReceive(receive);
    }

    /** The client asks: its data lie behind the notes. */
    void ask() {
        byte[] note = new byte[NOTE];
        LittleEndian.put64(note, 0, memory + 2 * NOTE);
        LittleEndian.put32(note, 8, Objects.requireNonNull(mr).rkey());
        send(note);
    }

    private void send(byte[] note) {
        node.worker(0).core().memory().putBytes(memory + NOTE, note, 0, NOTE);
        SendEntry e = entry(WrOpcode.SEND, memory + NOTE, NOTE);
        e.wrId = 2;
        Objects.requireNonNull(qp).postSend(send);
    }

    private SendEntry entry(WrOpcode opcode, long va, int length) {
        send.clear();
        SendEntry e = send.add();
        e.opcode = opcode;
        e.flags = SendFlag.SIGNALED.code();
        e.sges().add(va, length, Objects.requireNonNull(mr).lkey());
        return e;
    }

    private void completed(WorkCompletion wc) {
        if (wc.status != WcStatus.SUCCESS) {
            failures++;
            return;
        }
        if (wc.opcode == WcOpcode.RECV) {
            if (!server) {
                answers++;
                post();
                if (answers < wanted) {
                    ask();
                }
                return;
            }
            byte[] note = new byte[NOTE];
            node.worker(0).core().memory().getBytes(memory, note, 0, NOTE);
            post();
            SendEntry e = entry(WrOpcode.RDMA_READ, memory + 2 * NOTE, DATA);
            e.wrId = 3;
            e.remoteAddress = LittleEndian.get64(note, 0);
            e.rkey = LittleEndian.get32(note, 8);
            Objects.requireNonNull(qp).postSend(send);
        } else if (wc.wrId == 3) {
            node.disk().write(0, DATA, memory + 2 * NOTE, (token, ok) -> send(new byte[NOTE]), 0);
        }
    }
}
