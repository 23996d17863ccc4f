package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.PcieError;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;
import org.jspecify.annotations.Nullable;

/** What this end does about packets that are lost or wrong; idle on a link on which none is. */
final class EndpointFaults implements State {
    /** Mark of an arrival that has been counted. */
    static final int AGAIN = 0x40;

    private final PcieEndpoint owner;
    private final Requester requester;
    private final LinkTroubles troubles;
    private final LinkDirection up;
    private final ReadController reads;
    private final BarDecoder windows;
    private final TrainPool pool;
    private final TlpHeader header = new TlpHeader();
    private final @Nullable Timer timer;
    private long timeoutPs;
    private long timeouts;
    private long poisoned;
    private long malformed;

    EndpointFaults(
            PcieEndpoint owner,
            Requester requester,
            LinkDirection up,
            ReadController reads,
            BarDecoder windows,
            TrainPool pool) {
        this.owner = owner;
        this.requester = requester;
        this.up = up;
        this.reads = reads;
        this.windows = windows;
        this.pool = pool;
        troubles = up.link().troubles();
        timeoutPs = troubles.completionTimeoutPs();
        timer = timeoutPs == 0
                ? null
                : new Timer(owner, "timeouts") {
                    @Override
                    protected void expired(long at) {
                        look(at);
                    }
                };
        if (timer != null) {
            StatRegistry stats = owner.sim().stats();
            stats.reading(owner.path() + ".completion_timeouts", "requests", "requests given up", () -> timeouts);
            stats.reading(owner.path() + ".poisoned", "packets", "packets with data marked as wrong", () -> poisoned);
            stats.reading(owner.path() + ".malformed", "packets", "packets dropped for their form", () -> malformed);
        }
    }

    void obey(ConfigSpace space) {
        if (timer != null) {
            timeoutPs = space.completionTimeoutPs(troubles.completionTimeoutPs());
            watch();
        }
    }

    /** Sees to it that somebody looks when a request times out. */
    void watch() {
        Timer t = timer;
        if (t == null) {
            return;
        }
        long next = reads.nextLook(timeoutPs);
        if (next == Long.MAX_VALUE) {
            t.cancel();
        } else if (!t.armed() || next < t.deadline()) {
            t.arm(Math.max(next, owner.now() + 1));
        }
    }

    private void look(long at) {
        requester.collect(at);
        reads.wakeTags(at);
        for (int i = next(at); i >= 0; i = next(at)) {
            timeouts++;
            report(PcieError.COMPLETION_TIMEOUT, null);
            DmaRead r = reads.expire(i, timeoutPs, at);
            if (r != null) {
                requester.giveBack(r);
            }
        }
        reads.flush();
        requester.lookLater();
        watch();
    }

    private int next(long at) {
        return timeoutPs == 0 ? -1 : reads.overdue(at - timeoutPs);
    }

    private void report(PcieError error, @Nullable TlpHeader packet) {
        ConfigSpace c = owner.config();
        if (c != null) {
            c.errors().report(error, packet, false);
        }
    }

    /** Returns whether a packet is to be taken, after whatever happens to it. */
    boolean passes(int kind, int i, TlpTrain train) {
        TlpFault fault = (kind & AGAIN) == 0 ? up.strikes(train) : null;
        boolean completion = train.type.isCompletion();
        if (fault == null) {
            if (completion && !reads.fits(train, i)) {
                reject(train, i);
                return false;
            }
            return true;
        }
        switch (fault.what()) {
            case DELAY -> {
                train.arrival[i] = owner.now() + fault.delayPs();
                owner.arrivals().send(train.arrival[i], kind | AGAIN, i, i + 1, train);
            }
            case POISON -> {
                poisoned++;
                train.header(i, header);
                header.poisoned = true;
                report(PcieError.POISONED, header);
                if (completion) {
                    reads.flaw(train.tag[i], TagPool.POISONED);
                    return reads.fits(train, i);
                }
                drop(train, i);
            }
            case MALFORM -> reject(train, i);
            case REFUSE, ABORT -> windows.refuse(train, fault.what() == TlpFault.What.ABORT);
            default -> drop(train, i);
        }
        return false;
    }

    private void reject(TlpTrain train, int i) {
        malformed++;
        train.header(i, header);
        report(PcieError.MALFORMED, header);
        drop(train, i);
    }

    private void drop(TlpTrain train, int i) {
        if (train.type.isCompletion()) {
            reads.flaw(train.tag[i], TagPool.SPOILED);
            if (train.count == 1) { // earlier packets of a longer one may still be needed
                pool.give(train);
            }
        } else {
            windows.drop(train, i);
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(timeoutPs);
        out.putLong(timeouts);
        out.putLong(poisoned);
        out.putLong(malformed);
    }

    @Override
    public void load(Snapshot in) {
        timeoutPs = in.getLong();
        timeouts = in.getLong();
        poisoned = in.getLong();
        malformed = in.getLong();
    }
}
