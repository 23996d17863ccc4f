package dev.clockwire.nic.send;

import dev.clockwire.roce.transport.Requester;
import dev.clockwire.sim.EventPort;

/**
 * The acknowledge timers of all send queues. A deadline that moves later is a store: the one event of a queue looks at the
 * deadline when it comes, and is sent again if there is time left.
 */
final class AckTimers {
    /** No deadline, no event. */
    static final long OFF = Long.MAX_VALUE;

    private final EventPort port;
    private final int kind;

    /** Creates the timers; their events come to a port as a kind, with the queue's slot. */
    AckTimers(EventPort port, int kind) {
        this.port = port;
        this.kind = kind;
    }

    /** A request left: the timer starts unless it runs. */
    void sent(SendQueue queue) {
        if (queue.ackDeadline == OFF && queue.qp.ackTimeoutPs != OFF) {
            start(queue);
        }
    }

    /** Something was acknowledged, or sending went back: the timer starts anew if there is something to wait for. */
    void restart(SendQueue queue) {
        queue.ackDeadline = OFF;
        if (queue.qp.ackTimeoutPs != OFF && Requester.awaitsAck(queue.requester)) {
            start(queue);
        }
    }

    private void start(SendQueue queue) {
        queue.ackDeadline = port.now() + queue.qp.ackTimeoutPs;
        if (queue.ackDeadline < queue.ackEvent) {
            expectAt(queue, queue.ackDeadline);
        }
    }

    private void expectAt(SendQueue queue, long at) {
        queue.ackEvent = at;
        port.send(at, kind, queue.qp.slot, 0);
    }

    /** The event of a queue came; tells whether its time is over. */
    boolean expired(SendQueue queue) {
        long now = port.now();
        if (queue.ackEvent != now) {
            return false; // an earlier deadline has got an event of its own meanwhile
        }
        queue.ackEvent = OFF;
        if (queue.ackDeadline == now) {
            queue.ackDeadline = OFF;
            return true;
        }
        if (queue.ackDeadline != OFF) {
            expectAt(queue, queue.ackDeadline);
        }
        return false;
    }
}
