package dev.clockwire.nic.send;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.dma.PayloadEngine;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands around a part of the send engine that is tested alone: a queue pair, and a memory that only notes what is asked of it. */
abstract class SendRig {
    static final int PD = 3;
    private static final int QPN = 0x77;
    static final long SQ = 0x8000;

    final Sim sim = new Sim(SimSpec.of(1));
    final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    final ContextTable table = new ContextTable();
    final DeviceParts parts = LoneParts.of(sim, clock, Profiles.named("cx7-400g"), table);
    final SimModule owner = new SimModule(sim.root(), "owner", clock) {
        @Override
        protected boolean tick(long cycle) {
            return false;
        }
    };
    final List<DmaRead> asked = new ArrayList<>();
    final Inlet<DmaRead> replies = new Inlet<>(owner, "replies", 64, 1);
    final EventPort port = new EventPort(owner, "port") {
        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (token instanceof DmaRead r) {
                asked.add(r);
            } else {
                told(kind);
            }
        }
    };

    /** Something without a token came to the port: a timer. */
    void told(int kind) {
        throw new AssertionError("nobody waits for " + kind);
    }

    QpContext qp(QpType type, int logBlocks) {
        QpContext qp = new QpContext(QPN, type, PD, SQ, logBlocks, 0, 3, 16, 0, 1, 2);
        table.setUars(8);
        table.add(qp);
        qp.state = QpState.RTS;
        qp.requester = RequesterSpec.of(type, 1024, QPN, 0x78);
        return qp;
    }

    SendQueue queue() {
        return new SendQueue(qp(QpType.RC, 4), parts.spec());
    }

    static Wqe wqe(int index, int blocks) {
        Wqe w = new Wqe();
        w.index = index;
        w.blocks = blocks;
        w.end = index + blocks & 0xFFFF;
        return w;
    }

    /** Admits a WRITE of so many bytes. */
    static long admit(SendQueue q, long bytes) {
        SendWork work = new SendWork();
        work.opcode = WrOpcode.RDMA_WRITE;
        work.length = bytes;
        return Requester.admit(q.connected(16), work);
    }

    PayloadEngine payload() {
        return new PayloadEngine(port, replies, parts, false, 0, 0, 0, QpArbiter.of(QueueSpec.Policy.RR, table));
    }
}
