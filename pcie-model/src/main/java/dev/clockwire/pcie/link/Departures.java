package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.ByteEnables;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/** Packets that leave a transmitter: what each costs in time and credits, and who hears of it. */
final class Departures {
    private final SimNode owner;
    private final String name;
    private final long delayPs;
    private final int shortHeader;
    private final int longHeader;
    private final long dllpPs;
    private final Serialiser serialiser;
    private final Observations observations;
    private final LinkCredits credits;
    private final TapPort tap;
    /** Who keeps a packet until the other end has acknowledged it, null if nothing can go wrong. */
    private final @Nullable Retransmitter retransmitter;

    /** Who notes packets for a timeline, null if nobody does. */
    private @Nullable TlpLog log;

    private int direction;
    private @Nullable EventPort receiver;
    private @Nullable EventPort announcements;
    /** Whether the receiver wants every packet when it is there. */
    private boolean forwarded;
    /** Who may want to know of packets before they arrive, null if nobody does. */
    private @Nullable EarlyEnd early;

    Departures(
            SimNode owner,
            String name,
            PcieLinkSpec spec,
            long delayPs,
            Serialiser serialiser,
            Observations observations,
            LinkCredits credits,
            TapPort tap,
            @Nullable Retransmitter retransmitter) {
        this.owner = owner;
        this.name = name;
        this.delayPs = delayPs;
        shortHeader = spec.wireBytes(false, 0);
        longHeader = spec.wireBytes(true, 0);
        LinkRate rate = LinkRate.of(spec);
        dllpPs = LinkRate.DLLP_BYTES * rate.num() / rate.den();
        this.serialiser = serialiser;
        this.observations = observations;
        this.credits = credits;
        this.tap = tap;
        this.retransmitter = retransmitter;
    }

    /** Notes packets as a direction of a log. */
    void log(TlpLog packets, int number) {
        log = packets;
        direction = number;
    }

    /** Says where packets arrive. */
    void connect(EventPort port) {
        receiver = port;
    }

    /** See {@link LinkDirection#receiverForwards}. */
    void forward() {
        forwarded = true;
    }

    /** See {@link LinkDirection#announce}. */
    void announce(EventPort port) {
        announcements = port;
    }

    /** See {@link LinkDirection#foreseenBy}. */
    void foreseenBy(EarlyEnd receiverEnd) {
        early = receiverEnd;
    }

    /** Returns the bytes of a packet on the wire. */
    int wireBytes(TlpTrain train, int i) {
        return (train.fourDw(i) ? longHeader : shortHeader) + 4 * train.dataDw(i);
    }

    /** Lets a packet leave that is ready at a time, as soon as the wire is free. */
    void depart(TlpTrain train, int i, int dw, long ready) {
        int bytes = wireBytes(train, i);
        long finish = serialiser.send(ready, bytes);
        int c = train.flowClass().index();
        Retransmitter again = retransmitter;
        credits.pay(c, dw, finish, again == null);
        train.arrival[i] = finish + delayPs;
        long digest = train.digest(i);
        observations.add(finish, c, digest, dw == 0 ? 0 : train.bytes(i), bytes);
        if (again != null) {
            hand(train, i, bytes, c, again.sent(train, i, bytes, c, digest, finish), finish);
        }
        if (tap.observer != null) {
            tap.send(finish, 0, i, 0, train);
        }
        TlpLog noted = log;
        if (noted != null) {
            noted.sent(direction, train, i, finish - serialiser.least(bytes), finish);
        }
        EventPort told = announcements;
        if (train.announced && told != null && i == train.limit - 1) {
            told.send(finish, c, 0, 0);
        }
    }

    /**
     * Lets the packets of a train leave whose times are known already, and returns the first whose are not. Nobody keeps packets until they
     * are acknowledged.
     */
    int leaveAtOnce(TlpTrain train, long now) {
        int c = train.flowClass().index();
        boolean hasData = train.type.hasData();
        boolean timed = train.timed;
        boolean shown = tap.observer != null;
        TlpLog noted = log;
        CreditAccount account = credits.account(c);
        boolean finite = !account.infinite();
        long loopPs = credits.loopPs(c);
        int n = train.departed;
        int stop = train.limit;
        for (; n < stop; n++) {
            long ready = timed ? train.arrival[n] : now;
            int bytes = hasData ? train.bytes(n) : 0;
            int dw = hasData ? ByteEnables.lengthDw(train.address + train.offset[n], bytes) : 0;
            if (finite && !account.enough(TlpSplit.dataCredits(dw), Math.max(ready, serialiser.end()))) {
                break;
            }
            int wire = (train.fourDw(n) ? longHeader : shortHeader) + 4 * dw;
            long finish = serialiser.send(ready, wire);
            if (finite) {
                account.pay(TlpSplit.dataCredits(dw), loopPs < 0 ? -1 : finish + loopPs);
            }
            train.arrival[n] = finish + delayPs;
            observations.add(finish, c, train.digest(n), dw == 0 ? 0 : bytes, wire);
            if (shown) {
                tap.send(finish, 0, n, 0, train);
            }
            if (noted != null) {
                noted.sent(direction, train, n, finish - serialiser.least(wire), finish);
            }
        }
        EventPort told = announcements;
        if (train.announced && told != null && n == stop && n > train.departed) {
            told.send(serialiser.end(), c, 0, 0);
        }
        return n;
    }

    /** Lets a packet travel to the data link layer of the other end, which has it 1 ps before it is due. */
    private void hand(@Nullable TlpTrain train, int i, int bytes, int c, int number, long finish) {
        connected().send(finish + delayPs - 1, c, (long) bytes << 32 | i, number, train);
    }

    /** Sends a packet again, and returns when its last bit leaves. */
    long again(@Nullable TlpTrain train, int i, int bytes, int c, int number, long digest) {
        long finish = serialiser.send(owner.now(), bytes);
        observations.add(finish, c | Observations.AGAIN, digest, 0, bytes);
        hand(train, i, bytes, c, number, finish);
        return finish;
    }

    /** Tells the receiver of packets that have left, or will. */
    void launch(TlpTrain train, int from, int to) {
        EarlyEnd end = early;
        if (end != null && end.foresees(train, from, to)) {
            return;
        }
        EventPort port = connected();
        int c = train.flowClass().index();
        int first =
                c == FlowClass.COMPLETION.index() && !forwarded ? Math.min(train.requestEnd(from, to), to - 1) : from;
        port.send(train.arrival[first], c, from, to, train);
    }

    private EventPort connected() {
        EventPort port = receiver;
        if (port == null) {
            throw new ConfigurationException(owner.path(), owner.now(), name + " is not connected");
        }
        return port;
    }

    /** Returns when the wire is free, and not being trained again. */
    long free() {
        Retransmitter again = retransmitter;
        return again == null ? serialiser.end() : Math.max(serialiser.end(), again.pausedUntil());
    }

    /** Returns a time before which data that the transmitter has not been given yet cannot have arrived. */
    long arrivalNotBefore(long ready, int bytes, int chunk) {
        int packets = (bytes + chunk - 1) / chunk;
        return Math.max(ready, free()) + serialiser.least(bytes + (long) packets * shortHeader) + delayPs;
    }

    /** Returns when a data link layer packet is at the other end that is ready now: it goes in front of the next TLP. */
    long dllpArrival(long now) {
        return Math.max(now, free()) + dllpPs + delayPs;
    }
}
