package dev.clockwire.nic.send;

import dev.clockwire.nic.complete.CqWriter;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.KeyChange;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.sched.QpScheduler;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the send engine asks others to do for the local work in front of its queues. Part of the engine, not a block. */
final class Questions implements State {
    private static final int HALF = 32;
    private static final int INDEX = 0xFFFF;
    private static final long LOW = 0xFFFF_FFFFL;

    private final DeviceParts parts;
    private @Nullable EventPort waits;
    private @Nullable EventPort enables;
    /** Questions so far, modulo 2^32. */
    private int asked;

    Questions(DeviceParts parts) {
        this.parts = parts;
    }

    /** Says who knows how far completion queues have come: its port of kind {@link CqWriter#WAIT}. */
    void waitAt(EventPort port) {
        waits = port;
    }

    /** Says who releases sends: its port of kind {@link QpScheduler#ENABLE}. */
    void enableAt(EventPort port) {
        enables = port;
    }

    /** Returns a number that another question changes. */
    int asked() {
        return asked;
    }

    /** Asks, unless that was done or it is too early: keys change when all earlier work is complete, other work starts at once. */
    void ask(SendQueue queue, Wqe wqe, long now) {
        boolean keys = wqe.opcode != WqeOpcode.WAIT && wqe.opcode != WqeOpcode.SEND_EN;
        if (!queue.local.isIdle() || (keys && !queue.idle())) {
            return;
        }
        asked++;
        if (keys) {
            KeyChange change = parts.keyChanges().take();
            parts.control().changeKeys(queue.qp, queue.local.start(wqe, change));
        } else if (wqe.opcode == WqeOpcode.WAIT) {
            queue.local.waits(asked);
            long who = (long) queue.qp.slot << HALF | (wqe.waitNumber & LOW);
            long what = (long) asked << HALF | (wqe.waitIndex & LOW);
            Objects.requireNonNull(waits).send(now + 1, CqWriter.WAIT, who, what);
        } else {
            queue.local.ends(enable(parts.table().qp(wqe.waitNumber), wqe.waitIndex & INDEX, now));
        }
    }

    private boolean enable(@Nullable QpContext other, int index, long now) {
        if (other == null || !other.managedSends || other.closed) {
            return false;
        }
        Objects.requireNonNull(enables).send(now + 1, QpScheduler.ENABLE, other.slot, index);
        return true;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(asked);
    }

    @Override
    public void load(Snapshot in) {
        asked = in.getInt();
    }
}
