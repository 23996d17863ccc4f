package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.JourneyLog;
import org.jspecify.annotations.Nullable;

/**
 * The receive half of the data link layer, in front of the arrivals of one end: takes each packet once and in order, acknowledges within
 * the limit, and asks for a repetition when one is damaged or missing. Packets reach it 1 ps before they are due.
 */
final class LinkReceiver implements State {
    private static final FlowClass[] CLASSES = FlowClass.values();

    private final SimNode owner;
    private final LinkDirection from;
    private final LinkDirection own;
    private final EventPort arrivals;
    private final LinkErrors errors;
    private final BitErrors damage;
    private final EventPort port;
    private final Timer acknowledge;
    private final long limitPs;
    private int expected;
    private boolean asked;

    /**
     * Creates the half of an end.
     *
     * @param from the transmitter at the other end
     * @param own the transmitter of this end, which acknowledgements share the lanes with
     * @param arrivals who gets what is accepted
     */
    LinkReceiver(
            SimNode owner,
            String name,
            LinkDirection from,
            LinkDirection own,
            EventPort arrivals,
            LinkErrors errors,
            BitErrors damage) {
        this.owner = owner;
        this.from = from;
        this.own = own;
        this.arrivals = arrivals;
        this.errors = errors;
        this.damage = damage;
        limitPs = Retransmitter.ackLimitPs(own.link());
        port = new Packets(name + "Packets");
        acknowledge = new Acknowledge(name + "Ack");
    }

    /** Returns where packets arrive. */
    EventPort port() {
        return port;
    }

    private void arrived(int flowClass, int packet, int wireBytes, int number, TlpTrain train) {
        if (damage.tlp(wireBytes)) {
            errors.report(LinkError.BAD_TLP);
            refuse();
            return;
        }
        int ahead = number - expected & Retransmitter.SEQUENCES - 1;
        if (ahead == 0) {
            accept(flowClass, packet, train);
        } else if (ahead >= Retransmitter.HALF) {
            errors.duplicate();
            later();
        } else if (!asked) {
            errors.report(LinkError.BAD_TLP); // one before it is missing
            refuse();
        }
    }

    private void accept(int flowClass, int packet, TlpTrain train) {
        expected = expected + 1 & Retransmitter.SEQUENCES - 1;
        asked = false;
        long at = owner.now() + 1;
        JourneyLog journeys = owner.sim().journeys();
        if (journeys != null) {
            int cause = owner.sim().causes().pcieReplay;
            CreditStall.held(journeys, train, cause, train.arrival[packet], at);
        }
        train.arrival[packet] = at;
        from.accepted(CLASSES[flowClass], TlpSplit.dataCredits(train.dataDw(packet)), at);
        arrivals.send(at, flowClass, packet, packet + 1, train);
        later();
    }

    private void later() {
        if (!acknowledge.armed()) {
            acknowledge.arm(owner.now() + 1 + limitPs);
        }
    }

    /** Asks once, until the missing packet has come. */
    private void refuse() {
        if (!asked) {
            asked = true;
            acknowledge.cancel();
            errors.nak();
            answer(Retransmitter.NAK);
        }
    }

    private void answer(int kind) {
        from.acknowledged(own.dllpArrival(owner.now()), kind, expected - 1 & Retransmitter.SEQUENCES - 1);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(expected);
        out.putBoolean(asked);
    }

    @Override
    public void load(Snapshot in) {
        expected = in.getInt();
        asked = in.getBoolean();
    }

    /** Packets from the other end. */
    private final class Packets extends EventPort {
        Packets(String name) {
            super(owner, name);
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (!(token instanceof TlpTrain train)) {
                throw new InvariantViolation(path(), owner.now(), "something other than TLPs arrived");
            }
            arrived(kind, (int) a, (int) (a >>> 32), (int) b, train);
        }
    }

    /** What has come is to be acknowledged. */
    private final class Acknowledge extends Timer {
        Acknowledge(String name) {
            super(owner, name);
        }

        @Override
        protected void expired(long at) {
            answer(Retransmitter.ACK);
        }
    }
}
