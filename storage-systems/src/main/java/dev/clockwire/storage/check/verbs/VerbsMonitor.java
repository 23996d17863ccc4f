package dev.clockwire.storage.check.verbs;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.VerbsTap;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.check.monitor.Invariant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** RD-1 to RD-3, RD-5, RD-6, RD-8 of one machine: what its programs post and are given back, and what the wire says of it. */
public final class VerbsMonitor implements VerbsTap {
    /** After so long in ERR a device has handed back what was posted: it takes microseconds. */
    static final long FLUSHED_PS = 1_000_000_000L;
    /** Eight timeouts of a queue pair of 67 ms, four times over: by then a send has succeeded or failed. */
    static final long GIVEN_UP_PS = 2_000_000_000_000L;

    private final String name;
    private final LongSupplier clock;
    private final Findings findings;
    private final Numbered<Bound> queues = new Numbered<>();
    private final Numbered<Receives> shared = new Numbered<>();
    private final Numbered<Pair> pairs = new Numbered<>();

    /** A queue pair. */
    private static final class Pair {
        final int qpn;
        final Sends sends = new Sends();
        final Receives receives;
        final boolean own;
        final Bound sendBound;
        final Bound recvBound;
        boolean connected;
        int depth;
        long errorPs = -1;
        /** Sends may wait for what others do, as long as these do nothing. */
        boolean waits;

        boolean closing;
        boolean flushing;

        Pair(int qpn, Bound sendBound, Bound recvBound, @Nullable Receives of) {
            this.qpn = qpn;
            this.sendBound = sendBound;
            this.recvBound = recvBound;
            own = of == null;
            receives = of == null ? new Receives() : of;
        }

        /** Nothing of it is under way any more. */
        void clear() {
            sendBound.owed -= sends.count();
            sends.clear();
            if (own) {
                recvBound.owed -= receives.count();
                receives.clear();
            }
            errorPs = -1;
            flushing = false;
            connected = false;
        }
    }

    /**
     * Creates a monitor.
     *
     * @param name of the machine
     * @param clock gives simulated time in ps
     */
    public VerbsMonitor(String name, LongSupplier clock, Findings findings) {
        this.name = name;
        this.clock = clock;
        this.findings = findings;
    }

    private void report(Invariant invariant, String who, String words) {
        findings.report(invariant, clock.getAsLong(), name + ", " + who, words);
    }

    private static String pair(int qpn) {
        return "QP 0x" + Integer.toHexString(qpn);
    }

    private static String work(long wrId) {
        return "0x" + Long.toHexString(wrId);
    }

    /** The other side has no receive for what a queue pair sends. */
    void notReady(int qpn, String peer) {
        report(Invariant.RD_1, pair(qpn), peer + " has no receive for what it sends");
    }

    /** So many READs of a queue pair are on their way, or their answers are. */
    void readLeft(int qpn, int underWay) {
        Pair p = pairs.get(qpn);
        if (p != null && p.connected && underWay > p.depth) {
            report(Invariant.RD_8, pair(qpn), underWay + " READs are under way, it may have " + p.depth);
        }
    }

    @Override
    public void queueMade(int cqn, int entries) {
        queues.put(cqn, new Bound(cqn, entries));
    }

    private Bound bound(int cqn) {
        Bound known = queues.get(cqn);
        if (known == null) {
            known = new Bound(cqn, Integer.MAX_VALUE); // from before anybody looked
            queues.put(cqn, known);
        }
        return known;
    }

    @Override
    public void sharedMade(int srqn) {
        shared.put(srqn, new Receives());
    }

    @Override
    public void pairMade(int qpn, int sendCqn, int recvCqn, int srqn) {
        pairGone(qpn);
        Receives of = srqn == OWN ? null : shared.get(srqn);
        Bound receives = bound(recvCqn);
        pairs.put(qpn, new Pair(qpn, bound(sendCqn), receives, of));
        if (of != null) {
            receives.add(of);
        }
    }

    @Override
    public void modified(int qpn, QpState state, int maxRdAtomic) {
        Pair p = pairs.get(qpn);
        if (p == null) {
            return;
        }
        p.connected |= state == QpState.RTS;
        p.depth = maxRdAtomic;
        if (state == QpState.RESET) {
            p.clear();
        } else if (state == QpState.ERR && p.errorPs < 0) {
            p.errorPs = clock.getAsLong();
        }
    }

    @Override
    public void sendPosted(int qpn, long wrId, boolean signaled) {
        Pair p = pairs.get(qpn);
        if (p != null) {
            p.sends.add(wrId, signaled, clock.getAsLong());
            p.sendBound.owed++;
            check(p.sendBound);
        }
    }

    @Override
    public void waitPosted(int qpn) {
        Pair p = pairs.get(qpn);
        if (p != null) {
            p.waits = true;
        }
    }

    @Override
    public void receivePosted(int qpn, long wrId) {
        Pair p = pairs.get(qpn);
        if (p != null) {
            post(p.receives, pair(qpn), wrId);
            p.recvBound.owed++;
            check(p.recvBound);
        }
    }

    @Override
    public void sharedPosted(int srqn, long wrId) {
        Receives of = shared.get(srqn);
        if (of != null) {
            post(of, "SRQ " + srqn, wrId);
            queues.forEach(this::check);
        }
    }

    private void post(Receives of, String who, long wrId) {
        if (!of.add(wrId)) {
            report(Invariant.RD_2, who, "receive " + work(wrId) + " is posted again before it has come back");
        }
    }

    private void check(Bound b) {
        if (b.isCrossed()) {
            report(Invariant.RD_3, "CQ " + b.cqn, b.most() + " completions may come, it has " + b.entries + " entries");
        }
    }

    @Override
    public void completed(int cqn, WorkCompletion wc) {
        Pair p = pairs.get(wc.qpNum);
        if (p == null) {
            return;
        }
        boolean ok = wc.status == WcStatus.SUCCESS;
        if (!ok && p.errorPs < 0) {
            p.errorPs = clock.getAsLong();
        }
        if (wc.opcode == WcOpcode.RECV || wc.opcode == WcOpcode.RECV_RDMA_WITH_IMM) {
            received(p, wc.wrId);
            return;
        }
        if (ok && p.flushing) {
            report(Invariant.RD_6, pair(p.qpn), "send " + work(wc.wrId) + " succeeds behind one that was flushed");
        }
        p.flushing |= wc.status == WcStatus.WR_FLUSH_ERR;
        sent(p, wc.wrId, ok);
    }

    private void received(Pair p, long wrId) {
        if (!p.receives.remove(wrId)) {
            report(
                    Invariant.RD_5,
                    pair(p.qpn),
                    "a completion of receive " + work(wrId) + ", which is not posted, or has had one");
        } else if (p.own) {
            p.recvBound.owed--;
        }
    }

    private void sent(Pair p, long wrId, boolean ok) {
        int before = p.sends.count();
        int covered = p.sends.completed(wrId, ok);
        p.sendBound.owed -= before - p.sends.count();
        if (covered == Sends.NOBODY) {
            report(
                    Invariant.RD_5,
                    pair(p.qpn),
                    "a completion of send " + work(wrId) + ", which is not posted, or has had one");
        } else if (covered == Sends.TOO_EARLY) {
            report(
                    Invariant.RD_5,
                    pair(p.qpn),
                    "a completion of send " + work(wrId) + ", and none of a signalled one before it");
        }
    }

    @Override
    public void closing(int qpn, boolean unpolled) {
        Pair p = pairs.get(qpn);
        if (p == null) {
            return;
        }
        p.closing = true;
        boolean late = p.errorPs >= 0 && clock.getAsLong() - p.errorPs >= FLUSHED_PS;
        int sends = p.sends.awaited(p.flushing);
        int receives = p.own ? p.receives.count() : 0;
        if (late && !unpolled && sends + receives > 0) {
            report(
                    Invariant.RD_6,
                    pair(qpn),
                    sends + " sends and " + receives + " receives have not come back, in ERR since " + p.errorPs
                            + " ps");
        }
    }

    @Override
    public void pairGone(int qpn) {
        Pair p = pairs.remove(qpn);
        if (p != null) {
            p.clear();
        }
    }

    /** Nothing is under way any more, for all that programs know; the machine runs. */
    public void quiescent() {
        long now = clock.getAsLong();
        pairs.forEach(p -> {
            if (!p.closing && !p.waits && p.errorPs < 0 && p.sends.oldestPs() < now - GIVEN_UP_PS) {
                report(
                        Invariant.RD_5,
                        pair(p.qpn),
                        "a signalled send of " + p.sends.oldestPs() + " ps has no completion");
            }
        });
    }
}
