package dev.clockwire.nic.device;

import dev.clockwire.nic.complete.CqWriter;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.KeyChange;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.sched.QpScheduler;
import dev.clockwire.nic.send.SendEngine;
import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.MemoryKeys;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;

/** What becomes of queues and keys when blocks report something. Part of the device, called in its events. */
final class Commands {
    private final NicDevice device;
    private final ContextTable table;
    private final QpScheduler scheduler;
    private final SendEngine sendEngine;
    private final CqWriter cqWriter;
    private final DeviceParts parts;
    private Runnable openEvents = () -> {};

    Commands(
            NicDevice device,
            ContextTable table,
            QpScheduler scheduler,
            SendEngine sendEngine,
            CqWriter cqWriter,
            DeviceParts parts) {
        this.device = device;
        this.table = table;
        this.scheduler = scheduler;
        this.sendEngine = sendEngine;
        this.cqWriter = cqWriter;
        this.parts = parts;
    }

    /** Sets what makes the event queue, when something happens before the driver has made it. */
    void onFirstEvent(Runnable open) {
        openEvents = open;
    }

    /** What was sent failed at this end: a queue pair without a connection to break keeps its receive queue. */
    void sendError(QpContext qp) {
        if (qp.type == QpType.RC) {
            device.toError(qp);
        } else if (qp.state == QpState.RTS || qp.state == QpState.SQD) {
            qp.state = QpState.SQE;
        }
    }

    /** The device forgets connections and memory: each queue pair goes to ERR, its work is flushed, no key opens anything, and the programs hear of it. */
    void resetAll() {
        for (int i = 0; i < table.qpCount(); i++) {
            QpContext qp = table.at(i);
            if (!qp.closed && qp.state != QpState.RESET && qp.state != QpState.ERR) {
                device.toError(qp);
            }
        }
        table.keys().clear();
        happened(Eqe.INTERNAL_ERROR, 0);
    }

    /** A completion queue overflowed: the queue pairs that complete there go to ERR. */
    void breakCq(int cqn) {
        table.breakCq(cqn);
        for (int i = 0; i < table.qpCount(); i++) {
            QpContext qp = table.at(i);
            if ((qp.sendCqn == cqn || qp.recvCqn == cqn) && !qp.closed) {
                device.toError(qp);
                happened(Eqe.WQ_CATAS, qp.qpn);
            }
        }
        happened(Eqe.CQ_ERROR, cqn);
    }

    void emptied(QpContext qp) {
        if (qp.resetting && ++qp.sidesEmpty == 2) {
            qp.resetting = false;
            qp.draining = false;
            qp.requester = null;
            qp.responder = null;
            qp.state = QpState.RESET;
            scheduler.hold(qp, true, device.now());
            tell(CqWriter.BEHIND, Eqe.CMD, qp.qpn);
        }
    }

    void drained(QpContext qp) {
        if (qp.state == QpState.SQD && qp.draining) {
            qp.draining = false;
            if (qp.drainEvent) {
                happened(Eqe.SQ_DRAINED, qp.qpn);
            }
        }
    }

    void changeKeys(QpContext qp, KeyChange change) {
        MemoryKeys keys = table.keys();
        if (change.bind) {
            MemoryKey window = keys.findIndex(change.key);
            MemoryKey region = keys.find(change.region);
            change.done = window != null
                    && region != null
                    && window.pd() == qp.pd
                    && keys.bind(window, change.key, region, change.va, change.length, qp.qpn, change.access);
        } else {
            change.done = keys.invalidate(qp.pd, qp.qpn, change.key);
        }
        if (!change.remote) {
            sendEngine.wakeQueue().send(device.now() + 1, SendEngine.KEYS_CHANGED, qp.slot, change.done ? 1 : 0);
        }
        parts.keyChanges().give(change);
    }

    void happened(int type, int number) {
        tell(CqWriter.HAPPENED, type, number);
    }

    private void tell(int how, int type, int number) {
        if (table.events() == null) {
            openEvents.run();
        }
        cqWriter.events().send(device.now() + 1, how, type, number);
    }
}
