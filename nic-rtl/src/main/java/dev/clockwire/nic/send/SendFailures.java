package dev.clockwire.nic.send;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.dma.PayloadEngine;
import dev.clockwire.nic.dma.TxSlot;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.sim.LongChannel;

/** How work requests and send queues of the engine fail, and how what is left of a queue is flushed. Part of the engine, not a block. */
final class SendFailures {
    private final DeviceParts parts;
    private final SendState s;
    private final PayloadEngine payload;
    private final Finisher finisher;
    private final LongChannel started;

    SendFailures(DeviceParts parts, SendState s, PayloadEngine payload, Finisher finisher, LongChannel started) {
        this.parts = parts;
        this.s = s;
        this.payload = payload;
        this.finisher = finisher;
        this.started = started;
    }

    /** A WQE that is done next cannot be read again: it ends with an error behind those before it. */
    void unread(SendQueue queue, int q, Wqe wqe, long now) {
        parts.control().happened(Eqe.WQ_CATAS, queue.qp.qpn);
        if (queue.allMade()) {
            wqe.unread = true;
        } else if (!queue.failed) {
            breakAt(queue, q, queue.issueEntry, now);
        }
    }

    /** A work request under way cannot go on: nothing from it on is sent, and it fails when those before it have ended. */
    private void breakAt(SendQueue queue, int q, long entry, long now) {
        goBack(queue, q, false);
        queue.broken = queue.broken < 0 ? entry : Math.min(queue.broken, entry);
        s.ready(q, now);
    }

    /** Payload did not come, or is wrong: its work request ends with an error behind those before it, and the queue pair fails. */
    void broken(DmaRead reply, long now) {
        TxSlot slot = payload.slot((int) reply.cookie);
        int q = slot.queue();
        long entry = slot.entry;
        boolean wanted = !slot.isDead();
        payload.onReply(reply);
        SendQueue queue = s.queue(q);
        if (wanted && !queue.failed) {
            breakAt(queue, q, entry, now);
        }
    }

    /** Makes again what the transport asks for. */
    void goBack(SendQueue queue, int q, boolean receiverNotReady) {
        payload.flush(q);
        queue.goBack(receiverNotReady);
    }

    /** Throws the packets away that were made and have not left. */
    void drop(int q) {
        payload.flush(q);
    }

    /** Begins to flush a queue, and lets the device bring its queue pair into the state of error. */
    void fail(SendQueue queue) {
        stop(queue);
        parts.control().sendFailed(queue.qp);
    }

    /** Begins to flush a queue. */
    void stop(SendQueue queue) {
        queue.failed = true;
        queue.local.reset();
        queue.ackDeadline = AckTimers.OFF;
        queue.issueEntry = queue.reported;
    }

    /** Ends a work request with an error. */
    void error(SendQueue queue, Wqe wqe, WcStatus status, long now) {
        s.counters.error(status);
        queue.told = true;
        finisher.error(queue, wqe, status, now);
    }

    /** Ends one work request of a failed queue; false if there is none, or no room. */
    boolean flush(SendQueue queue, long cycle, long now) {
        if (!finisher.hasRoom()) {
            return false;
        }
        if (!queue.allMade()) {
            WcStatus status =
                    queue.issueEntry == queue.broken && !queue.told ? WcStatus.LOC_QP_OP_ERR : WcStatus.WR_FLUSH_ERR;
            error(queue, queue.removeInFlight(queue.issueEntry++), status, now);
            queue.reported = queue.issueEntry;
            return true;
        }
        if (queue.waitingCount > 0 && started.ready(cycle)) {
            started.put(cycle, queue.qp.qpn);
            boolean unread = queue.firstWaiting().unread && !queue.told;
            error(queue, queue.removeWaiting(), unread ? WcStatus.LOC_QP_OP_ERR : WcStatus.WR_FLUSH_ERR, now);
            return true;
        }
        return false;
    }

    /** On the way to RESET: the queue is empty, and the control hears of it behind the last completion. */
    boolean emptied(SendQueue queue) {
        if (queue.emptyAt != queue.taken || queue.waitingCount > 0 || !queue.allMade()) {
            return false;
        }
        queue.restart();
        finisher.end(queue);
        return true;
    }
}
