package dev.clockwire.nic.doorbell;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Pool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes what arrives in the UAR. A 64-bit write of WQE_DB_REG carries the producer index, a 32-bit write does not; a
 * write into a BlueFlame buffer is the WQE itself, in 64 B pieces and in address order; one that is torn or too long is read
 * from memory instead. What makes no sense, and doorbells of queue pairs that are not ready to send, is counted and dropped.
 */
public final class DoorbellBlock extends SimModule {
    private static final int SYNC = 1;
    private static final int DEPTH = 1024;
    private static final int QPN_BITS = 24;
    /** Longer than a store waits in front of the next one of the same copy; what is not complete by then was torn. */
    private static final long TORN_PS = 10_000_000;

    private final Inlet<MmioWrite> mmio;
    private final Channel<Doorbell> out;
    private final LongChannel arms;
    private final Pool<Doorbell> pool;
    private final Consumer<MmioWrite> recycle;
    private final DeviceParts parts;
    private final UarControl control;
    private final DoorbellState s = state(new DoorbellState());

    /**
     * Creates the block.
     *
     * @param out to the scheduler
     * @param arms to the completion unit: {@link ArmWord}s
     * @param pool where doorbells come from; the scheduler gives them back
     * @param recycle takes stores that were decoded
     * @param control what the registers say
     */
    public DoorbellBlock(
            Scope parent,
            Clock clock,
            Channel<Doorbell> out,
            LongChannel arms,
            Pool<Doorbell> pool,
            Consumer<MmioWrite> recycle,
            DeviceParts parts,
            UarControl control) {
        super(parent, "doorbell", clock);
        this.out = out.from(this);
        this.arms = arms.from(this);
        this.pool = pool;
        this.recycle = recycle;
        this.parts = parts;
        this.control = control;
        mmio = new Inlet<>(this, "mmio", DEPTH, SYNC);
    }

    /** Returns the inlet that the endpoint writes. */
    public Inlet<MmioWrite> mmio() {
        return mmio;
    }

    /** Returns how many writes were dropped: outside of every register, of a wrong size, or for another QP's page. */
    public long errors() {
        return s.errors;
    }

    @Override
    protected boolean tick(long cycle) {
        if (s.owed >= 0) {
            return ringOwed(cycle);
        }
        if (!mmio.valid(cycle)) {
            return false;
        }
        boolean entered = s.due == 0;
        if (entered) {
            s.due = cycle + parts.spec().doorbellCycles() - 1;
        }
        if (s.due > cycle) {
            wakeAt(s.due);
            return rest(entered);
        }
        if (!out.ready(cycle) || !arms.ready(cycle)) {
            return rest(entered);
        }
        s.due = 0;
        MmioWrite write = mmio.take(cycle);
        Doorbell doorbell = decode(write, cycle);
        if (doorbell != null && !sends(doorbell)) {
            error(UarControl.OUT_OF_RANGE);
            give(doorbell);
        } else if (doorbell != null) {
            doorbell.journey = write.journey;
            out.put(cycle, doorbell);
        }
        recycle.accept(write);
        return mmio.valid(cycle + 1) || s.owed >= 0 || rest(true);
    }

    /** Whether a queue pair has got as far as to send: before that nothing can be posted, and nobody rings but by mistake. */
    private boolean sends(Doorbell doorbell) {
        QpContext qp = parts.table().qp(doorbell.qpn);
        return qp != null && qp.state != QpState.RESET && qp.state != QpState.INIT && qp.state != QpState.RTR;
    }

    private void give(Doorbell doorbell) {
        Wqe wqe = doorbell.wqe;
        if (wqe != null) {
            doorbell.wqe = null;
            parts.wqes().give(wqe);
        }
        pool.give(doorbell);
    }

    private boolean ringOwed(long cycle) {
        if (!out.ready(cycle)) {
            return false;
        }
        QpContext qp = parts.table().qp(s.owed);
        s.owed = -1;
        if (qp != null) {
            out.put(cycle, plain(qp, -1));
        }
        return true;
    }

    private @Nullable Doorbell decode(MmioWrite write, long cycle) {
        UarLayout layout = control.layout();
        switch (layout.target(write.offset)) {
            case ARM -> arm(write, layout, cycle);
            case DOORBELL -> {
                if (write.length == Integer.BYTES || write.length == Long.BYTES) {
                    return register(write, parts.table().uar(layout.uar(write.offset)));
                }
                error(UarControl.BAD_FORMAT);
            }
            case INDEX -> {
                return index(write, parts.table().uar(layout.uar(write.offset)));
            }
            case BLUEFLAME -> {
                if (write.length == Wqe.BLOCK) {
                    return layout == UarLayout.PAGE ? ofPage(write, layout) : ofSlot(write);
                }
                error(UarControl.BAD_FORMAT);
            }
            case NONE -> error(UarControl.BAD_FORMAT);
        }
        return null;
    }

    private void error(int kind) {
        s.errors++;
        control.error(kind);
    }

    private void arm(MmioWrite write, UarLayout layout, long cycle) {
        int cqn = little(write.data, 0) & 0xFF_FFFF;
        if (control.articleLiteral() && parts.table().cq(cqn) != null && write.length >= Integer.BYTES) {
            arms.put(cycle, ArmWord.ofShort(cqn, little(write.data, 0) >>> QPN_BITS));
        } else if (write.length != Long.BYTES) {
            error(UarControl.BAD_FORMAT);
        } else if (parts.table().cq(cqn) == null) {
            error(UarControl.OUT_OF_RANGE);
        } else if (layout == UarLayout.PACKED && layout.arm(cqn) != write.offset) {
            error(UarControl.MISMATCH);
        } else {
            int word = little(write.data, 4);
            arms.put(cycle, ArmWord.of(cqn, word, word >>> Uar.SEQUENCE_SHIFT, (word & Uar.SOLICITED_ONLY) != 0));
        }
    }

    private @Nullable Doorbell register(MmioWrite write, @Nullable QpContext qp) {
        int dword0 = little(write.data, 0);
        QpContext named = control.articleLiteral() ? parts.table().qp(dword0 & 0xFF_FFFF) : null;
        if (named != null) { // as the article reads the page does not matter
            return plain(
                    named, write.length == Long.BYTES && control.carriesIndex() ? little(write.data, 4) & 0xFFFF : -1);
        }
        if (qp == null || dword0 != qp.qpn) {
            boolean noQpn = dword0 >>> QPN_BITS != 0;
            error(noQpn ? UarControl.BAD_FORMAT : qp == null ? UarControl.OUT_OF_RANGE : UarControl.MISMATCH);
            return null;
        }
        boolean index = write.length == Long.BYTES && control.carriesIndex();
        return plain(qp, index ? little(write.data, 4) & 0xFFFF : -1);
    }

    /** The second half of a doorbell: the place says whose it is. Without an index in doorbells it says nothing. */
    private @Nullable Doorbell index(MmioWrite write, @Nullable QpContext qp) {
        if (qp == null || write.length != Integer.BYTES) {
            error(qp == null ? UarControl.OUT_OF_RANGE : UarControl.BAD_FORMAT);
            return null;
        }
        return control.carriesIndex() ? plain(qp, little(write.data, 0) & 0xFFFF) : null;
    }

    private Doorbell plain(QpContext qp, int producer) {
        Doorbell d = pool.take();
        d.wqe = null;
        d.qpn = qp.qpn;
        d.producer = producer;
        return d;
    }

    /** A piece in a page: the place says whose it is. */
    private @Nullable Doorbell ofPage(MmioWrite write, UarLayout layout) {
        QpContext qp = parts.table().uar(layout.uar(write.offset));
        if (qp == null) {
            error(UarControl.OUT_OF_RANGE);
            return null;
        }
        return piece(write, s.piece(qp.uar), qp);
    }

    /** A piece in a slot that queue pairs share: the first one says whose WQE it is. */
    private @Nullable Doorbell ofSlot(MmioWrite write) {
        DoorbellState.Piece p = s.piece(UarLayout.slot(write.offset));
        boolean first = write.offset % Uar.BLUEFLAME_BYTES == 0;
        byte[] from = first ? write.data : p.bytes;
        QpContext qp = first || p.filled > 0 || p.mixed > 0 ? parts.table().qp(qpn(from)) : null;
        if (qp == null) {
            error(first ? UarControl.OUT_OF_RANGE : UarControl.OVERRUN);
            return null;
        }
        return piece(write, p, qp);
    }

    /** Adds a piece of a WQE; out of order it counts as an ordinary doorbell, and the WQE is fetched. */
    private @Nullable Doorbell piece(MmioWrite write, DoorbellState.Piece p, QpContext qp) {
        int at = (int) (write.offset % Uar.BLUEFLAME_BYTES);
        if (at == 0 && write.arrivedPs - p.lastPs > TORN_PS) {
            torn(p, qp);
        }
        p.lastPs = write.arrivedPs;
        if (p.mixed > 0 || (at == 0 && p.filled > 0)) {
            return interleaved(write, p, at, qp);
        }
        if (at == 0) {
            p.begin();
        } else if (at != p.filled) {
            error(UarControl.OVERRUN);
            p.begin();
            return plain(qp, -1);
        }
        p.add(write.data);
        int units = p.bytes[7] & 0x3F;
        if (p.filled < units * 16) {
            return p.filled < Uar.BLUEFLAME_BYTES ? null : tooLong(p, qp);
        }
        Wqe wqe = parts.wqes().take();
        wqe.unread = false;
        wqe.opaque = false;
        System.arraycopy(p.bytes, 0, wqe.raw, 0, p.filled);
        wqe.parse(false);
        wqe.qpn = qp.qpn;
        wqe.journey = qp.journey(wqe.index);
        Doorbell d = plain(qp, wqe.index + wqe.blocks & 0xFFFF);
        d.wqe = wqe;
        p.begin();
        return d;
    }

    /** A WQE that says that it is longer than the buffer: it is read from memory. */
    private Doorbell tooLong(DoorbellState.Piece p, QpContext qp) {
        error(UarControl.OVERRUN);
        p.begin();
        return plain(qp, -1);
    }

    /** The rest of a copy never came: what it was of is read from memory, and the buffer is free for the next one. */
    private void torn(DoorbellState.Piece p, QpContext qp) {
        if (p.filled > 0) {
            error(UarControl.OVERRUN);
            s.owed = owner(p, qp);
        }
        p.begin();
        p.mixed = 0;
    }

    /** Returns whose WQE is in a buffer: a page has one owner, whatever the WQE says. */
    private int owner(DoorbellState.Piece p, QpContext qp) {
        return control.layout() == UarLayout.PAGE ? qp.qpn : qpn(p.bytes);
    }

    /**
     * A WQE begins in a buffer while another is not complete: two cores copy at once. What comes from now on may be either's, so both
     * are read from memory instead, and what is missing of them is thrown away as it comes.
     */
    private @Nullable Doorbell interleaved(MmioWrite write, DoorbellState.Piece p, int at, QpContext qp) {
        if (at != 0) {
            p.mixed -= Wqe.BLOCK;
            return null;
        }
        error(UarControl.OVERRUN);
        if (p.filled > 0) {
            p.mixed = bytes(p.bytes) - p.filled;
            s.owed = owner(p, qp);
            p.begin();
        }
        p.mixed += bytes(write.data) - Wqe.BLOCK;
        return plain(qp, -1);
    }

    /** Returns the length of the WQE that a first piece belongs to, in whole blocks. */
    private static int bytes(byte[] first) {
        int blocks = ((first[7] & 0x3F) * 16 + Wqe.BLOCK - 1) / Wqe.BLOCK;
        return Math.max(1, Math.min(blocks, Uar.BLUEFLAME_BYTES / Wqe.BLOCK)) * Wqe.BLOCK;
    }

    private static int qpn(byte[] first) {
        return ((first[4] & 0xFF) << 16) | ((first[5] & 0xFF) << 8) | (first[6] & 0xFF);
    }

    private static int little(byte[] b, int at) {
        return (b[at] & 0xFF) | ((b[at + 1] & 0xFF) << 8) | ((b[at + 2] & 0xFF) << 16) | (b[at + 3] << 24);
    }
}
