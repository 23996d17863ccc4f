package dev.clockwire.nic.doorbell;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.pcie.endpoint.MmioWrite;
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
 * write into a BlueFlame buffer is the WQE itself, in 64 B pieces and in address order. What makes no sense is counted
 * and dropped.
 */
public final class DoorbellBlock extends SimModule {
    private static final int SYNC = 1;
    private static final int DEPTH = 1024;

    private final Inlet<MmioWrite> mmio;
    private final Channel<Doorbell> out;
    private final LongChannel arms;
    private final Pool<Doorbell> pool;
    private final Consumer<MmioWrite> recycle;
    private final DeviceParts parts;
    private final DoorbellState s = state(new DoorbellState());

    /**
     * Creates the block.
     *
     * @param out to the scheduler
     * @param arms to the completion unit: {@link ArmWord}s
     * @param pool where doorbells come from; the scheduler gives them back
     * @param recycle takes stores that were decoded
     */
    public DoorbellBlock(
            Scope parent,
            Clock clock,
            Channel<Doorbell> out,
            LongChannel arms,
            Pool<Doorbell> pool,
            Consumer<MmioWrite> recycle,
            DeviceParts parts) {
        super(parent, "doorbell", clock);
        this.out = out.from(this);
        this.arms = arms.from(this);
        this.pool = pool;
        this.recycle = recycle;
        this.parts = parts;
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
        if (!mmio.valid(cycle)) {
            return false;
        }
        boolean entered = s.due == 0;
        if (entered) {
            s.due = cycle + parts.spec().doorbellCycles() - 1;
        }
        if (s.due > cycle) {
            wakeAt(s.due);
            return entered;
        }
        if (!out.ready(cycle) || !arms.ready(cycle)) {
            return entered;
        }
        s.due = 0;
        MmioWrite write = mmio.take(cycle);
        Doorbell doorbell = write.offset == Uar.CQ_ARM_DB ? arm(write, cycle) : decode(write);
        if (doorbell != null) {
            doorbell.journey = write.journey;
            out.put(cycle, doorbell);
        }
        recycle.accept(write);
        return true;
    }

    private @Nullable Doorbell arm(MmioWrite write, long cycle) {
        int cqn = little(write.data, 0);
        if (write.length != Long.BYTES || parts.table().cq(cqn) == null) {
            s.errors++;
            return null;
        }
        int word = little(write.data, 4);
        arms.put(cycle, ArmWord.of(cqn, word, (word & Uar.SOLICITED_ONLY) != 0));
        return null;
    }

    private @Nullable Doorbell decode(MmioWrite write) {
        int register = (int) (write.offset % Uar.PAGE);
        QpContext qp = parts.table().uar(Uar.number(write.offset));
        if (qp != null && register == Uar.WQE_DB_REG && (write.length == 4 || write.length == 8)) {
            return register(write, qp.qpn);
        }
        boolean blueflame = register >= Uar.BLUEFLAME_A && register < Uar.BLUEFLAME_B + Uar.BLUEFLAME_BYTES;
        if (qp != null && blueflame && write.length == Wqe.BLOCK) {
            return piece(write, qp, register % Uar.BLUEFLAME_BYTES);
        }
        s.errors++;
        return null;
    }

    private @Nullable Doorbell register(MmioWrite write, int qpn) {
        int dword0 = little(write.data, 0);
        if (dword0 != qpn) {
            s.errors++;
            return null;
        }
        Doorbell d = pool.take();
        d.wqe = null;
        d.qpn = qpn;
        d.producer = write.length == 8 ? little(write.data, 4) & 0xFFFF : -1;
        return d;
    }

    private @Nullable Doorbell piece(MmioWrite write, QpContext qp, int at) {
        DoorbellState.Piece p = s.piece(qp.uar);
        if (at == 0) {
            p.begin();
        } else if (at != p.filled) {
            s.errors++;
            return null;
        }
        p.add(write.data);
        int units = p.bytes[7] & 0x3F;
        if (p.filled < units * 16) {
            return null;
        }
        Wqe wqe = parts.wqes().take();
        System.arraycopy(p.bytes, 0, wqe.raw, 0, p.filled);
        wqe.parse(false);
        wqe.qpn = qp.qpn;
        wqe.journey = qp.journey(wqe.index);
        Doorbell d = pool.take();
        d.qpn = qp.qpn;
        d.producer = wqe.index + wqe.blocks & 0xFFFF;
        d.wqe = wqe;
        p.begin();
        return d;
    }

    private static int little(byte[] b, int at) {
        return (b[at] & 0xFF) | ((b[at + 1] & 0xFF) << 8) | ((b[at + 2] & 0xFF) << 16) | (b[at + 3] << 24);
    }
}
