package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigListener;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.config.PcieError;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkErrors;
import dev.clockwire.pcie.link.PcieDevice;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.pcie.tlp.TranslationEntry;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The device's end of a link. Blocks of the device send {@link DmaRead} and {@link DmaWrite} to its ports, at least 1 ps
 * ahead; stores of the host into a window come out of the inlet that the device gave for it.
 */
public final class PcieEndpoint extends SimNode implements PcieDevice {
    private static final int MAX_FLOW = 65_535;
    /** How long a completion occupies the receive buffer, if its credits are counted at all. */
    private static final long HOLD_PS = 16_000;

    private final PcieLinkSpec link;
    private final int id;
    private final TrainPool pool = new TrainPool();
    private final LinkDirection up;
    private final ReadController reads;
    private final BarDecoder windows;
    private final EndpointState s;
    private final Incoming incoming;
    private final EventPort arrivals;
    private final Timer answers;
    private final EventPort readPort;
    private final EventPort writePort;
    private final EventPort left;
    private final TlpHeader header = new TlpHeader();
    private final EventPort messages;
    private final EndpointFaults faults;
    private @Nullable ConfigSpace config;
    private @Nullable AddressTranslation translation;

    /**
     * Creates an endpoint that is attached to nothing; see {@code Host.attach}.
     *
     * @param id bus, device and function, 16 bits
     */
    public PcieEndpoint(Scope parent, String name, PcieLinkSpec link, int id) {
        super(parent, name);
        this.link = link;
        this.id = id & 0xffff;
        up = state(new LinkDirection(this, "up", link, true));
        reads = state(new ReadController(link, this.id, up, pool));
        s = state(new EndpointState(link.maxPayload()));
        incoming = state(new Incoming(pool));
        arrivals = new Arrivals(this);
        answers = new Answers(this);
        readPort = new ReadPort(this, "read");
        writePort = new WritePort(this, "write");
        left = new Left(this);
        windows = state(new BarDecoder(this, pool, this::submit, link.completionChunk(), up.delayPs(), this.id));
        faults = state(new EndpointFaults(this, up, reads, windows, pool));
        messages = new Messages(this);
        up.announce(left);
        up.beforeLooking(now -> collect(now - 1));
        StatRegistry stats = sim().stats();
        stats.reading(
                path() + ".unexpected_completions",
                "packets",
                "completions of no outstanding request",
                reads::unexpected);
        stats.reading(path() + ".unsupported_requests", "packets", "requests that hit no window", windows::missed);
    }

    /** Returns the port for {@link DmaRead}; kind and numbers of the event are ignored. */
    public EventPort readPort() {
        return readPort;
    }

    /** Returns a port for {@link DmaRead} of one block: each block that reads has its own, so that ties have an order. */
    public EventPort readPort(String client) {
        return new ReadPort(this, "read." + client);
    }

    /** Returns a port for {@link DmaWrite} of one block; see {@link #readPort(String)}. */
    public EventPort writePort(String client) {
        return new WritePort(this, "write." + client);
    }

    /** Returns the port for {@link DmaWrite}; kind and numbers of the event are ignored. */
    public EventPort writePort() {
        return writePort;
    }

    /**
     * Opens a window.
     *
     * @param stores gets every store into it; its reader gives each back with {@link #recycle}. Stores wait for room
     * @param reader answers reads, null if the window cannot be read
     * @param readPs time from a read's arrival to its completion
     */
    public void window(BarSpec bar, Inlet<MmioWrite> stores, @Nullable MmioReader reader, long readPs) {
        bar(bar);
        region(bar.number(), 0, bar.bytes(), stores, reader, readPs);
    }

    /** Claims a window that consists of regions with somebody else behind each; see {@link #region}. */
    public void bar(BarSpec bar) {
        windows.add(bar);
    }

    /** Opens a part of a window; offsets of stores and reads count from its start. The rest is as {@link #window} says. */
    public void region(
            int bar, long from, long bytes, Inlet<MmioWrite> stores, @Nullable MmioReader reader, long readPs) {
        windows.add(new BarDecoder.Window(bar, from, bytes, stores, null, reader, readPs));
    }

    /** Opens a part of a window in front of registers without a clock: a port that gets every store 1 ps after it came. */
    public void registers(int bar, long from, long bytes, EventPort stores, MmioReader reader, long readPs) {
        windows.add(new BarDecoder.Window(bar, from, bytes, null, stores, reader, readPs));
    }

    /**
     * Gives the device a configuration space, which then says what it may do. Without one it decodes and sends from the start, and
     * configuration requests are unsupported.
     *
     * @param spec whose windows are those opened so far
     */
    public ConfigSpace configure(ConfigSpec spec) {
        if (config != null || !spec.bars().equals(windows.bars())) {
            throw new ConfigurationException(
                    path(), ConfigurationException.BEFORE_TIME_ZERO, "configured twice, or with other windows");
        }
        ConfigSpace c = state(new ConfigSpace(this, spec, () -> reads.outstanding() > 0));
        config = c;
        if (translation != null) {
            c.offerTranslation();
        }
        windows.configured(c);
        c.errors().send(m -> messages.send(now() + 1, m.code(), 0, 0));
        LinkErrors linkErrors = up.errors();
        if (linkErrors != null) {
            linkErrors.observe(c.errors()::corrected);
        }
        Obedience obedience = new Obedience(c);
        c.listen(obedience);
        obedience.changed();
        return c;
    }

    /**
     * Lets the device keep translations of its own (Address Translation Services): it asks the host for them, and its packets then carry
     * translated addresses. The host must have an IOMMU. With a configuration space it does so as soon as that lets it.
     *
     * @param isMessage which addresses are those of interrupts, which nobody translates
     */
    public void translate(AtsSpec spec, LongPredicate isMessage) {
        translation = state(new AddressTranslation(this, reads, spec, isMessage));
        if (config != null) {
            config.offerTranslation();
            translation.unit(config.translationShift());
            translation.enable(config.translates());
        }
    }

    @Override
    public void translators(IntConsumer ids) {
        if (translation != null && translation.enabled()) {
            ids.accept(id);
        }
    }

    @Override
    public void enableTranslation() {
        if (config != null) {
            config.enableTranslation();
        }
    }

    /** Returns the windows claimed so far. */
    public List<BarSpec> barSpecs() {
        return List.copyOf(windows.bars());
    }

    /** Returns the configuration space, null if the device has none. */
    public @Nullable ConfigSpace config() {
        return config;
    }

    /** Takes back a store that the device has done with, so that it can be used again; optional. */
    public void recycle(MmioWrite w) {
        windows.recycle(w);
    }

    /** Returns the bus address of a window, once attached. */
    public long barAddress(int number) {
        return windows.address(number);
    }

    @Override
    public PcieLinkSpec link() {
        return link;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public EventPort arrivals() {
        return arrivals;
    }

    @Override
    public LinkDirection transmitter() {
        return up;
    }

    @Override
    public TrainPool trains() {
        return pool;
    }

    @Override
    public int bars() {
        return windows.bars().size();
    }

    @Override
    public boolean isNarrow(int index) {
        return !windows.bars().get(index).wide();
    }

    @Override
    public long barBytes(int index) {
        return windows.bars().get(index).bytes();
    }

    @Override
    public void placeBar(int index, long address) {
        int number = windows.bars().get(index).number();
        if (config == null) {
            windows.place(number, address);
        } else {
            config.place(number, address);
        }
    }

    @Override
    public void enumerated() {
        if (config != null) {
            config.enumerated();
        }
    }

    @Override
    public void connected(LinkDirection down) {
        down.receiverHolds(HOLD_PS);
        down.returnByEvent(FlowClass.POSTED);
        down.returnByEvent(FlowClass.NON_POSTED);
        windows.creditsTo(down.creditPort());
    }

    /** Returns MRd without an answer. */
    public int readsOutstanding() {
        return reads.outstanding();
    }

    /** Returns completions that belonged to no request. */
    public long unexpectedCompletions() {
        return reads.unexpected();
    }

    /** Returns packets from the host that hit no window. */
    public long unsupportedRequests() {
        return windows.missed();
    }

    @Override
    protected @Nullable String waitsFor() {
        String why = up.waitsFor();
        return why != null ? why : reads.outstanding() == 0 ? null : reads.outstanding() + " reads without an answer";
    }

    /** Looks at the completions that were there at a time, and issues what they make room for as of their times. */
    void collect(long upTo) {
        while (!incoming.isEmpty()) {
            int from = incoming.from();
            int to = reads.waiting() ? incoming.untilNext() : incoming.until(upTo);
            if (to == from || incoming.train().arrival[to - 1] > upTo) {
                break;
            }
            long unexpected = reads.unexpected();
            DmaRead r = reads.complete(incoming.train(), from, to, incoming.train().arrival[to - 1]);
            if (config != null && reads.unexpected() != unexpected) {
                incoming.train().header(to - 1, header);
                config.errors().report(PcieError.UNEXPECTED_COMPLETION, header, true);
            }
            incoming.passed(to);
            if (r != null) {
                giveBack(r);
            }
        }
        reads.flush();
    }

    /** Sees to it that the completions on their way are looked at in time; to be called whenever anything has changed. */
    void lookLater() {
        if (incoming.isEmpty()) {
            return;
        }
        long due = incoming.dueNext();
        if (!reads.waiting()) {
            due = incoming.dueBefore(Long.MAX_VALUE);
        } else if (reads.mayIssueLate(incoming.left()) && (translation == null || translation.isQuiet())) {
            due = incoming.dueBefore(due + up.delayPs());
        }
        if (!answers.armed() || answers.deadline() != due) {
            answers.arm(due);
        }
    }

    /** Hands packets to the link behind those that would have been issued before now. */
    private void submit(TlpTrain train) {
        collect(now());
        up.submit(train);
        lookLater();
    }

    void giveBack(DmaRead r) {
        if (translation != null && translation.ended(r)) {
            return;
        }
        if (config != null && r.status != CompletionStatus.SC) {
            config.errors().refused(r.status);
        }
        if (r.reply != null) {
            r.reply.write(r);
        } else if (r.replyPort != null) {
            r.replyPort.send(now() + 1, 0, 0, 0, r);
        }
    }

    private void write(DmaWrite w) {
        if (w.length < 1) {
            throw new InvariantViolation(path(), now(), "DMA write of " + w.length + " bytes");
        }
        if (!s.masters) {
            s.hold(w);
            return;
        }
        if (translation == null) {
            send(w);
        } else {
            translated(translation, w);
        }
    }

    private void translated(AddressTranslation own, DmaWrite w) {
        collect(now());
        boolean known = own.passes(w);
        reads.flush();
        lookLater();
        faults.watch();
        if (known) {
            send(w);
        }
    }

    /** Returns whether the host lets the device send requests. */
    boolean masters() {
        return s.masters;
    }

    /** Sends a write whose address is known. */
    void send(DmaWrite w) {
        TlpTrain t = pool.take().writes(w.address, w.length, s.maxPayload, id);
        t.relaxed = w.relaxed && s.relaxed;
        t.poisoned = w.poisoned;
        t.idBased = s.idBased;
        t.addressType = w.translated ? TlpHeader.AT_TRANSLATED : 0;
        t.followed(w.journey, w.stage, w.part);
        t.stage = w.stage;
        t.data.appendFrom(w.data, w.offset, w.length);
        if (w.done != null || w.donePort != null) {
            t.announced = true;
            s.add(w);
        }
        submit(t);
    }

    /** Tells the host that translations have been forgotten; bit n of the tags answers its message n. */
    void tellInvalidated(int tags) {
        submit(pool.take().invalidated(tags, id, 0));
    }

    private void invalidate(AddressTranslation own, TlpTrain train) {
        byte[] data = new byte[TranslationEntry.BYTES];
        train.data.copyTo(0, data, 0, data.length);
        long entry = TranslationEntry.get(data, 0);
        int tag = train.tag[0];
        windows.drop(train, 0);
        collect(now());
        own.invalidate(entry, tag);
        reads.flush();
        lookLater();
    }

    private void lastBitLeft() {
        DmaWrite w = s.remove();
        w.leftPs = now();
        if (w.done != null) {
            w.done.write(w);
        } else if (w.donePort != null) {
            w.donePort.send(now() + 1, 0, 0, 0, w);
        }
    }

    private final class Arrivals extends EventPort {
        Arrivals(SimNode target) {
            super(target, "arrivals");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (!(token instanceof TlpTrain train)) {
                throw new InvariantViolation(path(), now(), "something other than TLPs arrived");
            }
            if (link.troubles().checks() && !faults.passes(kind, (int) a, train)) {
                return;
            }
            if ((kind & ~EndpointFaults.AGAIN) == FlowClass.COMPLETION.index()) {
                incoming.add(train, (int) a, (int) b);
                collect(now());
                lookLater();
            } else if (translation != null && train.type == TlpType.MSGD) {
                invalidate(translation, train);
            } else {
                windows.arrived(train, (int) a, (int) b);
            }
        }
    }

    /** Does what the configuration space says from now on; what the transmitter has already leaves as it is. */
    private final class Obedience implements ConfigListener {
        private final ConfigSpace space;

        Obedience(ConfigSpace space) {
            this.space = space;
        }

        @Override
        public void changed() {
            collect(now());
            s.masters = space.masters();
            s.maxPayload = space.maxPayload();
            s.relaxed = space.relaxedOrdering();
            s.idBased = link.ordering().idBased() && space.idBasedOrdering();
            reads.useTags(space.tags(), s.idBased);
            faults.obey(space);
            if (translation != null) {
                translation.unit(space.translationShift());
                translation.enable(space.translates());
                translation.send();
            }
            reads.obey(space.masters(), space.maxReadRequest(), now());
            reads.flush();
            for (DmaWrite w = s.next(); w != null; w = s.next()) {
                write(w);
            }
            lookLater();
        }

        @Override
        public void moved(int number, long address) {
            windows.place(number, address);
        }
    }

    /** Reports errors to the root complex. */
    private final class Messages extends EventPort {
        Messages(SimNode target) {
            super(target, "messages");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            submit(pool.take().message(kind, id));
        }
    }

    /** Completions that have announced themselves are due. */
    private final class Answers extends Timer {
        Answers(SimNode target) {
            super(target, "answers");
        }

        @Override
        protected void expired(long at) {
            collect(at);
            lookLater();
        }
    }

    private final class ReadPort extends EventPort {
        ReadPort(SimNode target, String name) {
            super(target, name);
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (!(token instanceof DmaRead r)) {
                throw new InvariantViolation(path(), now(), "something other than a DmaRead was sent");
            }
            if (r.length < 0 || r.window < 1 || r.flow < 0 || r.flow > MAX_FLOW) {
                throw new ConfigurationException(
                        path(),
                        now(),
                        "DMA read with length " + r.length + ", window " + r.window + ", flow " + r.flow
                                + ": must be at least 0, at least 1 and in 0.." + MAX_FLOW);
            }
            collect(now());
            if (translation == null || translation.passes(r)) {
                reads.accept(r, now());
            }
            reads.flush();
            lookLater();
            faults.watch();
        }
    }

    private final class WritePort extends EventPort {
        WritePort(SimNode target, String name) {
            super(target, name);
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (!(token instanceof DmaWrite w)) {
                throw new InvariantViolation(path(), now(), "something other than a DmaWrite was sent");
            }
            write(w);
        }
    }

    /** The last bit of a write that somebody waits for has left. */
    private final class Left extends EventPort {
        Left(SimNode target) {
            super(target, "left");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            lastBitLeft();
        }
    }
}
