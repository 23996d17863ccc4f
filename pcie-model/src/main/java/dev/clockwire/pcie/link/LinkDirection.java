package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.error.ConfigurationException;
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
    /** Bytes of an acknowledgement or credit update on the wire. */
    static final int DLLP_BYTES = 8;

    private final SimNode owner;
    private final String name;
    private final long delayPs;
    private final PcieLinkSpec spec;
    private final int shortHeader;
    private final int longHeader;
    private final boolean exhaustive;
    private final long dllpPs;
    private final Serialiser serialiser;
    private final Observations observations;
    private final LinkCredits credits;
    private final WaitingTrains trains;
    private final CreditStall stall;
    private final Decision decision;
    private final CreditPort creditPort;
    private final TapPort tapPort;
    private final @Nullable DataLink dataLink;
    /** What happens to the packets that this end receives. */
    private final @Nullable TlpFaults faults;

    private @Nullable EventPort receiver;
    private @Nullable EventPort departures;
    private Probe.@Nullable Late early;
    /** Whether the receiver wants every packet when it is there. */
    private boolean forwarded;

    private long submitted;

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
        shortHeader = spec.wireBytes(false, 0);
        longHeader = spec.wireBytes(true, 0);
        DataLinkSpec errors = spec.troubles().dataLink();
        exhaustive =
                errors != null || spec.troubles().checks() || owner.sim().spec().mode() == KernelMode.EXHAUSTIVE;
        LinkRate rate = LinkRate.of(spec);
        dllpPs = DLLP_BYTES * rate.num() / rate.den();
        serialiser = new Serialiser(rate);
        Probe probe = new Probe(owner, name);
        observations = new Observations(probe);
        probe.late(this::settle);
        credits = new LinkCredits(spec, upstream ? spec.upCredits() : spec.downCredits(), owner.path(), name);
        trains = new WaitingTrains(credits);
        stall = new CreditStall(owner);
        register(owner.sim().stats(), owner.path() + "." + name);
        decision = new Decision(owner, name + "Decide");
        creditPort = new CreditPort(owner, name + "Credits");
        tapPort = new TapPort(owner, name + "Tap", upstream);
        dataLink = errors == null ? null : new DataLink(owner, name, this, spec, errors, upstream);
        faults = spec.troubles().tlpFaults().isEmpty()
                ? null
                : new TlpFaults(spec.troubles().tlpFaults(), !upstream);
    }

    private void register(StatRegistry stats, String path) {
        stats.reading(path + ".tlps", "packets", "TLPs that have left", this::packets);
        stats.reading(path + ".data_bytes", "bytes", "data bytes of the TLPs that have left", this::payloadBytes);
        stats.reading(
                path + ".wire_bytes", "bytes", "bytes on the link, headers and framing included", this::wireBytes);
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
        receiver = port;
    }

    /** Says which end packets arrive at, and who takes them there. */
    void join(LinkDirection other, EventPort arrivals) {
        DataLink there = other.dataLink;
        DataLink here = dataLink;
        if (there == null || here == null) {
            receiver = arrivals;
        } else {
            receiver = there.receive(this, arrivals);
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
        forwarded = true;
    }

    /**
     * Says where to tell that the last bit of a train with {@link TlpTrain#announced} left, by an event with kind = index of the class.
     */
    public void announce(EventPort port) {
        departures = port;
    }

    /** Shows every packet to a tap; null for none. */
    public void tap(@Nullable TlpTap observer) {
        settle(owner.now());
        tapPort.observer = observer;
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
        observations.settle(now);
        train.sequence = submitted++;
        train.submittedPs = now;
        train.departed = from;
        train.limit = to;
        if (trains.size() == 0 && !exhaustive) {
            int n = leaveAtOnce(train, now);
            if (n > from) {
                launch(train, from, n);
            }
            train.departed = n;
        }
        if (train.departed < to) {
            trains.add(train);
            decide(now);
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
        CreditAccount account = credits.account(c.index());
        return trains.size() == 0
                && !exhaustive
                && tapPort.observer == null
                && (account.infinite() || (c == FlowClass.NON_POSTED && account.spare(packets)));
    }

    /** Sends the packets whose times are known already, and returns the first whose are not. */
    private int leaveAtOnce(TlpTrain train, long now) {
        CreditAccount account = credits.account(train.flowClass().index());
        boolean finite = !account.infinite();
        int n = train.departed;
        while (n < train.limit) {
            long ready = train.timed ? train.arrival[n] : now;
            int dw = train.dataDw(n);
            if (finite && !account.enough(TlpSplit.dataCredits(dw), Math.max(ready, serialiser.end()))) {
                break;
            }
            depart(train, n++, dw, ready);
        }
        return n;
    }

    private int wireBytes(TlpTrain train, int i) {
        return (train.fourDw(i) ? longHeader : shortHeader) + 4 * train.dataDw(i);
    }

    private void depart(TlpTrain train, int i, int dw, long ready) {
        int bytes = wireBytes(train, i);
        long finish = serialiser.send(ready, bytes);
        int c = train.flowClass().index();
        credits.pay(c, dw, finish, dataLink == null);
        train.arrival[i] = finish + delayPs;
        long digest = train.digest(i);
        observations.add(finish, c, digest, dw == 0 ? 0 : train.bytes(i), bytes);
        if (dataLink != null) {
            hand(train, i, bytes, c, dataLink.retransmitter.sent(train, i, bytes, c, digest, finish), finish);
        }
        if (tapPort.observer != null) {
            tapPort.send(finish, 0, i, 0, train);
        }
        EventPort told = departures;
        if (train.announced && told != null && i == train.limit - 1) {
            told.send(finish, c, 0, 0);
        }
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
        DataLink layer = dataLink;
        long start = Math.max(now, serialiser.end());
        if (layer != null) {
            start = Math.max(start, layer.retransmitter.pausedUntil());
        }
        return start + dllpPs + delayPs;
    }

    /** Goes on after something has changed. */
    void goOn() {
        observations.settle(owner.now());
        decide(owner.now());
    }

    private EventPort connected() {
        EventPort port = receiver;
        if (port == null) {
            throw new ConfigurationException(owner.path(), owner.now(), name + " is not connected");
        }
        return port;
    }

    private void launch(TlpTrain train, int from, int to) {
        EventPort port = connected();
        int c = train.flowClass().index();
        int first =
                c == FlowClass.COMPLETION.index() && !forwarded ? Math.min(train.requestEnd(from, to), to - 1) : from;
        port.send(train.arrival[first], c, from, to, train);
    }

    /** Sends what may leave now, or sees to it that somebody decides when something may. */
    private void decide(long now) {
        Retransmitter again = dataLink == null ? null : dataLink.retransmitter;
        while (trains.size() > 0 || (again != null && again.resends())) {
            long free = again == null ? serialiser.end() : Math.max(serialiser.end(), again.pausedUntil());
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
            int i = train.departed;
            if (again != null && !again.hasRoom(wireBytes(train, i))) {
                return; // an acknowledgement makes room
            }
            if (again != null) {
                stall.delayed(train, owner.sim().causes().pcieReplay, again.resentFrom(), again.resentTo());
            }
            train.departed++;
            depart(train, i, train.dataDw(i), now);
            if (again == null) {
                launch(train, i, i + 1);
            }
            if (train.departed == train.limit) {
                trains.remove(train.flowClass());
            }
        }
    }

    private void stalled(long now) {
        stall.begin(now);
        long wake = trains.nextReturn();
        if (wake != Long.MAX_VALUE) {
            decision.arm(wake);
        }
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
        return stall.totalPs();
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
        return trains.size();
    }

    /** Returns one line about what waits for credits, null if nothing does. */
    public @Nullable String waitsFor() {
        return stall.since() < 0
                ? null
                : name + ": " + trains.size() + " trains wait for credits since " + stall.since() + " ps";
    }

    @Override
    public void save(Snapshot out) {
        serialiser.save(out);
        observations.save(out);
        credits.save(out);
        trains.save(out);
        out.putLong(submitted);
        stall.save(out);
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
        trains.load(in);
        submitted = in.getLong();
        stall.load(in);
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
            decide(at);
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
                decide(owner.now());
            }
        }
    }
}
