package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * Ends pause storms. It asks nothing while nothing waits: a frame that comes to a paused queue sets a check, at the time at which the queue
 * would be stormed if nothing were sent until then.
 */
final class Watchdog {
    private static final int DETECT = 0;
    private static final int RESTORE = 1;

    private final FabricSwitch owner;
    private final WatchdogSpec spec;
    private final EventPort check;
    private final Marks s;

    /** When each queue was last stopped, by port x 8 + class; grows with the ports. */
    private static final class Marks implements State {
        long[] lastXoff = new long[0];
        boolean[] checking = new boolean[0];
        boolean[] stormed = new boolean[0];
        long storms;
        long restores;

        void fit(int at) {
            if (at >= lastXoff.length) {
                int n = Math.max(64, Integer.highestOneBit(at) << 1);
                lastXoff = java.util.Arrays.copyOf(lastXoff, n);
                checking = java.util.Arrays.copyOf(checking, n);
                stormed = java.util.Arrays.copyOf(stormed, n);
            }
        }

        @Override
        public void save(Snapshot out) {
            out.putInt(lastXoff.length);
            for (int i = 0; i < lastXoff.length; i++) {
                out.putLong(lastXoff[i]);
                out.putBoolean(checking[i]);
                out.putBoolean(stormed[i]);
            }
            out.putLong(storms);
            out.putLong(restores);
        }

        @Override
        public void load(Snapshot in) {
            int n = in.getInt();
            lastXoff = new long[n];
            checking = new boolean[n];
            stormed = new boolean[n];
            for (int i = 0; i < n; i++) {
                lastXoff[i] = in.getLong();
                checking[i] = in.getBoolean();
                stormed[i] = in.getBoolean();
            }
            storms = in.getLong();
            restores = in.getLong();
        }
    }

    Watchdog(FabricSwitch owner, WatchdogSpec spec) {
        this.owner = owner;
        this.spec = spec;
        s = owner.own(new Marks());
        check = new EventPort(owner, "watchdog") {
            @Override
            protected void event(int kind, long at, long unused, @Nullable Token token) {
                if (kind == DETECT) {
                    detect((int) at);
                } else {
                    restore((int) at);
                }
            }
        };
    }

    /** Whether frames for a queue are lost at the moment. */
    boolean drops(SwitchPort out, int c) {
        int at = out.number << 3 | c;
        return spec.drop() && at < s.stormed.length && s.stormed[at];
    }

    /** A frame has come to a queue. */
    void watch(SwitchPort out, int c) {
        int at = out.number << 3 | c;
        s.fit(at);
        if (!s.checking[at] && !s.stormed[at] && paused(out, c)) {
            s.checking[at] = true;
            check.send(owner.now() + spec.detectPs(), DETECT, at, 0);
        }
    }

    /** The far end of a port has stopped a class, or let it go. */
    void told(SwitchPort port, int c, int quanta) {
        int at = port.number << 3 | c;
        s.fit(at);
        if (quanta > 0 && quanta <= PauseFrame.MAX_QUANTA) {
            s.lastXoff[at] = owner.now();
            if (!port.queues[c].isEmpty()) {
                watch(port, c);
            }
        }
    }

    private static boolean paused(SwitchPort port, int c) {
        return (port.paused.settle(port.end.now()) >> c & 1) != 0;
    }

    private void detect(int at) {
        SwitchPort port = owner.port(at >> 3);
        int c = at & 7;
        s.checking[at] = false;
        if (port.queues[c].isEmpty() || !paused(port, c)) {
            return;
        }
        long stuck = owner.now() - port.lastSent[c];
        if (stuck < spec.detectPs()) {
            s.checking[at] = true;
            check.send(port.lastSent[c] + spec.detectPs(), DETECT, at, 0);
            return;
        }
        s.stormed[at] = true;
        s.storms++;
        port.counts.stormed();
        if (spec.drop()) {
            owner.discard(port, c);
        } else {
            port.ignored |= 1 << c;
            owner.serve(port);
        }
        check.send(owner.now() + spec.restorePs(), RESTORE, at, 0);
    }

    private void restore(int at) {
        long quietSince = s.lastXoff[at] + spec.restorePs();
        if (quietSince > owner.now()) {
            check.send(quietSince, RESTORE, at, 0);
            return;
        }
        s.stormed[at] = false;
        s.restores++;
        SwitchPort port = owner.port(at >> 3);
        port.counts.restored();
        port.ignored &= ~(1 << (at & 7));
        owner.serve(port);
    }

    /** Returns how many storms were detected. */
    long storms() {
        return s.storms;
    }

    /** Returns how many storms have ended. */
    long restores() {
        return s.restores;
    }
}
