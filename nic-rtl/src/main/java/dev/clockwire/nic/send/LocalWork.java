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
    private static final int WAITS = 2;
    private static final int REFUSED = 3;
    private static final int DONE = 4;

    private int state = IDLE;
    /** Number of the question that a WAIT has asked: an answer to an older one is not taken for its own. */
    private int question;

    boolean isIdle() {
        return state == IDLE;
    }

    boolean isOver() {
        return state >= REFUSED;
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

    /** The queue stands at a WAIT. */
    void waits(int number) {
        state = WAITS;
        question = number;
    }

    /** The answer came; one to a WQE that was flushed meanwhile is ignored. */
    void done(boolean well) {
        if (state == ASKED) {
            state = well ? DONE : REFUSED;
        }
    }

    /** The answer to a WAIT came. */
    void released(int number, boolean well) {
        if (state == WAITS && question == number) {
            state = well ? DONE : REFUSED;
        }
    }

    /** What needs no answer is over at once. */
    void ends(boolean well) {
        state = well ? DONE : REFUSED;
    }

    void reset() {
        state = IDLE;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(state);
        out.putInt(question);
    }

    @Override
    public void load(Snapshot in) {
        state = in.getInt();
        question = in.getInt();
    }
}
