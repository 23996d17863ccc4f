package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Pool;

/** Writes down what is owed for a request: answers for the response engine, and completions. Part of the responder, not a block. */
final class Owed {
    private final Pool<ResponseJob> pool;
    private final DeviceParts parts;
    private final RespondState s;

    Owed(Pool<ResponseJob> pool, DeviceParts parts, RespondState s) {
        this.pool = pool;
        this.parts = parts;
        this.s = s;
    }

    private ResponseJob job(int kind, ReceiveQueue queue, RocePacket packet, RequestDecision d, long cycle) {
        ResponseJob job = pool.take();
        job.flow = queue.qp.flow;
        job.state = queue.responder;
        job.connection = queue.responder.connection();
        job.kind = kind;
        job.qpn = queue.qp.qpn;
        job.psn = d.ackPsn;
        job.syndrome = d.syndrome;
        job.msn = d.msn;
        job.due = cycle + parts.spec().ackCycles();
        job.journey = packet.journey;
        return job;
    }

    ResponseJob acknowledge(ReceiveQueue queue, RocePacket packet, RequestDecision d, long cycle) {
        return job(ResponseJob.ACK, queue, packet, d, cycle);
    }

    ResponseJob read(ReceiveQueue queue, RocePacket packet, RequestDecision d, long cycle) {
        ResponseJob job = job(ResponseJob.READ, queue, packet, d, cycle);
        job.resource = d.action == RequestDecision.Action.READ ? d.resource : ResponseJob.NONE;
        job.va = d.va;
        job.rkey = d.rkey;
        job.length = d.length;
        job.next = 0;
        job.end = d.responses;
        return job;
    }

    ResponseJob atomic(ReceiveQueue queue, RocePacket packet, RequestDecision d, long cycle) {
        int kind = ResponseJob.ATOMIC;
        if (d.action == RequestDecision.Action.REPLAY_ATOMIC) {
            s.duplicates++;
            kind = d.unfinished ? ResponseJob.ATOMIC_AGAIN : ResponseJob.ATOMIC_REPLAY;
        }
        ResponseJob job = job(kind, queue, packet, d, cycle);
        job.va = d.va;
        job.rkey = d.rkey;
        job.resource = d.resource;
        job.compareSwap = d.compareSwap;
        job.swapAdd = d.swapAdd;
        job.compare = d.compare;
        job.original = d.original;
        return job;
    }

    Completion completion(QpContext qp, RocePacket packet, RequestDecision d, int counter, long now) {
        Completion c = parts.completions().take();
        c.ofRdma();
        c.cqn = qp.recvCqn;
        c.qpn = qp.qpn;
        c.wqeOpcode = 0;
        c.wqeCounter = counter;
        c.byteCount = (int) d.byteLength;
        c.imm = d.immOrKey;
        c.srcQp = packet.srcQp;
        c.solicited = d.solicited;
        c.syndrome = CqeSyndrome.of(d.receiveStatus);
        c.journey = packet.journey;
        c.donePs = now;
        if (d.receiveStatus != WcStatus.SUCCESS) {
            c.opcode = Cqe.RESP_ERR;
        } else if (d.receiveOfWrite) {
            c.opcode = Cqe.RESP_WR_IMM;
        } else if (d.hasInvalidate) {
            c.opcode = Cqe.RESP_SEND_INV;
        } else {
            c.opcode = d.hasImm ? Cqe.RESP_SEND_IMM : Cqe.RESP_SEND;
        }
        return c;
    }

    Completion flushed(ReceiveQueue queue, long now) {
        Completion c = parts.completions().take();
        c.ofRdma();
        c.cqn = queue.qp.recvCqn;
        c.qpn = queue.qp.qpn;
        c.opcode = Cqe.RESP_ERR;
        c.wqeOpcode = 0;
        c.wqeCounter = queue.counter();
        c.byteCount = 0;
        c.imm = 0;
        c.srcQp = 0;
        c.solicited = false;
        c.syndrome = CqeSyndrome.of(WcStatus.WR_FLUSH_ERR);
        c.journey = 0;
        c.donePs = now;
        return c;
    }
}
