package dev.clockwire.roce.soft;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.bridge.PauseState;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Pool;
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
    private static final int CLASS_SHIFT = 3;
    private static final int ALL = 0xFF;
    private static final int RESUME = 1;

    /** Packets of a batch with flow control: what is on the line already cannot be held any more. */
    private static final int LISTENING_BATCH = 2;

    private final SoftSpec spec;
    private final LinkEnd line;
    private final EventPort port;
    private final Deque<SoftQueuePair> ready = new ArrayDeque<>();
    private boolean scheduled;
    private boolean sending;
    /** Until here the processor works. */
    private long busyUntil;
    /** What the far end of the line has paused; null without flow control. */
    private @Nullable PauseState paused;

    private @Nullable Pool<PauseFrame> pauses;
    /** The classes whose pauses are obeyed, bit n for class n. */
    private int obeyed;

    private boolean wholeLink;
    /** Queue pairs that have something to send, but in a paused class. */
    private final Deque<SoftQueuePair> stopped = new ArrayDeque<>();
    /** Packets that were made while their class was paused: answers. */
    private final Deque<RocePacket> aside = new ArrayDeque<>();

    Transmitter(SoftDevice device, SoftSpec spec, LinkEnd line) {
        this.spec = spec;
        this.line = line;
        port = new EventPort(device, "send") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (kind == RESUME) {
                    resume();
                } else {
                    scheduled = false;
                    batch();
                }
            }
        };
    }

    /** Obeys pauses of some classes, or of the whole link, from now on, as the port of the machine does. */
    void obeysPauses(Pool<PauseFrame> pool, int classes, boolean global) {
        obeyed = global ? ALL : classes;
        wholeLink = global;
        paused = new PauseState(line.spec().kbps(), true);
        pauses = pool;
    }

    /** Obeys pauses of other classes from now on, if it obeys any and they are of classes. */
    void agreed(int classes) {
        if (paused != null && !wholeLink) {
            obeyed = classes;
            resume();
        }
    }

    /** A pause frame came; without flow control nobody looks at it. */
    void paused(PauseFrame frame) {
        PauseState state = paused;
        if (state == null || pauses == null) {
            return;
        }
        if (frame.wholeLink == wholeLink) {
            state.take(frame, port.now());
        }
        pauses.give(frame);
        resume();
        long over = state.next(obeyed);
        if (over != Long.MAX_VALUE) {
            port.send(over, RESUME, 0, 0);
        }
    }

    private boolean isStopped(FlowAddress flow) {
        PauseState state = paused;
        return state != null && ((state.settle(port.now()) & obeyed) >> (flow.dscp >> CLASS_SHIFT) & 1) != 0;
    }

    /** What waited for a class that may go on goes on. */
    private void resume() {
        for (int n = aside.size(); n > 0; n--) {
            transmit(aside.removeFirst());
        }
        for (int n = stopped.size(); n > 0; n--) {
            SoftQueuePair qp = stopped.removeFirst();
            qp.active = false;
            activate(qp);
        }
    }

    /** The processor does something. */
    void charge(long ps) {
        busyUntil = Math.max(busyUntil, port.now()) + ps;
    }

    /** Puts a packet on the line when the processor is done with it. */
    void transmit(RocePacket packet) {
        if (isStopped(packet.flow)) {
            aside.addLast(packet);
            return;
        }
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
        int left = paused == null ? spec.batch() : Math.min(spec.batch(), LISTENING_BATCH);
        while (left > 0 && !ready.isEmpty()) {
            SoftQueuePair qp = ready.removeFirst();
            if (isStopped(qp.flow)) {
                stopped.addLast(qp);
                continue;
            }
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
