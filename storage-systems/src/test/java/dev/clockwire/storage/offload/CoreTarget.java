package dev.clockwire.storage.offload;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** The way without the offload, as lean as it can be: one core polls for capsules and for completions of the SSD, and posts data and response. */
final class CoreTarget implements CoreProgram {
    private static final int CAPSULE = 64;
    private static final int RESPONSE = 16;
    private static final int BLOCK = 512;

    private final LabHost host;
    private final QueuePair qp;
    private final CompletionQueue cq;
    private final MemoryRegion memory;
    private final int depth;
    private final int mostBytes;
    private final byte[][] capsules;
    private final SendBatch sends = new SendBatch(2, 1);
    private final ReceiveBatch receives = new ReceiveBatch(1, 1);
    private final WorkCompletion[] wc = WorkCompletion.array(16);
    private @Nullable NvmeQueuePair ssd;

    /** Memory holds data, capsules and responses of {@code depth} commands, data first. */
    CoreTarget(LabHost host, QueuePair qp, CompletionQueue cq, MemoryRegion memory, int depth, int mostBytes) {
        this.host = host;
        this.qp = qp;
        this.cq = cq;
        this.memory = memory;
        this.depth = depth;
        this.mostBytes = mostBytes;
        capsules = new byte[depth][CAPSULE];
    }

    void use(NvmeQueuePair pair) {
        ssd = pair;
    }

    private long capsule(int slot) {
        return memory.address() + (long) depth * mostBytes + (long) slot * CAPSULE;
    }

    private long response(int slot) {
        return memory.address() + (long) depth * (mostBytes + CAPSULE) + (long) slot * RESPONSE;
    }

    /** Posts the receive of a slot. */
    void receive(int slot) {
        receives.clear();
        ReceiveEntry r = receives.add();
        r.wrId = slot;
        r.sges().add(capsule(slot), CAPSULE, memory.lkey());
        qp.postReceive(receives);
    }

    @Override
    public void step(CpuCore core) {
        NvmeQueuePair pair = ssd;
        if (pair == null) {
            return;
        }
        int n = cq.poll(wc);
        for (int i = 0; i < n; i++) {
            if (wc[i].status == WcStatus.SUCCESS && wc[i].opcode == WcOpcode.RECV) {
                int slot = (int) wc[i].wrId;
                byte[] c = capsules[slot];
                host.host().memory().getBytes(capsule(slot), c, 0, CAPSULE);
                int blocks = LittleEndian.get16(c, 48) + 1;
                long va = memory.address() + (long) slot * mostBytes;
                pair.transfer(Opcodes.READ, 1, LittleEndian.get64(c, 40), blocks, va, blocks * BLOCK, slot);
            }
        }
        pair.ring();
        int done = pair.poll(16);
        if (n + done > 0) {
            core.wake();
        } else {
            core.idle(cq.provider().watchAddress(), 1);
            core.idle(pair.next(), CqEntry.BYTES);
        }
    }

    /** The SSD has read: data and response leave together. */
    void done(int slot, int status) {
        byte[] c = capsules[slot];
        byte[] r = new byte[RESPONSE];
        LittleEndian.put16(r, 12, LittleEndian.get16(c, 2));
        LittleEndian.put16(r, 14, status << 1);
        host.host().memory().putBytes(response(slot), r, 0, RESPONSE);
        receive(slot);
        sends.clear();
        SendEntry data = sends.add();
        data.wrId = slot;
        data.opcode = WrOpcode.RDMA_WRITE;
        data.flags = 0;
        data.remoteAddress = LittleEndian.get64(c, 24);
        data.rkey = LittleEndian.get32(c, 35);
        int bytes = (LittleEndian.get16(c, 48) + 1) * BLOCK;
        data.sges().add(memory.address() + (long) slot * mostBytes, bytes, memory.lkey());
        SendEntry answer = sends.add();
        answer.wrId = slot;
        answer.opcode = WrOpcode.SEND;
        answer.flags = SendFlag.SIGNALED.code();
        answer.sges().add(response(slot), RESPONSE, memory.lkey());
        qp.postSend(sends);
    }
}
