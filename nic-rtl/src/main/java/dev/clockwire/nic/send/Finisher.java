package dev.clockwire.nic.send;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.RetireTap;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.stage.TokenQueue;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.ResponseResult;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/** The end of the send engine: places what responses bring and reports finished work. Part of the engine, not a block. */
final class Finisher implements State {
    private static final int ROOM = 256;
    private static final long MAX_BYTES_IN_FLIGHT = 256 << 10;

    private final Channel<Completion> out;
    private final EventPort writes;
    private final EventPort chipWrites;
    private final Inlet<DmaWrite> written;
    private final DeviceParts parts;
    private final Pool<Completion> pool;
    private final TokenQueue<Completion> queue = new TokenQueue<>();
    private final byte[] eight = new byte[Long.BYTES];
    private long bytesInFlight;

    Finisher(Channel<Completion> out, EventPort writes, Inlet<DmaWrite> written, DeviceParts parts) {
        this.written = written;
        this.out = out;
        this.writes = writes;
        chipWrites = parts.chipMemory().writePort("send");
        this.parts = parts;
        pool = parts.completions();
    }

    /** Whether more data may be placed: not while too much waits for PCIe. */
    boolean mayPlace() {
        return bytesInFlight < MAX_BYTES_IN_FLIGHT;
    }

    /** Whether more work may be finished; one response may finish more than there is room for. */
    boolean hasRoom() {
        return queue.size() < ROOM;
    }

    /** Whether there will be something to do in a cycle. */
    boolean more(long cycle) {
        return written.valid(cycle) || (queue.size() > 0 && out.ready(cycle));
    }

    /** Hands one completion on. */
    boolean tick(long cycle) {
        boolean did = false;
        while (written.valid(cycle)) {
            DmaWrite w = written.take(cycle);
            bytesInFlight -= w.length;
            parts.writes().give(w);
            did = true;
        }
        if (queue.size() > 0 && out.ready(cycle)) {
            out.put(cycle, queue.remove());
            did = true;
        }
        return did;
    }

    /** Writes the data of a READ or atomic response into local memory. */
    void place(SendQueue sq, RocePacket packet, ResponseResult result, long now) {
        Wqe wqe = sq.inFlight(result.placeEntry);
        int from = 0;
        if (result.atomic) {
            putLong(result.original);
        }
        long skip = result.placeOffset;
        int rest = result.placeLength;
        for (int i = 0; i < wqe.sgeCount && rest > 0; i++) {
            long length = Wqe.bytes(wqe.sgeLength[i]);
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int n = (int) Math.min(rest, length - skip);
            DmaWrite w = parts.writes().take();
            w.relaxed = parts.spec().relaxedWrites();
            w.address = wqe.sgeVa[i] + skip;
            w.length = n;
            w.key = wqe.sgeLkey[i];
            w.user = parts.worker(sq.qp, w.key);
            w.part = packet.psn;
            w.cookie = sq.qp.qpn;
            w.data.clear();
            if (result.atomic) {
                w.data.appendBytes(eight, from, n);
            } else {
                w.data.appendFrom(packet.payload, from, n);
            }
            w.journey = packet.journey;
            w.stage = packet.journey == 0 ? 0 : parts.journal().rxDma;
            w.done = written;
            bytesInFlight += n;
            (parts.chipMemory().holds(w.address) ? chipWrites : writes).send(now + 1, 0, 0, 0, w);
            from += n;
            skip = 0;
            rest -= n;
        }
    }

    /** An atomic's result is placed in the byte order of the host, which is little-endian. */
    private void putLong(long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            eight[i] = (byte) (value >>> (8 * i));
        }
    }

    /** A work request succeeded. */
    void success(SendQueue sq, long entry, long now) {
        Wqe wqe = sq.removeInFlight(entry);
        sq.reported = entry + 1;
        if (wqe.signaled) {
            report(sq, wqe, WcStatus.SUCCESS, now);
        } else if (sq.qp.type != QpType.RC) { // else it ends with its acknowledgement
            parts.journal().stamp(wqe.journey, parts.journal().completion, 0, now, now);
        }
        retire(sq, wqe, now);
    }

    /** An operation of the device itself succeeded. */
    void localSuccess(SendQueue sq, Wqe wqe, long now) {
        if (wqe.signaled) {
            report(sq, wqe, WcStatus.SUCCESS, now);
        }
        retire(sq, wqe, now);
    }

    /** A work request ended with an error; that is always reported. */
    void error(SendQueue sq, Wqe wqe, WcStatus status, long now) {
        report(sq, wqe, status, now);
        retire(sq, wqe, now);
    }

    /** Nothing of a queue pair that is being reset comes any more. */
    void end(SendQueue sq) {
        queue.add(pool.take().end(sq.qp.qpn, sq.qp.sendCqn));
    }

    private void retire(SendQueue sq, Wqe wqe, long now) {
        RetireTap tap = parts.retireTap();
        if (tap != null) {
            tap.retired(sq.qp.qpn, wqe.index, now);
        }
        parts.wqes().give(wqe);
    }

    private void report(SendQueue sq, Wqe wqe, WcStatus status, long now) {
        if (sq.qp.resetting) {
            return;
        }
        Completion c = pool.take();
        @Nullable WrOpcode operation = WorkParser.operation(wqe.opcode);
        c.ofRdma();
        c.cqn = sq.qp.sendCqn;
        c.qpn = sq.qp.qpn;
        c.opcode = status == WcStatus.SUCCESS ? Cqe.REQ : Cqe.REQ_ERR;
        c.wqeOpcode = wqe.opcode;
        c.wqeCounter = wqe.index;
        c.byteCount = operation != null && operation.needsResponse() ? (int) wqe.length : 0;
        c.imm = 0;
        c.srcQp = 0;
        c.solicited = false;
        c.syndrome = CqeSyndrome.of(status);
        c.journey = wqe.journey;
        c.donePs = now;
        queue.add(c);
    }

    @Override
    public void save(Snapshot snapshot) {
        queue.save(snapshot);
        snapshot.putLong(bytesInFlight);
    }

    @Override
    public void load(Snapshot snapshot) {
        queue.load(snapshot);
        bytesInFlight = snapshot.getLong();
    }
}
