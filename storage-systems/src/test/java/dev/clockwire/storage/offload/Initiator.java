package dev.clockwire.storage.offload;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nvme.format.LittleEndian;
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
import java.util.ArrayList;
import java.util.List;

/** A host that keeps some commands outstanding, made by hand: it says what is in each capsule, and notes each response. */
final class Initiator implements CoreProgram {
    static final int CAPSULE = 64;
    static final int RESPONSE = 16;
    static final int DATA = 1 << 17;

    /** What a command is to say. */
    interface Command {
        /** Fills in the capsule of command n, which goes to data at an address with a key. */
        void fill(byte[] capsule, int n, long va, int rkey);
    }

    /** A response as it came. */
    record Response(int cid, int status, int sqhd, long latencyPs) {}

    final List<Response> responses = new ArrayList<>();
    final List<WcStatus> failures = new ArrayList<>();
    private final LabHost host;
    private final QueuePair qp;
    private final CompletionQueue cq;
    private final MemoryRegion memory;
    private final int depth;
    private final int count;
    private final Command command;
    private final long[] began;
    private final SendBatch sends = new SendBatch(1, 1);
    private final ReceiveBatch receives = new ReceiveBatch(1, 1);
    private final WorkCompletion[] wc = WorkCompletion.array(16);
    private int posted;
    private boolean primed;

    /** Memory holds responses, capsules and data of {@code depth} commands. */
    Initiator(
            LabHost host,
            QueuePair qp,
            CompletionQueue cq,
            MemoryRegion memory,
            int depth,
            int count,
            Command command) {
        this.host = host;
        this.qp = qp;
        this.cq = cq;
        this.memory = memory;
        this.depth = depth;
        this.count = count;
        this.command = command;
        began = new long[depth];
    }

    static long bytes(int depth) {
        return (long) depth * (DATA + CAPSULE + RESPONSE);
    }

    long data(int slot) {
        return memory.address() + (long) slot * DATA;
    }

    private long capsule(int slot) {
        return memory.address() + (long) depth * DATA + (long) slot * CAPSULE;
    }

    private long response(int slot) {
        return memory.address() + (long) depth * (DATA + CAPSULE) + (long) slot * RESPONSE;
    }

    boolean isDone() {
        return responses.size() == count || !failures.isEmpty();
    }

    @Override
    public void step(CpuCore core) {
        if (!primed) {
            primed = true;
            for (int i = 0; i < depth; i++) {
                receive(i);
                send(core, i);
            }
            core.wake();
            return;
        }
        int n = cq.poll(wc);
        for (int i = 0; i < n; i++) {
            if (wc[i].status != WcStatus.SUCCESS) {
                failures.add(wc[i].status);
            } else if (wc[i].opcode == WcOpcode.RECV) {
                answered(core, (int) wc[i].wrId);
            }
        }
        if (n > 0) {
            core.wake();
        } else if (!isDone()) {
            host.idleUntil(cq);
        }
    }

    private void answered(CpuCore core, int slot) {
        byte[] b = new byte[RESPONSE];
        host.host().memory().getBytes(response(slot), b, 0, RESPONSE);
        int cid = LittleEndian.get16(b, 12);
        responses.add(new Response(
                cid, LittleEndian.get16(b, 14) >>> 1, LittleEndian.get16(b, 8), core.now() - began[cid % depth]));
        receive(slot);
        send(core, cid % depth);
    }

    private void receive(int slot) {
        receives.clear();
        ReceiveEntry r = receives.add();
        r.wrId = slot;
        r.sges().add(response(slot), RESPONSE, memory.lkey());
        qp.postReceive(receives);
    }

    private void send(CpuCore core, int slot) {
        if (posted == count) {
            return;
        }
        byte[] b = new byte[CAPSULE];
        command.fill(b, posted++, data(slot), memory.rkey());
        LittleEndian.put16(b, 2, slot);
        host.host().memory().putBytes(capsule(slot), b, 0, CAPSULE);
        began[slot] = core.now();
        sends.clear();
        SendEntry s = sends.add();
        s.wrId = slot;
        s.opcode = WrOpcode.SEND;
        s.flags = SendFlag.SIGNALED.code();
        s.sges().add(capsule(slot), CAPSULE, memory.lkey());
        qp.postSend(sends);
    }
}
