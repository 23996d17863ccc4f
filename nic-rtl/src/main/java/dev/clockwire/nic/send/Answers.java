package dev.clockwire.nic.send;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.transport.RequesterState;
import dev.clockwire.roce.transport.ResponseResult;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;

/** What the send engine makes of responses, of their absence, and of notices that a message has left. Part of the engine, not a block. */
final class Answers {
    private final DeviceParts parts;
    private final SendState s;
    private final Finisher finisher;
    private final SendFailures failures;
    private final AckTimers timers;
    private final EventPort wakeQueue;
    private final ResponseResult result = new ResponseResult();

    Answers(
            DeviceParts parts,
            SendState s,
            Finisher finisher,
            SendFailures failures,
            AckTimers timers,
            EventPort wakeQueue) {
        this.parts = parts;
        this.s = s;
        this.finisher = finisher;
        this.failures = failures;
        this.timers = timers;
        this.wakeQueue = wakeQueue;
    }

    void onTimeout(SendQueue queue, int q, long now) {
        Requester.onTimeout(queue.requester, result);
        if (result.action == ResponseResult.Action.RETRY) {
            s.counters.timeout();
        }
        react(queue, q, now);
        timers.restart(queue);
    }

    void onResponse(RocePacket packet, long cycle, long now) {
        int q = parts.table().slot(packet.destQp);
        SendQueue queue = s.queue(q);
        if (packet.opcode == Opcode.CNP.code()) {
            long before = queue.gate.notifications();
            queue.gate.notification(cycle);
            s.counters.notified(queue.gate.notifications() > before);
            s.issue.add(q);
            parts.packets().give(packet);
            return;
        }
        if (queue.failed) {
            parts.packets().give(packet);
            return;
        }
        RequesterState told = queue.requester;
        long cursorEntry = told.cursorEntry();
        int cursorPacket = told.cursorPacket();
        Requester.onResponse(told, packet, result);
        if (result.place) {
            finisher.place(queue, packet, result, now);
        }
        for (int i = 0; i < result.completed; i++) {
            finisher.success(queue, result.firstCompleted + i, now);
        }
        if (result.action == ResponseResult.Action.RETRY) {
            s.counters.retry(packet);
        } else if (told.cursorEntry() != cursorEntry || told.cursorPacket() != cursorPacket) {
            // An answer to the first try came while the second was being prepared: what is done is not sent again.
            failures.goBack(queue, q, queue.rewoundByReceiver);
        }
        react(queue, q, now);
        if (result.progress || result.action != ResponseResult.Action.NONE) {
            timers.restart(queue);
        }
        if (queue.hasWork() || queue.qp.state == QpState.SQD) {
            s.ready(q, now);
        }
        parts.packets().give(packet);
    }

    /** Does what the rules ask for after an answer or a timeout. */
    private void react(SendQueue queue, int q, long now) {
        switch (result.action) {
            case RETRY -> failures.goBack(queue, q, false);
            case WAIT_RNR -> {
                s.counters.receiverNotReady();
                failures.goBack(queue, q, true);
                wakeQueue.send(now + result.rnrWaitPs, SendEngine.RNR_OVER, q, queue.requester.rewinds());
            }
            case FAIL -> {
                failures.drop(q);
                failures.error(queue, queue.removeInFlight(result.failedEntry), result.status, now);
                queue.reported = result.failedEntry + 1;
                failures.fail(queue);
            }
            default -> {}
        }
    }

    void onSent(long notice, long now) {
        int q = parts.table().slot(SentWord.qpn(notice));
        SendQueue queue = s.queue(q);
        if (queue.failed) {
            return; // the flush has reported it
        }
        finisher.success(queue, SentWord.entry(notice), now);
        if (queue.hasWork() || queue.qp.state == QpState.SQD) {
            s.ready(q, now);
        }
    }
}
