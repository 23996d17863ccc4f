package dev.clockwire.bench.perftest;

import dev.clockwire.nic.context.RetireTap;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.random.RandomStream;
import org.jspecify.annotations.Nullable;

/**
 * The client of the bandwidth tests: fills the window of each queue pair, then polls, as perftest's loop does. A signalled
 * message is done when its completion was polled, any other when the NIC retires it.
 */
final class StreamSender extends Program implements RetireTap {
    private static final int QP_SHIFT = 40;

    private final Recorder recorder;
    private final Window[] windows;
    private final int firstQpn;
    private final double intervalPs;
    private double nextPs = -1;
    private double basePs;
    private long paced;
    private boolean isTogether;
    private final Rounds rounds;
    private final Host host;
    private final @Nullable RandomStream drawn;
    private long posts;
    private int turn;
    private long outOfOrder;

    StreamSender(PerftestSpec spec, Side side, Side peer, Recorder recorder) {
        super(spec, side, peer);
        this.recorder = recorder;
        windows = new Window[spec.qps()];
        firstQpn = side.qps.get(0).qpn();
        for (int q = 0; q < windows.length; q++) {
            windows[q] = new Window(spec.txDepth());
            if (side.qps.get(q).qpn() != firstQpn + q) {
                throw new InvariantViolation("queue pair numbers are not consecutive");
            }
        }
        intervalPs = spec.rate() > 0 ? 1e12 / spec.rate() : 0;
        rounds = spec.rounds();
        host = side.lab.host();
        drawn = rounds.together() > 0 ? host.sim().random("perftest.rounds") : null;
        side.lab.observeSends(this);
    }

    /** The messages of one queue pair, numbered from 0; those from {@code retired} on are with the NIC. */
    private static final class Window {
        final long[] postedPs;
        final long[] id;
        final boolean[] signaled;
        long posted;
        long freed;
        long retired;
        long sinceSignal;

        Window(int depth) {
            postedPs = new long[depth];
            id = new long[depth];
            signaled = new boolean[depth];
        }

        int slot(long message) {
            return (int) (message % postedPs.length);
        }
    }

    @Override
    void turn(CpuCore core) {
        long begunPs = core.now();
        int q = postable(begunPs);
        if (q >= 0) {
            fill(q, core);
            core.wake();
            return;
        }
        if (intervalPs == 0) {
            turn = 0;
        }
        if (isOver(core.now())) {
            end(core);
            return;
        }
        int n = poll(side.sendCq);
        for (int i = 0; i < n; i++) {
            completed(wc[i].wrId, core.now());
        }
        if (n > 0) {
            core.wake();
        } else if (intervalPs > 0) {
            pace(core, begunPs);
        }
    }

    /** Returns the queue pair whose turn it is to post, -1 if all windows are full or nothing is due. */
    private int postable(long now) {
        if (intervalPs > 0 && nextPs >= 0 && nextPs > now) {
            return -1;
        }
        if (intervalPs > 0) {
            for (int k = 0; k < windows.length; k++) {
                int q = (turn + k) % windows.length;
                if (hasRoom(windows[q], now)) {
                    turn = (q + 1) % windows.length;
                    return q;
                }
            }
            return -1;
        }
        while (turn < windows.length && !hasRoom(windows[turn], now)) {
            turn++;
        }
        return turn < windows.length ? turn : -1;
    }

    private boolean hasRoom(Window w, long now) {
        long room = spec.txDepth() - (w.posted - w.freed);
        return room >= spec.postList() && recorder.wantsMore(w.posted, now);
    }

    private void fill(int q, CpuCore core) {
        Window w = windows[q];
        begin();
        for (int i = 0; i < spec.postList() && (i == 0 || recorder.wantsMore(w.posted, core.now())); i++) {
            w.sinceSignal++;
            boolean isFull = i == spec.postList() - 1 && w.sinceSignal + spec.postList() > spec.txDepth();
            boolean signal = w.sinceSignal >= spec.cqMod() || isFull || recorder.isLast(w.posted);
            if (signal) {
                w.sinceSignal = 0;
            }
            int slot = w.slot(w.posted);
            w.postedPs[slot] = core.now();
            w.id[slot] = ++posts;
            w.signaled[slot] = signal;
            add(q, (long) q << QP_SHIFT | w.posted, signal);
            w.posted++;
        }
        if (intervalPs > 0) {
            nextPs = dueAfter(core.now());
        }
        post(q);
    }

    /** Returns when the next message is due: rounds of one post of each queue pair, spread evenly or all at once. */
    private double dueAfter(long now) {
        if (!rounds.isAny()) {
            return (nextPs < 0 ? now : nextPs) + intervalPs * spec.postList();
        }
        basePs = nextPs < 0 ? begin(now) : basePs;
        paced++;
        int place = (int) (paced % windows.length);
        if (place == 0) {
            isTogether = isTogether();
        }
        return basePs + intervalPs * (isTogether ? paced - place : paced);
    }

    /** Rounds that follow stalls begin with the stalls' periods. */
    private long begin(long now) {
        long period = rounds.stallPs();
        return period > 0 ? (now / period + 1) * period : now;
    }

    private boolean isTogether() {
        RandomStream random = drawn;
        return random == null
                ? host.stallsIn((long) (basePs + intervalPs * paced))
                : random.nextDouble() < rounds.together();
    }

    private void completed(long wrId, long now) {
        Window w = windows[(int) (wrId >>> QP_SHIFT)];
        long message = wrId & (1L << QP_SHIFT) - 1;
        if (message < w.freed) {
            outOfOrder++;
            if (w.posted - message > w.postedPs.length) {
                return; // its place is taken
            }
        }
        int slot = w.slot(message);
        recorder.done(w.postedPs[slot], now, w.id[slot]);
        w.freed = Math.max(w.freed, message + 1);
    }

    /** Returns how many completions came behind that of a later message of their queue pair. */
    long outOfOrder() {
        return outOfOrder;
    }

    @Override
    public void retired(int qpn, int wqeIndex, long ps) {
        Window w = windows[qpn - firstQpn];
        int slot = w.slot(w.retired++);
        if (!w.signaled[slot]) {
            recorder.done(w.postedPs[slot], ps, w.id[slot]);
        }
    }

    /** The last messages of a run of given duration may be unsignalled: the NIC retires them after the last completion. */
    @Override
    boolean isDone() {
        boolean done = super.isDone();
        for (Window w : windows) {
            done &= w.retired == w.posted;
        }
        return done;
    }

    /** Tells whether everything is posted and every message that makes a completion has made it. */
    private boolean isOver(long now) {
        for (Window w : windows) {
            boolean open = w.posted - w.freed > w.sinceSignal;
            if (open || recorder.wantsMore(w.posted, now)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Waits for the next message's time; polls until then only if something may come, or sleeps until its event does. Polls that find nothing
     * are skipped.
     */
    private void pace(CpuCore core, long begunPs) {
        boolean open = false;
        for (Window w : windows) {
            open |= w.posted - w.freed > w.sinceSignal;
        }
        long due = (long) Math.ceil(nextPs);
        if ((!open || spec.events()) && due > core.now()) {
            core.wakeAfter(due - core.now());
        } else if (!open || (spec.events() && due > begunPs)) {
            core.wake();
        } else if (due > begunPs) {
            core.idleAtMost(Math.max(0, due - core.now())); // else all windows are full: only a completion helps
        }
    }
}
