package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The transmitter of one direction of a link; part of the node that sends. Packets leave in the order submitted, except
 * that one which lacks credits may be overtaken as {@link OrderingRules} allow.
 *
 * <p>While nothing waits and credits suffice, the times of a packet follow from the end of the one before it, so they are
 * known at submission: a whole train then becomes one event at the receiver. Otherwise, and always in the exhaustive kernel,
 * packets wait in a queue for each class and every departure is an event; both ways give the same times.
 *
 * <p>The receiver gets an event with kind = index of the flow-control class, a and b = the range of packets of the train that it
 * is about (a included, b not), and the train. It is due when the first of them arrives; for completions when the last one of a
 * request does, for the first time, unless the receiver forwards packets.
 */
public final class LinkDirection implements State {
    private final SimNode owner;
    private final String name;
    private final long delayPs;
    private final PcieLinkSpec spec;
    private final Serialiser serialiser;
    private final Observations observations;
    private final LinkCredits credits;
    private final CreditPort creditPort;
    private final TapPort tapPort;
    private final @Nullable DataLink dataLink;
    /** What happens to the packets that this end receives. */
    private final @Nullable TlpFaults faults;

    private final Departures departures;
    private final TransmitQueue queue;
    private Probe.@Nullable Late early;
    /** Is told when packets begin to wait, or somebody looks. */
    private @Nullable Runnable disturbed;

    /**
     * Creates a transmitter in its node; the node registers it as state.
     *
     * @param upstream true for the endpoint's transmitter
     */
    public LinkDirection(SimNode owner, String name, PcieLinkSpec spec, boolean upstream) {
        this.owner = owner;
        this.name = name;
        this.spec = spec;
        delayPs = upstream ? spec.upPs() : spec.downPs();
        DataLinkSpec errors = spec.troubles().dataLink();
        serialiser = new Serialiser(LinkRate.of(spec));
        Probe probe = new Probe(owner, name);
        observations = new Observations(probe);
        probe.late(this::settle);
        credits = new LinkCredits(spec, upstream ? spec.upCredits() : spec.downCredits(), owner.path(), name);
        register(owner.sim().stats(), owner.path() + "." + name);
        Timer decision = new Decision(owner, name + "Decide");
        creditPort = new CreditPort(owner, name + "Credits");
        tapPort = new TapPort(owner, name + "Tap", upstream);
        dataLink = errors == null ? null : new DataLink(owner, name, this, spec, errors, upstream);
        faults = spec.troubles().tlpFaults().isEmpty()
                ? null
                : new TlpFaults(spec.troubles().tlpFaults(), !upstream);
        Retransmitter again = dataLink == null ? null : dataLink.retransmitter;
        departures = new Departures(owner, name, spec, delayPs, serialiser, observations, credits, tapPort, again);
        boolean exhaustive =
                errors != null || spec.troubles().checks() || owner.sim().spec().mode() == KernelMode.EXHAUSTIVE;
        queue = new TransmitQueue(owner, credits, departures, decision, tapPort, again, exhaustive);
    }

    private void register(StatRegistry stats, String path) {
        stats.reading(path + ".tlps", "packets", "TLPs that have left", this::packets);
        stats.reading(path + ".data_bytes", "bytes", "data bytes of the TLPs that have left", this::payloadBytes);
        stats.reading(
                path + ".wire_bytes", "bytes", "bytes on the link, headers and framing included", this::wireBytes);
        long kbps = Math.round(LinkRate.of(spec).gigabits() * 1e6);
        stats.reading(path + ".line_kbps", "kbit/s", "rate of the line, for TLPs, headers and framing", () -> kbps);
        stats.reading(
                path + ".credit_stall_ps",
                "ps",
                "time the free link has waited for flow-control credits",
                this::stalledPs);
    }

    /** Returns the parameters of the link. */
    public PcieLinkSpec link() {
        return spec;
    }

    /** Returns the time from the last bit of a packet here to the packet at the other end, in ps. */
    public long delayPs() {
        return delayPs;
    }

    /** Says where packets arrive, without an end of a link there. */
    public void connect(EventPort port) {
        departures.connect(port);
    }

    /** Says which end packets arrive at, and who takes them there. */
    void join(LinkDirection other, EventPort arrivals) {
        DataLink there = other.dataLink;
        DataLink here = dataLink;
        if (there == null || here == null) {
            departures.connect(arrivals);
        } else {
            departures.connect(there.receive(this, arrivals));
            here.retransmitter.peer(there.retransmitter.control());
        }
    }

    /** Counts a packet that this end receives, and returns what happens to it, null for nothing. */
    public @Nullable TlpFault strikes(TlpTrain received) {
        return faults == null ? null : faults.strikes(received.type);
    }

    /** Returns how often a fault has struck a packet that this end received. */
    public long struck(TlpFault fault) {
        return faults == null ? 0 : faults.struck(fault);
    }

    /** Returns what the data link layer of this end has corrected, null if nothing can go wrong. */
    public @Nullable LinkErrors errors() {
        return dataLink == null ? null : dataLink.errors;
    }

    /** Says that the receiver returns the credits of a class by events to {@link #creditPort}. */
    public void returnByEvent(FlowClass c) {
        credits.returnByEvent(c);
    }

    /**
     * Says how long the receiver keeps a packet in its buffer before it returns the credits; no time until told. Before time 0, and
     * before {@link #returnByEvent}.
     */
    public void receiverHolds(long ps) {
        credits.receiverHolds(ps);
    }

    /** Returns the port for returned credits: kind = index of the class, a = headers, b = data units. */
    public EventPort creditPort() {
        return creditPort;
    }

    /**
     * Says that the receiver passes packets on and must know of each when it is there, of completions too. Before time 0.
     */
    public void receiverForwards() {
        departures.forward();
    }

    /** Names an end that may take packets before they arrive. Before time 0. */
    public void foreseenBy(EarlyEnd receiver) {
        departures.foreseenBy(receiver);
    }

    /** Says what runs when packets wait that were handed over, or a tap is set: times are not known ahead any more. Before time 0. */
    public void onDisturbance(Runnable what) {
        disturbed = what;
    }

    /** Returns whether nothing waits and nobody looks, so that times of packets are known when they are handed over. */
    public boolean isCalm() {
        return queue.isCalm();
    }

    /**
     * Returns a time before which data that this end has not been given yet cannot have arrived.
     *
     * @param ready when they may be handed over at the earliest
     * @param bytes how many
     */
    public long arrivalNotBefore(long ready, int bytes) {
        return departures.arrivalNotBefore(ready, bytes, spec.completionChunk());
    }

    /**
     * Says where to tell that the last bit of a train with {@link TlpTrain#announced} left, by an event with kind = index of the class.
     */
    public void announce(EventPort port) {
        departures.announce(port);
    }

    /** Shows every packet to a tap; null for none. */
    public void tap(@Nullable TlpTap observer) {
        settle(owner.now());
        tapPort.observer = observer;
        disturb();
    }

    /** Notes every packet from now on. */
    void log(TlpLog log, int number) {
        departures.log(log, number);
    }

    /** Hands a train over. It belongs to the link, and from its arrival on to the receiver. From a handler of the owner only. */
    public void submit(TlpTrain train) {
        submit(train, 0, train.count);
    }

    /**
     * Hands over the packets from one, included, to another of a train that the owner sends in parts, each when the last bit of the part
     * before it has left; otherwise like {@link #submit(TlpTrain)}.
     */
    public void submit(TlpTrain train, int from, int to) {
        long now = owner.now();
        observations.tidy(now);
        queue.submit(train, from, to, now);
        if (queue.size() > 0) {
            disturb();
        }
    }

    private void disturb() {
        if (disturbed != null) {
            disturbed.run();
        }
    }

    /**
     * Returns whether packets whose earliest start lies less than {@link #delayPs} in the past may still be handed over as a timed train,
     * because nothing could have been decided otherwise in between.
     *
     * @param c class of the packets, which have no data unless they are completions
     * @param packets at most so many
     */
    public boolean mayLookBack(FlowClass c, int packets) {
        return queue.mayLookBack(c, packets);
    }

    /** Sends a packet again, and returns when its last bit leaves. */
    long again(@Nullable TlpTrain train, int i, int bytes, int c, int number, long digest) {
        return departures.again(train, i, bytes, c, number, digest);
    }

    /** The other end has accepted a packet at a time: its credits come back as the receiver says. */
    void accepted(FlowClass c, int units, long at) {
        if (credits.returnsByTime(c.index())) {
            creditPort.send(at + credits.loopPs(c.index()) - delayPs, c.index(), 1, units);
        }
    }

    /** Takes credits back. */
    void give(int c, int headers, int data) {
        credits.account(c).give(headers, data);
    }

    /** The other end has sent an acknowledgement. */
    void acknowledged(long at, int kind, int number) {
        DataLink layer = dataLink;
        if (layer != null) {
            layer.retransmitter.control().send(at, kind, number, 0);
        }
    }

    /** Returns when a data link layer packet is at the other end that is ready now: it goes in front of the next TLP. */
    long dllpArrival(long now) {
        return departures.dllpArrival(now);
    }

    /** Goes on after something has changed. */
    void goOn() {
        observations.settle(owner.now());
        queue.decide(owner.now());
    }

    /** Brings counters and the observation point up to a time that is not in the future. */
    public void settle(long now) {
        if (early != null) {
            early.settle(now);
        }
        observations.settle(now);
    }

    /** Names somebody who hands over timed trains and must do so before anybody looks. */
    public void beforeLooking(Probe.Late owner) {
        early = owner;
    }

    /** Returns packets that have left. */
    public long packets() {
        settle(owner.now());
        return observations.packets();
    }

    /** Returns data bytes that have left. */
    public long payloadBytes() {
        settle(owner.now());
        return observations.payloadBytes();
    }

    /** Returns bytes on the wire that have left, headers and framing included. */
    public long wireBytes() {
        settle(owner.now());
        return observations.wireBytes();
    }

    /** Returns how long a free link has waited for credits, in ps. */
    public long stalledPs() {
        return queue.stall().totalPs();
    }

    /** Returns header credits of a class that are in use at a time, as the transmitter knows; 0 if infinite. */
    public int headersInUse(FlowClass c) {
        return credits.headersInUse(c.index());
    }

    /** Returns data credits of a class that are in use, as the transmitter knows; 0 if infinite. */
    public int dataInUse(FlowClass c) {
        return credits.dataInUse(c.index());
    }

    /** Returns the packets, in trains, that wait. */
    public int waiting() {
        return queue.size();
    }

    /** Returns one line about what waits for credits, null if nothing does. */
    public @Nullable String waitsFor() {
        long since = queue.stall().since();
        return since < 0 ? null : name + ": " + queue.size() + " trains wait for credits since " + since + " ps";
    }

    @Override
    public void save(Snapshot out) {
        serialiser.save(out);
        observations.save(out);
        credits.save(out);
        queue.save(out);
        if (faults != null) {
            faults.save(out);
        }
        if (dataLink != null) {
            dataLink.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        serialiser.load(in);
        observations.load(in);
        credits.load(in);
        queue.load(in);
        if (faults != null) {
            faults.load(in);
        }
        if (dataLink != null) {
            dataLink.load(in);
        }
    }

    /** The moment at which a waiting packet may leave. */
    private final class Decision extends Timer {
        Decision(SimNode target, String name) {
            super(target, name);
        }

        @Override
        protected void expired(long at) {
            observations.settle(at);
            queue.decide(at);
        }
    }

    /** Credits that the receiver returns by events. */
    private final class CreditPort extends EventPort {
        CreditPort(SimNode target, String name) {
            super(target, name);
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (dataLink == null || dataLink.updated(kind, (int) a, (int) b)) {
                credits.account(kind).give((int) a, (int) b);
                queue.decide(owner.now());
            }
        }
    }
}
