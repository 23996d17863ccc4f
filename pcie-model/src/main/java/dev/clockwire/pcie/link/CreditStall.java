package dev.clockwire.pcie.link;

import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.trace.JourneyLog;

/** How long a free link has waited for credits, and what its packets say they have waited for. */
final class CreditStall implements State {
    private final SimNode owner;
    private long since = -1;
    private long totalPs;

    CreditStall(SimNode owner) {
        this.owner = owner;
    }

    void begin(long now) {
        if (since < 0) {
            since = now;
        }
    }

    /** A packet may leave now. */
    void end(TlpTrain train, long now) {
        if (since >= 0) {
            delayed(train, owner.sim().causes().pcieCredit, since, now);
            totalPs += now - since;
            since = -1;
        }
    }

    /** Records what a packet has waited for since it was handed over. */
    void delayed(TlpTrain train, int cause, long from, long to) {
        JourneyLog journeys = owner.sim().journeys();
        if (journeys != null) {
            held(journeys, train, cause, Math.max(from, train.submittedPs), to);
        }
    }

    /** Records it of the stage that waits for the packets; where none does, they hold nobody up. */
    static void held(JourneyLog journeys, TlpTrain train, int cause, long from, long to) {
        if (train.within != 0) {
            journeys.delay(train.journey, train.within, train.part, cause, from, to);
        }
    }

    /** Returns since when the link waits, -1 if it does not. */
    long since() {
        return since;
    }

    /** Returns the time of all waits that are over, in ps. */
    long totalPs() {
        return totalPs;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(since);
        out.putLong(totalPs);
    }

    @Override
    public void load(Snapshot in) {
        since = in.getLong();
        totalPs = in.getLong();
    }
}
