package dev.clockwire.roce.soft;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Token;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The processor of a device, as far as time is concerned, and its way onto the line. Queue pairs that have something to send take turns;
 * a batch of packets is handed to the line in one event, which puts them one behind the other.
 */
final class Transmitter {
    private static final int TURN = 4;

    private final SoftSpec spec;
    private final LinkEnd line;
    private final EventPort port;
    private final Deque<SoftQueuePair> ready = new ArrayDeque<>();
    private boolean scheduled;
    private boolean sending;
    /** Until here the processor works. */
    private long busyUntil;

    Transmitter(SoftDevice device, SoftSpec spec, LinkEnd line) {
        this.spec = spec;
        this.line = line;
        port = new EventPort(device, "send") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                scheduled = false;
                batch();
            }
        };
    }

    /** The processor does something. */
    void charge(long ps) {
        busyUntil = Math.max(busyUntil, port.now()) + ps;
    }

    /** Puts a packet on the line when the processor is done with it. */
    void transmit(RocePacket packet) {
        charge(spec.sendPs());
        line.transmit(busyUntil, packet);
    }

    /** A queue pair has something to send, or may have. */
    void activate(SoftQueuePair qp) {
        if (!qp.active) {
            qp.active = true;
            ready.addLast(qp);
            if (!scheduled && !sending) {
                if (busyUntil <= port.now() && line.freeAt() <= port.now()) {
                    batch();
                } else {
                    next();
                }
            }
        }
    }

    /** Goes on so early that the line does not run dry. */
    private void next() {
        schedule(Math.max(busyUntil, line.freeAt() - spec.wqePs() - spec.sendPs()));
    }

    private void schedule(long at) {
        scheduled = true;
        port.send(Math.max(at, port.now() + 1), 0, 0, 0);
    }

    private void batch() {
        sending = true;
        int left = spec.batch();
        while (left > 0 && !ready.isEmpty()) {
            SoftQueuePair qp = ready.removeFirst();
            int turn = Math.min(TURN, left);
            int sent = 0;
            while (sent < turn && qp.sendNext()) {
                sent++;
            }
            left -= sent;
            if (sent == turn) {
                ready.addLast(qp);
            } else {
                qp.active = false;
            }
        }
        sending = false;
        if (!ready.isEmpty()) {
            next();
        }
    }
}
