package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/**
 * What a transmitter has to send, and what leaves next: what must be sent again, then the oldest train that has credits and may overtake.
 * A train that finds nothing waiting leaves at once, as far as credits go, unless every departure is to be an event.
 */
final class TransmitQueue implements State {
    private final SimNode owner;
    private final LinkCredits credits;
    private final Departures departures;
    private final Timer decision;
    private final TapPort tap;
    private final @Nullable Retransmitter retransmitter;
    private final boolean exhaustive;
    private final WaitingTrains trains;
    private final CreditStall stall;
    private long submitted;

    TransmitQueue(
            SimNode owner,
            LinkCredits credits,
            Departures departures,
            Timer decision,
            TapPort tap,
            @Nullable Retransmitter retransmitter,
            boolean exhaustive) {
        this.owner = owner;
        this.credits = credits;
        this.departures = departures;
        this.decision = decision;
        this.tap = tap;
        this.retransmitter = retransmitter;
        this.exhaustive = exhaustive;
        trains = new WaitingTrains(credits);
        stall = new CreditStall(owner);
    }

    /** Takes packets of a train, see {@link LinkDirection#submit(TlpTrain, int, int)}. */
    void submit(TlpTrain train, int from, int to, long now) {
        train.sequence = submitted++;
        train.submittedPs = now;
        train.departed = from;
        train.limit = to;
        if (trains.size() == 0 && !exhaustive) {
            int n = departures.leaveAtOnce(train, now);
            if (n > from) {
                departures.launch(train, from, n);
            }
            train.departed = n;
        }
        if (train.departed < to) {
            trains.add(train);
            decide(now);
        }
    }

    /** See {@link LinkDirection#isCalm}. */
    boolean isCalm() {
        return trains.size() == 0 && !exhaustive && tap.observer == null;
    }

    /** See {@link LinkDirection#mayLookBack}. */
    boolean mayLookBack(FlowClass c, int packets) {
        CreditAccount account = credits.account(c.index());
        return isCalm() && (account.infinite() || (c == FlowClass.NON_POSTED && account.spare(packets)));
    }

    /** Sends what may leave now, or sees to it that somebody decides when something may. */
    void decide(long now) {
        Retransmitter again = retransmitter;
        while (trains.size() > 0 || (again != null && again.resends())) {
            long free = departures.free();
            if (free > now) {
                decision.arm(free);
                return;
            }
            if (again != null && again.resends()) {
                again.resend();
                continue;
            }
            TlpTrain train = trains.next(now);
            if (train == null) {
                stalled(now);
                return;
            }
            stall.end(train, now);
            if (again != null && !again.hasRoom(departures.wireBytes(train, train.departed))) {
                return; // an acknowledgement makes room
            }
            send(train, now);
        }
        if (again != null) {
            again.caughtUp();
        }
    }

    /** Sends the next packet of a train that waits. */
    private void send(TlpTrain train, long now) {
        Retransmitter again = retransmitter;
        if (again != null) {
            stall.delayed(train, owner.sim().causes().pcieReplay, again.resentFrom(), again.resentTo());
        }
        int i = train.departed++;
        departures.depart(train, i, train.dataDw(i), now);
        if (again == null) {
            departures.launch(train, i, i + 1);
        }
        if (train.departed == train.limit) {
            trains.remove(train.flowClass());
        }
    }

    private void stalled(long now) {
        stall.begin(now);
        long wake = trains.nextReturn();
        if (wake != Long.MAX_VALUE) {
            decision.arm(wake);
        }
    }

    /** Returns the trains that wait. */
    int size() {
        return trains.size();
    }

    /** Returns how long a free link has waited for credits, and since when it does. */
    CreditStall stall() {
        return stall;
    }

    @Override
    public void save(Snapshot out) {
        trains.save(out);
        out.putLong(submitted);
        stall.save(out);
    }

    @Override
    public void load(Snapshot in) {
        trains.load(in);
        submitted = in.getLong();
        stall.load(in);
    }
}
