package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabConnections;
import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The second host of a lab, which answers with what a captured Linux target has answered. What it was never asked it says no to. */
final class CapturedPeer {
    static final int SLOT = 8192;
    private static final int SLOTS = 256;
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

    final CapturedDialogue captured = new CapturedDialogue();
    final List<byte[]> capsules = new ArrayList<>();
    final List<RdmaPrivateData.Request> requests = new ArrayList<>();
    final List<byte[]> connects = new ArrayList<>();
    final LabConnections connections;
    final List<Queue> queues = new ArrayList<>();
    /** Commands that are not answered. */
    Predicate<SqEntry> silent = e -> e.opcode() == Opcodes.ASYNC_EVENT;

    int replied = 128;
    int refusal;
    /** Answers to reads end the key, though nobody has asked for it. */
    boolean invalidates;
    /** CSTS is 0 for ever. */
    boolean neverReady;
    /** What Abort is answered: 1 says that the command was not aborted. */
    int abortResult = 1;

    private final Lab lab;
    private final CompletionQueue cq;
    private final Allocation memory;
    private final MemoryRegion mr;
    private final WorkCompletion[] wc = WorkCompletion.array(16);

    /** One connection. */
    static final class Queue {
        final CmId id;
        final int qid;
        final int slot;

        @Nullable
        QueuePair qp;

        int head;

        Queue(CmId id, int qid, int slot) {
            this.id = id;
            this.qid = qid;
            this.slot = slot;
        }
    }

    CapturedPeer(Lab lab) {
        this.lab = lab;
        connections = LabConnections.open(lab.sim(), lab.b(), new CmTimes(12, 3, 12));
        cq = lab.await(lab.b().context().createCq(4096));
        memory = lab.b().host().memory().allocate("peer", (long) SLOT * SLOTS, Allocation.Kind.REAL, 4096);
        mr = lab.await(connections.pd().regMr(memory.address(), memory.length(), ACCESS));
        connections.manager().listen(SubsystemAddress.PORT, this::event);
        connections.run(this::step);
    }

    private void event(CmEvent e) {
        if (e.type() != CmEventType.CONNECT_REQUEST) {
            return;
        }
        byte[] b = e.privateData().bytes(RdmaPrivateData.BYTES);
        RdmaPrivateData.Request r = RdmaPrivateData.request(b, 0);
        requests.add(r);
        if (refusal != 0) {
            e.id().reject(PrivateData.of(RdmaPrivateData.reject(refusal)));
            return;
        }
        Queue q = new Queue(e.id(), r.queue(), queues.size() * 64);
        queues.add(q);
        int commands = Math.min(replied, r.sends());
        QpInit init = QpInit.of(QpType.RC, cq, new QpCapabilities(64, 64, 2, 1, 0));
        e.id().createQp(connections.pd(), init, ACCESS).whenDone(qp -> {
            q.qp = qp;
            for (int i = 0; i < Math.min(60, commands); i++) {
                receive(q, i);
            }
            e.id().accept(new CmParameters(
                    0, 16, false, 7, 7, PrivateData.of(RdmaPrivateData.reply(Math.min(replied, commands)))));
        });
    }

    private long at(Queue q, int i) {
        return memory.address() + (long) (q.slot + i) % SLOTS * SLOT;
    }

    private void receive(Queue q, int i) {
        QueuePair qp = q.qp;
        if (qp != null) {
            qp.postReceive(new ReceiveWorkRequest(
                    (long) queues.indexOf(q) << 8 | i, List.of(new ScatterGather(at(q, i), 64 + 4096, mr.lkey()))));
        }
    }

    private boolean step(CpuCore core) {
        int n = cq.poll(wc);
        for (int i = 0; i < n; i++) {
            Queue q = queues.get((int) (wc[i].wrId >>> 8) & 0xFF);
            if (wc[i].status != WcStatus.SUCCESS) {
                continue;
            }
            int slot = (int) wc[i].wrId & 0xFF;
            if (wc[i].opcode == WcOpcode.RECV) {
                byte[] capsule = new byte[(int) wc[i].byteLength];
                core.memory().getBytes(at(q, slot), capsule, 0, capsule.length);
                capsules.add(capsule);
                take(core, q, slot, new SqEntry().load(capsule, 0));
            } else if (wc[i].opcode == WcOpcode.RDMA_READ) {
                byte[] data = new byte[1024];
                core.memory().getBytes(at(q, slot) + 64, data, 0, 1024);
                connects.add(data);
                answer(core, q, slot);
            }
        }
        if (n == 0) {
            lab.b().idleUntil(cq);
        }
        return n > 0;
    }

    private void take(CpuCore core, Queue q, int slot, SqEntry e) {
        boolean keyed = SglDescriptor.type(e.bytes(), SqEntry.DATA) == SglDescriptor.KEYED_DATA_BLOCK;
        if (silent.test(e)) {
            receive(q, slot);
        } else if (e.opcode() == Opcodes.FABRICS && FabricsCommand.type(e) == FabricsCommand.CONNECT && keyed) {
            SendBatch batch = new SendBatch(1, 1);
            SendEntry wr = batch.add();
            wr.wrId = (long) queues.indexOf(q) << 8 | slot;
            wr.opcode = WrOpcode.RDMA_READ;
            wr.flags = SendFlag.SIGNALED.code();
            remote(wr, e);
            wr.sges().add(at(q, slot) + 64, 1024, mr.lkey());
            post(q, batch);
        } else {
            answer(core, q, slot);
        }
    }

    private static void remote(SendEntry wr, SqEntry e) {
        wr.remoteAddress = SglDescriptor.address(e.bytes(), SqEntry.DATA);
        wr.rkey = SglDescriptor.key(e.bytes(), SqEntry.DATA);
    }

    private static void post(Queue q, SendBatch batch) {
        QueuePair qp = q.qp;
        if (qp != null) {
            qp.postSend(batch);
        }
    }

    private static boolean isStatus(SqEntry e) {
        return e.opcode() == Opcodes.FABRICS
                && FabricsCommand.type(e) == FabricsCommand.PROPERTY_GET
                && FabricsCommand.propertyOffset(e) == 0x1C;
    }

    private void answer(CpuCore core, Queue q, int slot) {
        byte[] b = new byte[64];
        core.memory().getBytes(at(q, slot), b, 0, 64);
        SqEntry e = new SqEntry().load(b, 0);
        CapturedDialogue.Exchange known = captured.like(e, q.qid == 0);
        byte[] cqe = known == null || known.answer == null ? null : known.answer.clone();
        q.head++;
        if (cqe == null) {
            cqe = new byte[CqEntry.BYTES];
            boolean abort = e.opcode() == Opcodes.ABORT;
            boolean alive = abort || e.opcode() == Opcodes.KEEP_ALIVE;
            new CqEntry()
                    .set(abort ? abortResult : 0, q.head, q.qid, e.cid(), alive ? 0 : 1, 0)
                    .store(cqe, 0);
        }
        if (neverReady && isStatus(e)) {
            LittleEndian.put64(cqe, 0, 0);
        }
        LittleEndian.put16(cqe, 12, e.cid());
        SendBatch batch = new SendBatch(2, 1);
        long at = at(q, slot);
        if (known != null && known.data.length > 0) {
            core.memory().putBytes(at + 64, known.data, 0, known.data.length);
            SendEntry write = batch.add();
            write.opcode = WrOpcode.RDMA_WRITE;
            remote(write, e);
            write.sges().add(at + 64, known.data.length, mr.lkey());
        }
        core.memory().putBytes(at + 64 + 4096, cqe, 0, cqe.length);
        SendEntry send = batch.add();
        send.wrId = (long) queues.indexOf(q) << 8 | slot;
        send.flags = SendFlag.SIGNALED.code();
        if (invalidates && e.opcode() == Opcodes.READ) {
            send.opcode = WrOpcode.SEND_WITH_INV;
            send.immOrKey = SglDescriptor.key(e.bytes(), SqEntry.DATA);
        }
        send.sges().add(at + 64 + 4096, cqe.length, mr.lkey());
        receive(q, slot);
        post(q, batch);
    }
}
