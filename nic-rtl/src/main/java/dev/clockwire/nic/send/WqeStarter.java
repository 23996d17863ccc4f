package dev.clockwire.nic.send;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.LongChannel;
import org.jspecify.annotations.Nullable;

/** Begins the execution of WQEs: admits messages, has the device do what is its own. Part of the send engine, not a block. */
final class WqeStarter {
    private final DeviceParts parts;
    private final Clock clock;
    private final Finisher finisher;
    private final Questions questions;
    private final @Nullable WqeStore store;
    private final LongChannel started;
    private final SendFailures failures;
    private final WorkParser parser;

    WqeStarter(
            DeviceParts parts,
            Clock clock,
            Finisher finisher,
            Questions questions,
            @Nullable WqeStore store,
            LongChannel started,
            SendFailures failures) {
        this.parts = parts;
        this.clock = clock;
        this.finisher = finisher;
        this.questions = questions;
        this.store = store;
        this.started = started;
        this.failures = failures;
        parser = new WorkParser(parts.table());
    }

    /** In SQD nothing new starts; says so once when all that had started has ended. */
    boolean drained(SendQueue queue) {
        if (queue.drained || !queue.idle()) {
            return false;
        }
        queue.drained = true;
        parts.control().drained(queue.qp);
        return true;
    }

    /** Starts the next WQE of a queue; false if it must wait. */
    boolean start(SendQueue queue, int q, long cycle, long now) {
        if (queue.waitingCount == 0 || !started.ready(cycle) || !finisher.hasRoom() || queue.full()) {
            return false;
        }
        Wqe wqe = queue.firstWaiting();
        int index = wqe.index;
        if (wqe.unread) {
            if (!queue.idle()) {
                return false;
            }
            failures.error(queue, queue.removeWaiting(), WcStatus.LOC_QP_OP_ERR, now);
            failures.fail(queue);
        } else if (wqe.opcode == WqeOpcode.NOP) {
            if (wqe.signaled && !queue.idle()) {
                return false;
            }
            finisher.localSuccess(queue, queue.removeWaiting(), now);
        } else if (WqeOpcode.isLocal(wqe.opcode) && wqe.valid && queue.qp.type != QpType.UD) {
            if (!local(queue, wqe, now)) {
                return false;
            }
        } else {
            WcStatus status = parser.parse(queue.qp, wqe);
            if (status != WcStatus.SUCCESS) {
                if (!queue.idle()) {
                    return false;
                }
                failures.error(queue, queue.removeWaiting(), status, now);
                failures.fail(queue);
            } else {
                long entry = Requester.admit(queue.connected(parts.spec().maxRdAtomic()), parser.work);
                if (entry < 0) {
                    return false;
                }
                parser.translate(wqe);
                queue.setInFlight(entry, queue.removeWaiting());
                if (wqe.journey != 0) {
                    queue.readyAt = Math.max(queue.readyAt, clock.edgeTime(queue.nextStart));
                }
                queue.nextStart = cycle + parts.spec().wqeIntervalCycles();
            }
        }
        started.put(cycle, queue.qp.qpn);
        if (store != null) {
            store.started(queue, q, index);
        }
        return true;
    }

    /**
     * Has the keys changed, when all earlier work is complete, or asks how far a completion queue has come. The WQE stays in front until
     * that is answered, so later work sees it.
     *
     * @return whether the WQE has ended
     */
    private boolean local(SendQueue queue, Wqe wqe, long now) {
        LocalWork local = queue.local;
        questions.ask(queue, wqe, now);
        if (!local.isOver() || !(local.succeeded() || queue.idle())) {
            return false;
        }
        queue.removeWaiting();
        if (local.succeeded()) {
            finisher.localSuccess(queue, wqe, now);
        } else {
            failures.error(
                    queue, wqe, wqe.opcode == WqeOpcode.UMR ? WcStatus.MW_BIND_ERR : WcStatus.LOC_QP_OP_ERR, now);
            failures.fail(queue);
        }
        local.reset();
        return true;
    }
}
