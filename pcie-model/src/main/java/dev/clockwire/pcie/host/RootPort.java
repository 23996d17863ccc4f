package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkEnd;
import dev.clockwire.pcie.link.PcieDevice;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.JourneyLog;
import org.jspecify.annotations.Nullable;

/**
 * The host's end of a link: the part of the root complex that a device talks to. Belongs to the {@link Host} node.
 */
public final class RootPort implements LinkEnd, State {
    private static final int POSTED = FlowClass.POSTED.index();
    static final int COMPLETER_ID = 0;
    private static final long ALL_ONES = -1;
    /** Mark of an arrival that has been counted. */
    private static final int AGAIN = 0x40;

    private final Host host;
    private final PcieDevice device;
    private final PcieLinkSpec link;
    private final HostSpec spec;
    private final int node;
    private final long[] barAddress;
    private final TrainPool pool;
    private final CommitQueue commits;
    /** Whether packets of a train may be done with in another order than theirs. */
    private final boolean counts;

    private final LinkDirection down;
    private final EventPort arrivals;
    private final RequestServer server;
    private final EventPort stores;
    private final ConfigPort config;
    private final @Nullable AccessPath accesses;
    private final @Nullable RootPeers peers;
    /** Requests that need no events, null if this link is not made for that. */
    private final @Nullable QuietLink quiet;

    private final RootErrors errors;
    private final Invalidations invalidations;
    /** Until when the last posted packet waited for translation and memory; those behind it do too. */
    private long lastBegun;

    RootPort(Host host, PcieDevice device, int index, int node) {
        this.host = host;
        this.device = device;
        this.node = node;
        link = device.link();
        spec = host.spec();
        pool = device.trains();
        counts = host.accesses() != null || !link.troubles().tlpFaults().isEmpty();
        commits = new CommitQueue(pool, counts);
        barAddress = new long[device.bars()];
        String name = "port" + index;
        arrivals = new Arrivals(name);
        server = new RequestServer(host, this, name);
        stores = new Stores(name);
        down = new LinkDirection(host, name + "Down", link, false);
        errors = new RootErrors(this, host, name, link.troubles());
        invalidations = new Invalidations(host.path() + "." + name);
        device.translators(id -> {
            if (host.iommu() == null) {
                throw new ConfigurationException(
                        host.path(),
                        ConfigurationException.BEFORE_TIME_ZERO,
                        "device " + id + " keeps translations (ATS), but there is no IOMMU");
            }
        });
        config = new ConfigPort(this, host.path() + "." + name);
        device.transmitter().receiverHolds(spec.holdPs());
        accesses = host.accesses();
        if (accesses != null) { // what waits for translation or memory keeps its credits
            device.transmitter().returnByEvent(FlowClass.POSTED);
            device.transmitter().returnByEvent(FlowClass.NON_POSTED);
        }
        if (link.ordering().strictWritePs() > 0) {
            device.transmitter().returnByEvent(FlowClass.POSTED);
        }
        down.beforeLooking(now -> host.hostMemory().seenAt(now));
        long peerPs = spec.depth().peerPs();
        peers = peerPs == 0 ? null : new RootPeers(host, this, name, peerPs);
        quiet = QuietLink.join(host, this, device);
    }

    /** Returns the device at the other end. */
    public PcieDevice device() {
        return device;
    }

    /** Returns the NUMA node that the device is close to. */
    public int node() {
        return node;
    }

    /** Returns the bus address of a window, by its place among the device's windows. */
    public long barAddress(int index) {
        return barAddress[index];
    }

    /** Returns what went wrong, as this port saw it. */
    public RootErrors errors() {
        return errors;
    }

    /** Returns the way to the device's configuration space. */
    public ConfigPort config() {
        return config;
    }

    @Override
    public EventPort arrivals() {
        return arrivals;
    }

    @Override
    public LinkDirection transmitter() {
        return down;
    }

    /** Returns the answers to the device's requests. */
    RequestServer server() {
        return server;
    }

    /** Returns the requests that need no events, null if this link is not made for that. */
    @Nullable
    QuietLink quiet() {
        return quiet;
    }

    boolean counts() {
        return counts;
    }

    TrainPool pool() {
        return pool;
    }

    /** Sends packets from another port at a time. */
    void passPeer(long at, TlpTrain train) {
        RootPeers p = peers;
        if (p != null) {
            p.take(at, train);
        }
    }

    /** Sends packets behind the answers that are due. */
    void leave(TlpTrain train) {
        server.look(Long.MAX_VALUE);
        down.submit(train);
    }

    /** Packets have gone on to another port, or will: this one has done with them when they are here. */
    void passedOn(TlpTrain train, int from, int to) {
        boolean posted = train.flowClass() == FlowClass.POSTED;
        if (accesses != null || (posted && link.ordering().strictWritePs() > 0)) {
            for (int i = from; i < to; i++) {
                giveCredits(train, i, train.arrival[i]);
            }
        }
        forget(train, to - from);
    }

    /** Returns whether a range lies in one window. */
    boolean ownsWhole(long address, long bytes) {
        for (int i = 0; i < barAddress.length; i++) {
            long at = address - barAddress[i];
            if (at >= 0 && at <= device.barBytes(i) - bytes) {
                return true;
            }
        }
        return false;
    }

    CommitQueue commits() {
        return commits;
    }

    void place(int index, long address) {
        barAddress[index] = address;
        device.placeBar(index, address);
    }

    /** Returns the window that overlaps a range, -1 if none does. */
    int overlap(long address, long bytes, int except) {
        for (int i = 0; i < barAddress.length; i++) {
            if (i != except && address < barAddress[i] + device.barBytes(i) && barAddress[i] < address + bytes) {
                return i;
            }
        }
        return -1;
    }

    boolean owns(long address) {
        for (int i = 0; i < barAddress.length; i++) {
            long at = address - barAddress[i];
            if (at >= 0 && at < device.barBytes(i)) {
                return true;
            }
        }
        return false;
    }

    /** Sends a store of a core that left it at a time; at most 64 bytes that lie in one 64-byte line. */
    void store(long leftPs, long address, byte[] data, int off, int len, long journey, int stage) {
        TlpTrain t = pool.take().writes(address, len, link.maxPayload(), COMPLETER_ID);
        t.data.appendBytes(data, off, len);
        t.followed(journey, stage, 0);
        stores.send(stored(leftPs), 0, 0, 0, t);
    }

    /** Returns when a store or load of a core is here. */
    private long stored(long leftPs) {
        return Math.max(leftPs + spec.storePs() + coreHop(), host.now() + 1);
    }

    /** Returns how much longer the way from a core on another node is. */
    private long coreHop() {
        return node == spec.depth().numa().core() ? 0 : spec.nodeHopPs();
    }

    /** Records what the way of a store that left a core at a time loses between sockets. */
    void storeDelays(JourneyLog log, long journey, int stage, long leftPs) {
        long there = leftPs + spec.storePs();
        log.delay(journey, stage, JourneyLog.WHOLE, host.sim().causes().numa, there, there + coreHop());
    }

    /** Sends a load of a core. */
    void load(long leftPs, long address, int len, int core) {
        TlpTrain t = pool.take().reads(address, COMPLETER_ID);
        t.addRead(len, core);
        stores.send(stored(leftPs), 0, 0, 0, t);
    }

    /** Takes translations of a range back from every device behind this port that keeps some. */
    void invalidate(long va, long bytes) {
        device.translators(id -> {
            long entry = Invalidations.entry(va, bytes);
            TlpTrain t = pool.take().invalidate(entry, invalidations.next(id, host.now()), COMPLETER_ID, id);
            stores.send(host.now() + spec.storePs(), 0, 0, 0, t);
        });
    }

    /** Returns how many messages that take translations back have no answer yet. */
    public int invalidationsPending() {
        return invalidations.pending();
    }

    /** Sends a configuration request; software has it done by the root complex, like a store. */
    void configure(int target, boolean write, int register, int bytes, byte[] data) {
        TlpTrain t = pool.take().configuration(write, register, bytes, COMPLETER_ID, target, ConfigPort.TAG);
        if (write) {
            t.data.appendBytes(data, 0, bytes);
        }
        stores.send(host.now() + spec.storePs(), 0, 0, 0, t);
    }

    private void written(TlpTrain train, int from, int to) {
        if (train.type == TlpType.MSG || train.poisoned) {
            if (train.poisoned) {
                errors.poison();
            } else if (train.messageCode == TlpHeader.INVALIDATED) {
                invalidations.answered(train.requesterId, (int) train.address);
            } else {
                errors.message(train.messageCode);
            }
            dropped(train, from, to);
            return;
        }
        Placement where = host.hostMemory().placement(train.address, train.length());
        if (where == null) {
            errors.refuse(to - from);
            dropped(train, from, to);
            return;
        }
        long lastThere = train.arrival[to - 1];
        long delay = spec.writePs(where, node);
        long strict = train.relaxed ? 0 : link.ordering().strictWritePs();
        commits.add(train, from, to, delay, strict);
        if (link.ordering().strictWritePs() > 0) {
            ordered(train, from, to, lastThere + delay);
        }
        host.arrived(train, from, to, commits.last());
        server.numa(train, where, commits.last());
        if (train.stage != 0 && to == train.count) {
            host.stampCommit(train, lastThere, commits.last());
        }
    }

    /** Order costs time: buffers are free when the writes are in order, and who waits knows why. */
    private void ordered(TlpTrain train, int from, int to, long freeOfOrder) {
        for (int i = from; i < to && accesses == null; i++) {
            int units = TlpSplit.dataCredits(train.dataDw(i));
            device.transmitter().creditPort().send(train.arrival[i] + down.delayPs(), POSTED, 1, units);
        }
        host.waited(train, host.sim().causes().pcieOrdering, freeOfOrder, commits.last());
    }

    /**
     * Takes one packet of a train through translation and stalls; the others follow as they arrive. A read may be served before an earlier
     * one that waits for a page walk, a write may not pass one.
     */
    private void take(AccessPath path, TlpTrain train, int i, int to) {
        boolean posted = train.flowClass() == FlowClass.POSTED;
        if (i + 1 < to) {
            arrivals.send(train.arrival[i + 1], train.flowClass().index(), i + 1, to, train);
        }
        long at = train.arrival[i];
        long va = train.address + train.offset[i];
        int n = train.bytes(i);
        boolean asks = train.addressType == TlpHeader.AT_REQUEST;
        boolean translated = train.addressType == TlpHeader.AT_TRANSLATED;
        long known = translated || (posted && host.isMessage(va, n)) ? at : path.translate(at, va, n);
        boolean mapped = known >= 0;
        known = mapped ? known : ~known;
        if (mapped && !asks && host.hostMemory().placement(va, n) == null) {
            errors.refuse(1);
            mapped = false;
        }
        long begins = mapped && !asks ? path.begin(known) : known;
        if (posted) {
            known = Math.max(known, lastBegun);
            begins = Math.max(begins, known);
            lastBegun = begins;
        }
        host.waited(train, host.sim().causes().iotlbMiss, at, known);
        host.waited(train, host.sim().causes().hostStall, known, begins);
        giveCredits(train, i, begins);
        train.arrival[i] = begins;
        if (asks) {
            server.translated(train, i, begins);
        } else if (!posted) {
            server.fetch(path, train, i, mapped);
        } else if (mapped) {
            path.write(va, n);
            written(train, i, i + 1);
        } else {
            forget(train, 1);
        }
    }

    private void giveCredits(TlpTrain train, int i, long at) {
        device.transmitter()
                .creditPort()
                .send(
                        at + spec.holdPs() + down.delayPs(),
                        train.flowClass().index(),
                        1,
                        TlpSplit.dataCredits(train.dataDw(i)),
                        null);
    }

    private void dropped(TlpTrain train, int from, int to) {
        boolean posted =
                train.flowClass() == FlowClass.POSTED && link.ordering().strictWritePs() > 0;
        if (posted || (accesses != null && train.flowClass() != FlowClass.COMPLETION)) {
            int c = train.flowClass().index();
            for (int i = from; i < to; i++) {
                int units = TlpSplit.dataCredits(train.dataDw(i));
                device.transmitter().creditPort().send(host.now() + down.delayPs(), c, 1, units);
            }
        }
        forget(train, to - from);
    }

    /** Nobody needs some packets of a train; earlier ones may still be on their way to memory, and late ones on their way here. */
    private void forget(TlpTrain train, int packets) {
        boolean counted = counts && train.flowClass() != FlowClass.COMPLETION;
        if (counted) {
            train.unserved -= packets;
        }
        if (counted ? train.unserved == 0 : train.count == 1) {
            pool.give(train);
        }
    }

    /** Something happens to a packet. */
    private void struck(TlpFault fault, int kind, int i, TlpTrain train) {
        switch (fault.what()) {
            case DELAY -> {
                train.arrival[i] = host.now() + fault.delayPs();
                arrivals.send(train.arrival[i], kind | AGAIN, i, i + 1, train);
                return;
            }
            case POISON -> {
                errors.poison();
                if (train.type == TlpType.MWR) {
                    dropped(train, i, i + 1);
                } else {
                    answered(train, i + 1, false);
                }
                return;
            }
            case MALFORM -> errors.malform();
            case REFUSE, ABORT -> {
                CompletionStatus why = fault.what() == TlpFault.What.ABORT ? CompletionStatus.CA : CompletionStatus.UR;
                TlpTrain t = pool.take();
                t.refusal(why, train.bytes(i), COMPLETER_ID, train.requesterId, train.tag[i]);
                t.followed(train);
                down.submit(t);
            }
            default -> {}
        }
        dropped(train, i, i + 1);
    }

    /** Nobody has answered a load in time. */
    void gaveUp(int tag) {
        if (tag == ConfigPort.TAG) {
            config.gaveUp();
        } else {
            host.core(tag).loaded(ALL_ONES);
        }
    }

    private void answered(TlpTrain train, int to, boolean useful) {
        if (to != train.count) {
            return;
        }
        int tag = train.tag[0];
        if (!errors.expects(tag)) {
            pool.give(train);
        } else if (useful) {
            answered(train, to);
        } else {
            gaveUp(tag);
            pool.give(train);
        }
    }

    private void answered(TlpTrain train, int to) {
        if (to == train.count && train.tag[0] == ConfigPort.TAG) {
            config.answered(train);
            pool.give(train);
        } else if (to == train.count) {
            long x = ALL_ONES; // what a refused load returns
            if (train.type.hasData()) {
                x = 0;
                for (int i = train.length() - 1; i >= 0; i--) {
                    x = x << 8 | (train.data.byteAt(i) & 0xff);
                }
            }
            host.core(train.tag[0]).loaded(x);
            pool.give(train);
        }
    }

    private final class Arrivals extends EventPort {
        Arrivals(String name) {
            super(host, name + "Up");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (!(token instanceof TlpTrain train)) {
                throw new InvariantViolation(path(), host.now(), "something other than TLPs arrived");
            }
            if (quiet != null) {
                host.hostMemory().seenAt(host.now()); // requests that came before this packet come first
            }
            if (counts && a == 0 && (kind & AGAIN) == 0) {
                train.unserved = train.count;
            }
            RootPeers p = peers;
            RootPort other = p == null ? null : p.target(train, (int) a, (int) b);
            if (p != null && other != null) {
                p.pass(train, (int) a, (int) b, other);
                return;
            }
            TlpFault fault = (kind & AGAIN) == 0 ? down.strikes(train) : null;
            if (fault != null) {
                struck(fault, kind, (int) a, train);
                return;
            }
            AccessPath path = accesses;
            boolean stored = train.flowClass() != FlowClass.COMPLETION && train.type != TlpType.MSG && !train.poisoned;
            if (path != null && stored) {
                take(path, train, (int) a, (int) b);
                return;
            }
            switch (train.type.flowClass()) {
                case POSTED -> written(train, (int) a, (int) b);
                case NON_POSTED -> server.requested(train, (int) a, (int) b);
                case COMPLETION -> answered(train, (int) b, true);
            }
        }
    }

    /** Stores and loads of cores on their way to the link. */
    private final class Stores extends EventPort {
        Stores(String name) {
            super(host, name + "Stores");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (token instanceof TlpTrain train) {
                if (train.flowClass() == FlowClass.NON_POSTED) {
                    errors.requested(train.tag[0], host.now());
                }
                leave(train);
            }
        }
    }

    static ConfigurationException nobodyAt(Host host, long address) {
        return new ConfigurationException(
                host.path(), host.now(), "no device has a window at 0x" + Long.toHexString(address));
    }

    @Override
    public void save(Snapshot out) {
        server.save(out);
        config.save(out);
        invalidations.save(out);
        errors.save(out);
        out.putLong(lastBegun);
        if (quiet != null) {
            quiet.save(out);
        }
        if (peers != null) {
            peers.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        server.load(in);
        config.load(in);
        invalidations.load(in);
        errors.load(in);
        lastBegun = in.getLong();
        if (quiet != null) {
            quiet.load(in);
        }
        if (peers != null) {
            peers.load(in);
        }
    }
}
