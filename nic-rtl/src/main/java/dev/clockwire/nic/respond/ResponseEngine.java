package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.dma.PayloadEngine;
import dev.clockwire.nic.dma.TxSlot;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.Responder;
import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes answers. Those of one queue pair leave in the order of their requests, so an ACK waits behind the responses of an
 * earlier READ; queue pairs take turns. One atomic is executed at a time.
 */
public final class ResponseEngine extends SimModule {
    private static final int SYNC = 1;
    private static final int REPLIES = 1 << 14;
    private static final int WRITES = 1 << 14;
    private static final int FLOW_BASE = 0x8000;

    private final Channel<ResponseJob> in;
    private final Channel<RocePacket> out;
    private final EventPort reads;
    private final EventPort writes;
    private final EventPort chipWrites;
    private final EventPort answered;
    private final Inlet<DmaRead> replies;
    private final Inlet<DmaWrite> written;
    private final Pool<ResponseJob> pool;
    private final DeviceParts parts;
    private final PayloadEngine payload;
    private final EventPort pauses;
    private final ResponseState s;

    /**
     * Creates the engine.
     *
     * @param in from the responder
     * @param out to the encoder
     * @param reads the endpoint's port for what is answered
     * @param writes the endpoint's port for results of atomics
     * @param answered the responder's port for what was answered
     * @param pool where finished jobs go
     */
    public ResponseEngine(
            Scope parent,
            Clock clock,
            Channel<ResponseJob> in,
            Channel<RocePacket> out,
            EventPort reads,
            EventPort writes,
            EventPort answered,
            Pool<ResponseJob> pool,
            DeviceParts parts) {
        super(parent, "responseEngine", clock);
        this.in = in.to(this);
        this.out = out.from(this);
        this.reads = reads;
        this.writes = writes;
        chipWrites = parts.chipMemory().writePort("respond");
        this.answered = answered;
        this.pool = pool;
        this.parts = parts;
        replies = new Inlet<>(this, "replies", REPLIES, SYNC);
        written = new Inlet<>(this, "written", WRITES, SYNC);
        payload = state(new PayloadEngine(
                reads,
                replies,
                parts,
                false,
                FLOW_BASE,
                0,
                parts.journal().responderDma,
                QpArbiter.of(parts.spec().queues().responsePolicy(), parts.table())));
        pauses = new EventPort(this, "pauses") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                payload.hold((int) a);
                wake();
            }
        };
        s = state(new ResponseState(QpArbiter.of(parts.spec().queues().responsePolicy(), parts.table())));
    }

    /** Returns the port that holds classes of traffic: a = which, bit n for class n. */
    public EventPort pauses() {
        return pauses;
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        while (replies.valid(cycle)) {
            onReply(replies.take(cycle), cycle);
            did = true;
        }
        while (written.valid(cycle)) {
            parts.writes().give(written.take(cycle));
            did = true;
        }
        if (in.valid(cycle)) {
            ResponseJob job = in.take(cycle);
            int q = parts.table().slot(job.qpn);
            s.queue(q).add(job);
            s.work.add(q);
            did = true;
        }
        boolean changed = make(cycle);
        changed |= finishAtomic(cycle);
        changed |= transmit(cycle);
        return (did || changed) && (more(cycle + 1, changed) || rest(true));
    }

    /** Whether the next cycle may have work: jobs that could not go on wait for a time that was asked for, or for what a change makes possible. */
    private boolean more(long next, boolean changed) {
        return (changed && s.work.size() > 0)
                || (payload.candidates() > 0 && out.ready(next))
                || replies.valid(next)
                || written.valid(next)
                || in.valid(next);
    }

    private boolean make(long cycle) {
        long wake = Long.MAX_VALUE;
        s.work.begin();
        for (int n = s.work.size(); n > 0 && payload.hasRoom(); n--) {
            int q = s.work.next();
            ResponseJob job = s.queue(q).first();
            boolean blocked = waitsForAtomic(job);
            if (job.due > cycle || blocked || !payload.hasRoom(parts.table().at(q).flow)) {
                s.work.pass(q);
                wake = blocked || job.due <= cycle ? wake : Math.min(wake, job.due);
                continue;
            }
            s.work.granted(q);
            if (job.isOld()) {
                s.queue(q).remove();
                pool.give(job);
            } else if (makeOne(job, q, cycle)) {
                s.queue(q).remove();
                if (job.kind != ResponseJob.ATOMIC) {
                    pool.give(job);
                }
            }
            if (s.queue(q).size() > 0) {
                s.work.add(q);
            }
            return true;
        }
        if (wake != Long.MAX_VALUE) {
            wakeAt(wake);
        }
        return false;
    }

    /**
     * An atomic waits for the one being executed, of whatever queue pair; a READ for an earlier atomic of its own, whose result
     * it must see, and so does an atomic that came again before its first try was done. Since what begins in a cycle is decided before what ends in it, the result's write leaves first.
     */
    private boolean waitsForAtomic(ResponseJob job) {
        ResponseJob atomic = s.atomic;
        return atomic != null && (job.kind == ResponseJob.ATOMIC || (seesAtomics(job.kind) && job.qpn == atomic.qpn));
    }

    private static boolean seesAtomics(int kind) {
        return kind == ResponseJob.READ || kind == ResponseJob.ATOMIC_AGAIN;
    }

    /** Makes one packet; returns whether the job is done. */
    private boolean makeOne(ResponseJob job, int q, long cycle) {
        RocePacket packet = parts.packets().take();
        ResponderState told = Objects.requireNonNull(job.state);
        long offset = 0;
        switch (job.kind) {
            case ResponseJob.ACK -> Responder.fillAck(told, job.psn, job.syndrome, job.msn, packet);
            case ResponseJob.READ ->
                offset = Responder.fillReadResponse(told, job.psn, job.length, job.next, job.syndrome, job.msn, packet);
            case ResponseJob.ATOMIC_AGAIN ->
                Responder.fillAtomicAck(told, job.psn, job.syndrome, job.msn, s.result(q, job.resource), packet);
            default -> Responder.fillAtomicAck(told, job.psn, job.syndrome, job.msn, job.original, packet);
        }
        packet.flow.set(Objects.requireNonNull(job.flow));
        packet.journey = job.journey;
        boolean last = job.kind != ResponseJob.READ || ++job.next == job.end;
        if (last && job.kind == ResponseJob.READ) {
            readAnswered(job);
        }
        TxSlot slot = payload.add(q, packet, 0, 0, last);
        slot.askedPs = now();
        if (job.kind == ResponseJob.ATOMIC) {
            slot.pending = 1;
            s.atomic = job;
            s.atomicSlot = slot.number();
            readOperand(job, cycle);
        } else {
            if (packet.payloadLength > 0) {
                long user = parts.peer(job.qpn, job.rkey);
                payload.read(slot, now(), job.rkey, user, job.va + offset, packet.payloadLength);
            }
            payload.added(slot);
        }
        return last;
    }

    private void readAnswered(ResponseJob job) {
        if (job.resource != ResponseJob.NONE && parts.spec().refuseExcessReads()) {
            answered.send(now() + 1, job.kind, ResponderBlock.answer(job.qpn, job.resource, job.psn), 0);
        }
    }

    private void readOperand(ResponseJob job, long cycle) {
        DmaRead r = s.operand;
        if (parts.chipMemory().holds(job.va)) {
            r.into.clear();
            parts.chipMemory().read(job.va, Long.BYTES, r.into);
            s.atomicDue = cycle + parts.spec().atomicCycles();
            return;
        }
        r.address = job.va;
        r.length = Long.BYTES;
        r.key = job.rkey;
        r.user = parts.peer(job.qpn, job.rkey);
        r.part = job.psn;
        r.into.clear();
        r.cookie = -1;
        r.flow = FLOW_BASE - 1;
        r.window = 1;
        r.reply = replies;
        r.journey = job.journey;
        r.stage = parts.journal().responderDma;
        reads.send(now() + 1, 0, 0, 0, r);
    }

    private void onReply(DmaRead reply, long cycle) {
        if (reply.error != DmaError.NONE) {
            broken(reply);
        }
        if (reply.cookie < 0) {
            s.operand = reply;
            s.atomicDue = cycle + parts.spec().atomicCycles();
            return;
        }
        TxSlot slot = payload.onReply(reply);
        if (slot != null) {
            parts.journal().stampGather(slot.packet, parts.journal().responderDma, slot.askedPs, reply, now());
        }
    }

    /** Memory that a peer asked for did not come, or is wrong: the peer is told so instead, and the queue pair fails. */
    private void broken(DmaRead reply) {
        TxSlot slot = payload.slot(reply.cookie < 0 ? s.atomicSlot : (int) reply.cookie);
        if (!slot.isDead()) {
            Responder.fail(slot.packet);
        }
        parts.control().qpFailed(parts.table().at(slot.queue()));
    }

    private boolean finishAtomic(long cycle) {
        ResponseJob job = s.atomic;
        if (job == null || s.atomicDue == 0) {
            return false;
        }
        if (s.atomicDue > cycle) {
            wakeAt(s.atomicDue);
            return false;
        }
        long old = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            old = (old << 8) | (s.operand.into.byteAt(i) & 0xFF);
        }
        boolean failed = s.operand.error != DmaError.NONE;
        if (!failed && (!job.compareSwap || old == job.compare)) {
            write(job, job.compareSwap ? job.swapAdd : old + job.swapAdd);
        }
        s.keep(parts.table().slot(job.qpn), job.resource, old);
        TxSlot slot = payload.slot(s.atomicSlot);
        slot.packet.original = old;
        slot.pending = 0;
        payload.complete(slot);
        int stage = parts.journal().responderDma;
        parts.journal().stamp(job.journey, stage, slot.packet.psn, slot.askedPs, now());
        if (!job.isOld()) {
            answered.send(now() + 1, job.kind, ResponderBlock.answer(job.qpn, job.resource, job.psn), old);
        }
        s.atomic = null;
        s.atomicDue = 0;
        pool.give(job);
        return true;
    }

    private void write(ResponseJob job, long value) {
        DmaWrite w = parts.writes().take();
        w.relaxed = false;
        w.address = job.va;
        w.user = parts.peer(job.qpn, job.rkey);
        w.length = Long.BYTES;
        w.data.clear();
        w.stage = 0;
        w.part = job.psn;
        w.done = written;
        for (int i = 0; i < Long.BYTES; i++) {
            s.eight[i] = (byte) (value >>> (8 * i));
        }
        w.data.appendBytes(s.eight, 0, Long.BYTES);
        w.journey = job.journey;
        (parts.chipMemory().holds(job.va) ? chipWrites : writes).send(now() + 1, 0, 0, 0, w);
    }

    private boolean transmit(long cycle) {
        if (!out.ready(cycle) || payload.candidates() == 0) {
            return false;
        }
        int q = payload.pick();
        if (q < 0) {
            return q == PayloadEngine.NONE;
        }
        TxSlot slot = payload.remove(q);
        RocePacket packet = slot.packet;
        packet.ackReq &= !Opcode.of(packet.opcode).isResponse();
        packet.tag = 0;
        out.put(cycle, packet);
        payload.release(slot);
        return true;
    }
}
