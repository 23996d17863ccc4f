package dev.clockwire.nic.offload;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.Doorbell;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.OffloadSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.state.Pool;
import java.util.List;

/** The send rings of marked queue pairs: WQEs of the offload and of software go in, in the order they come, and their completions come back. */
final class SendSide {
    private final Channel<Doorbell> doorbells;
    private final Channel<Doorbell> toScheduler;
    private final Channel<Completion> sends;
    private final Channel<Completion> otherSends;
    private final Pool<Doorbell> pool;
    private final DeviceParts parts;
    private final OffloadSpec spec;
    private final OffloadState s;
    private final List<OffloadDisk> disks;
    private final OffloadWrites dma;
    private final ResponseWqes responses = new ResponseWqes();

    /** Joins the ends that are the module's. */
    SendSide(
            Channel<Doorbell> doorbells,
            Channel<Doorbell> toScheduler,
            Channel<Completion> sends,
            Channel<Completion> otherSends,
            Pool<Doorbell> pool,
            DeviceParts parts,
            OffloadSpec spec,
            OffloadState s,
            List<OffloadDisk> disks,
            OffloadWrites dma) {
        this.doorbells = doorbells;
        this.toScheduler = toScheduler;
        this.sends = sends;
        this.otherSends = otherSends;
        this.pool = pool;
        this.parts = parts;
        this.spec = spec;
        this.s = s;
        this.disks = disks;
        this.dma = dma;
    }

    /** Takes a completion of the send side. */
    boolean sent(long cycle) {
        if (!sends.valid(cycle)) {
            return false;
        }
        Completion done = sends.bits();
        QpContext qp = parts.table().qp(done.qpn);
        if (qp == null || qp.offload == null || done.isEnd()) {
            return NvmeOffload.pass(sends, otherSends, cycle);
        }
        if (!otherSends.ready(cycle)) {
            return false;
        }
        sends.take(cycle);
        OffloadState.Queue q = s.queue(qp.slot);
        while (q.responding.size() > 0 && behind(s.commands[q.responding.first()], done.wqeCounter)) {
            s.free(q.responding.remove()); // unsignalled
        }
        OffloadState.Command c = q.responding.size() == 0 ? null : s.commands[q.responding.first()];
        boolean known = c != null && (done.wqeCounter - c.index & 0xFFFF) < c.span;
        if (known && c != null && c.ofSoftware) {
            q.acknowledged = c.index + c.span & 0xFFFF;
            done.wqeCounter = c.softwareIndex;
            s.free(q.responding.remove());
            if (done.opcode != Cqe.REQ) {
                NvmeOffload.fail(s, q, true);
            }
            otherSends.put(cycle, done);
        } else if (done.opcode != Cqe.REQ) {
            failed(qp, q, done, cycle);
        } else {
            if (known && c != null) {
                q.acknowledged = c.index + c.span & 0xFFFF;
                acknowledged(q.responding.remove(), c, cycle);
            }
            parts.completions().give(done);
        }
        return true;
    }

    /** Whether a completion is of what lies behind a command's WQEs. */
    private static boolean behind(OffloadState.Command c, int counter) {
        int distance = counter - c.index & 0xFFFF;
        return distance >= c.span && distance < Short.MAX_VALUE;
    }

    private void acknowledged(int context, OffloadState.Command c, long cycle) {
        if (c.fetches) {
            c.fetches = false;
            c.announced = false;
            c.due = cycle + spec.cycles();
            s.disk(c.disk).waiting.add(context);
        } else {
            s.responses++;
            s.free(context);
        }
    }

    /** A WQE of the offload failed: software hears of the first one, if nobody knows yet. */
    private void failed(QpContext qp, OffloadState.Queue q, Completion done, long cycle) {
        boolean flushed = done.syndrome == CqeSyndrome.of(WcStatus.WR_FLUSH_ERR);
        if (q.told || flushed) {
            NvmeOffload.fail(s, q, false);
            parts.completions().give(done);
            return;
        }
        NvmeOffload.fail(s, q, true);
        WcStatus how = CqeSyndrome.status(done.syndrome);
        done.cqn = qp.recvCqn;
        otherSends.put(cycle, NvmeOffload.failed(done, how));
    }

    private static int blocks(OffloadState.Command c) {
        return brings(c) ? 2 : 1;
    }

    /** Whether data go with the response. */
    private static boolean brings(OffloadState.Command c) {
        return !c.ofSoftware && c.opcode == Capsule.READ && c.length > 0 && c.status == Capsule.SUCCESS;
    }

    private byte[] block(OffloadState.Command c, int number, int qpn, int context) {
        if (c.ofSoftware) {
            return c.entry;
        }
        OffloadDisk ssd = disks.get(c.disk);
        return c.fetches
                ? responses.fetch(c, qpn, ssd, context)
                : responses.block(c, brings(c) && number == 0, number, qpn, ssd, context);
    }

    /** Writes the WQEs of the next response, the one that fetches a write's data, or one of software into the send ring. */
    boolean respond(long cycle) {
        if (s.toHost.size() == 0 || s.commands[s.toHost.first()].due > cycle) {
            return false;
        }
        OffloadState.Command c = s.commands[s.toHost.first()];
        QpContext qp =
                c.slot == OffloadState.Command.NONE ? null : parts.table().at(c.slot);
        if (qp == null || qp.offload == null || (!c.ofSoftware && isOver(qp))) {
            s.free(s.toHost.remove());
            return true;
        }
        OffloadState.Queue q = s.queue(c.slot);
        int ring = 1 << qp.logSqBlocks;
        if ((q.posted - q.acknowledged & 0xFFFF) + blocks(c) > ring) {
            return false;
        }
        int context = s.toHost.remove();
        c.index = q.posted;
        c.span = blocks(c);
        if (c.ofSoftware) {
            c.entry[1] = (byte) (c.index >>> 8);
            c.entry[2] = (byte) c.index;
        } else if (!c.fetches) {
            q.underWay--;
        }
        for (int i = 0; i < c.span; i++) {
            int at = c.index + i & ring - 1;
            int cookie = i + 1 == c.span ? context + 1 : 0;
            dma.write(qp.sqBase + (long) at * Wqe.BLOCK, block(c, i, qp.qpn, context), Wqe.BLOCK, cookie);
        }
        q.posted = q.posted + c.span & 0xFFFF;
        q.responding.add(context);
        return true;
    }

    /** Whether nothing more can be sent; software's own WQEs end with an error that it waits for. */
    private boolean isOver(QpContext qp) {
        return s.queue(qp.slot).failed || qp.state == QpState.ERR || qp.resetting;
    }

    /** Passes doorbells of the host on and, in turns with them, announces WQEs of responses. */
    boolean ring(long cycle) {
        if (s.toRing.size() == 0 || (s.rangLast && doorbells.valid(cycle))) {
            boolean passed = NvmeOffload.pass(doorbells, toScheduler, cycle);
            s.rangLast &= !passed;
            return passed;
        }
        int context = s.toRing.first();
        OffloadState.Command c = s.commands[context];
        if (c.slot == OffloadState.Command.NONE) {
            s.half = 0;
            s.free(s.toRing.remove());
            return true;
        }
        if (!toScheduler.ready(cycle)) {
            return false;
        }
        QpContext qp = parts.table().at(c.slot);
        Doorbell d = pool.take();
        d.qpn = qp.qpn;
        d.producer = c.index + s.half + 1 & 0xFFFF;
        Wqe wqe = parts.wqes().take();
        wqe.unread = false;
        wqe.opaque = false;
        System.arraycopy(block(c, s.half, qp.qpn, context), 0, wqe.raw, 0, Wqe.BLOCK);
        wqe.parse(false);
        wqe.qpn = qp.qpn;
        wqe.journey = 0;
        d.wqe = wqe;
        toScheduler.put(cycle, d);
        s.half++;
        if (s.half == c.span) {
            s.half = 0;
            c.announced = true;
            s.toRing.remove();
        }
        s.rangLast = true;
        return true;
    }
}
