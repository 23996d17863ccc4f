package dev.clockwire.nic.device;

import dev.clockwire.nic.context.KeyChange;
import dev.clockwire.nic.context.NicControl;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.sim.EventPort;

/** What blocks report, as events of the device. */
final class ControlEvents implements NicControl {
    static final int QP_FAILED = 0;
    static final int CQ_FAILED = 1;
    static final int SEND_FAILED = 2;
    static final int HAPPENED = 3;
    static final int DRAINED = 4;
    static final int KEYS = 5;
    static final int EMPTIED = 6;
    static final int RESET_ALL = 7;
    static final int BACK = 8;

    private final EventPort control;

    ControlEvents(EventPort control) {
        this.control = control;
    }

    @Override
    public void qpFailed(QpContext qp) {
        control.send(control.now() + 1, QP_FAILED, qp.slot, 0);
    }

    @Override
    public void sendFailed(QpContext qp) {
        control.send(control.now() + 1, SEND_FAILED, qp.slot, 0);
    }

    @Override
    public void happened(int eqeType, int number) {
        control.send(control.now() + 1, HAPPENED, eqeType, number);
    }

    @Override
    public void emptied(QpContext qp) {
        control.send(control.now() + 1, EMPTIED, qp.slot, 0);
    }

    @Override
    public void drained(QpContext qp) {
        control.send(control.now() + 1, DRAINED, qp.slot, 0);
    }

    @Override
    public void changeKeys(QpContext qp, KeyChange change) {
        control.send(control.now() + 1, KEYS, qp.slot, 0, change);
    }

    @Override
    public void cqFailed(int cqn) {
        control.send(control.now() + 1, CQ_FAILED, cqn, 0);
    }
}
