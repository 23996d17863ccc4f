package dev.clockwire.nic.send;

import dev.clockwire.nic.complete.CqWriter;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.KeyChange;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the send engine asks others to do for the local work in front of its queues. Part of the engine, not a block. */
final class Questions implements State {
    private static final int HALF = 32;
    private static final long LOW = 0xFFFF_FFFFL;

    private final DeviceParts parts;
    private @Nullable EventPort waits;
    /** Questions so far, modulo 2^32. */
    private int asked;

    Questions(DeviceParts parts) {
        this.parts = parts;
    }

    /** Says who knows how far completion queues have come: its port of kind {@link CqWriter#WAIT}. */
    void waitAt(EventPort port) {
        waits = port;
    }

    /** Returns a number that another question changes. */
    int asked() {
        return asked;
    }

    /** Asks, unless that was done or it is too early: keys change when all earlier work is complete, a WAIT starts at once. */
    void ask(SendQueue queue, Wqe wqe, long now) {
        boolean wait = wqe.opcode == WqeOpcode.WAIT;
        if (!queue.local.isIdle() || !(wait || queue.idle())) {
            return;
        }
        asked++;
        if (wait) {
            queue.local.waits(asked);
            long who = (long) queue.qp.slot << HALF | (wqe.waitCqn & LOW);
            long what = (long) asked << HALF | (wqe.waitIndex & LOW);
            Objects.requireNonNull(waits).send(now + 1, CqWriter.WAIT, who, what);
        } else {
            KeyChange change = parts.keyChanges().take();
            parts.control().changeKeys(queue.qp, queue.local.start(wqe, change));
        }
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
