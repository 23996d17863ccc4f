package dev.clockwire.nic.send;

import dev.clockwire.nic.context.KeyChange;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** The local operation in front of a send queue: asked for, or over. */
final class LocalWork implements State {
    private static final int IDLE = 0;
    private static final int ASKED = 1;
    private static final int REFUSED = 2;
    private static final int DONE = 3;

    private int state = IDLE;

    boolean isIdle() {
        return state == IDLE;
    }

    boolean isOver() {
        return state > ASKED;
    }

    boolean succeeded() {
        return state == DONE;
    }

    KeyChange start(Wqe wqe, KeyChange change) {
        state = ASKED;
        change.bind = wqe.opcode == WqeOpcode.UMR;
        change.remote = false;
        change.key = change.bind ? wqe.rkey : wqe.imm;
        change.region = wqe.windowLkey;
        change.va = wqe.remoteVa;
        change.length = wqe.windowLength;
        change.access = wqe.windowAccess;
        return change;
    }

    /** The answer came; one to a WQE that was flushed meanwhile is ignored. */
    void done(boolean well) {
        if (state == ASKED) {
            state = well ? DONE : REFUSED;
        }
    }

    void reset() {
        state = IDLE;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(state);
    }

    @Override
    public void load(Snapshot in) {
        state = in.getInt();
    }
}
