package dev.clockwire.nic.lab;

import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** Sends the flows of one host: keeps some messages of each with the device, and polls. */
final class FlowProgram implements CoreProgram {
    /** Messages of a flow with the device at most. */
    static final int DEPTH = 32;

    private static final int POLL = 16;

    private final LabHost host;
    private final CompletionQueue cq;
    private final List<LabFlow> flows = new ArrayList<>();
    private final SendBatch batch = new SendBatch(1, 1);
    private final WorkCompletion[] wc = WorkCompletion.array(POLL);
    private int turn;

    FlowProgram(LabHost host, CompletionQueue cq) {
        this.host = host;
        this.cq = cq;
    }

    /** Adds a flow; its place is the upper half of its work requests' numbers. */
    void add(LabFlow flow) {
        flows.add(flow);
    }

    boolean isIdle() {
        return flows.isEmpty();
    }

    @Override
    public void step(CpuCore core) {
        long now = core.now();
        int n = cq.poll(wc);
        for (int i = 0; i < n; i++) {
            flows.get((int) wc[i].wrId).completed(wc[i].status, core.now());
        }
        if (post(now) || n > 0) {
            core.wake();
            return;
        }
        wait(core);
    }

    /** Posts one message of the next flow that may have another. */
    private boolean post(long now) {
        for (int k = 0; k < flows.size(); k++) {
            int f = (turn + k) % flows.size();
            LabFlow flow = flows.get(f);
            if (flow.beginsPs() <= now && flow.next() > 0 && flow.underWay() < DEPTH) {
                turn = f + 1;
                post(flow, f);
                return true;
            }
        }
        return false;
    }

    private void post(LabFlow flow, int number) {
        int length = flow.next();
        batch.clear();
        SendEntry entry = batch.add();
        entry.wrId = number;
        entry.opcode = WrOpcode.RDMA_WRITE;
        entry.flags = SendFlag.SIGNALED.code();
        entry.remoteAddress = flow.to;
        entry.rkey = flow.rkey;
        entry.sges().add(flow.from, length, flow.lkey);
        flow.qp.postSend(batch);
        flow.posted(length);
    }

    /** Sleeps until a flow begins or a completion comes; without either the core is done. */
    private void wait(CpuCore core) {
        long first = Long.MAX_VALUE;
        boolean open = false;
        for (LabFlow flow : flows) {
            open |= flow.underWay() > 0 && !flow.failed();
            if (flow.beginsPs() > core.now()) {
                first = Math.min(first, flow.beginsPs());
            }
        }
        if (open) {
            host.idleUntil(cq);
            if (first != Long.MAX_VALUE) {
                core.idleAtMost(first - core.now());
            }
        } else if (first != Long.MAX_VALUE) {
            core.wakeAfter(first - core.now());
        }
    }
}
