package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkErrors;
import dev.clockwire.pcie.link.PcieDevice;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.QuietDevice;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.pcie.tlp.TranslationEntry;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
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
    /** How long a completion occupies the receive buffer, if its credits are counted at all. */
    private static final long HOLD_PS = 16_000;

    private final PcieLinkSpec link;
    private final int id;
    private final TrainPool pool = new TrainPool();
    private final LinkDirection up;
    private final ReadController reads;
    private final BarDecoder windows;
    private final EndpointState s;
    private final EventPort arrivals;
    private final Requester requester;
    private final Writer writer;
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
        arrivals = new Arrivals(this);
        requester = state(new Requester(this, up, reads, pool));
        writer = new Writer(this, pool, s, requester);
        windows =
                state(new BarDecoder(this, pool, requester::submit, link.completionChunk(), s, up.delayPs(), this.id));
        faults = state(new EndpointFaults(this, requester, up, reads, windows, pool));
        messages = new Messages(this);
        up.announce(writer.left());
        up.beforeLooking(requester::lookedAt);
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
        return requester.port();
    }

    /** Returns a port for {@link DmaRead} of one block: each block that reads has its own, so that ties have an order. */
    public EventPort readPort(String client) {
        return requester.port(client);
    }

    /** Returns a port for {@link DmaWrite} of one block; see {@link #readPort(String)}. */
    public EventPort writePort(String client) {
        return writer.port(client);
    }

    /** Returns the port for {@link DmaWrite}; kind and numbers of the event are ignored. */
    public EventPort writePort() {
        return writer.port();
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
        windows.add(new BarDecoder.Window(bar, from, bytes, reader, readPs).to(stores));
    }

    /** Opens a part of a window in front of registers without a clock: a port that gets every store 1 ps after it came. */
    public void registers(int bar, long from, long bytes, EventPort stores, MmioReader reader, long readPs) {
        windows.add(new BarDecoder.Window(bar, from, bytes, reader, readPs).to(stores));
    }

    /** Opens a part of a window in front of memory, which packets of any size reach. */
    public WindowMemory memory(int bar, long from, long bytes, WindowSpec spec) {
        WindowMemory memory =
                state(new WindowMemory(this, pool, "bar" + bar + (from == 0 ? "" : "at" + from), spec, bytes));
        windows.add(new BarDecoder.Window(bar, from, bytes, null, spec.readPs()).to(memory));
        return memory;
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
        Obedience obedience = new Obedience(this, c, s, requester, writer, windows, faults);
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
        translation = state(new AddressTranslation(this, reads, writer, spec, isMessage));
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
    public QuietDevice quiet() {
        return requester;
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
        requester.lookedAt(now());
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

    /** Returns writes from the host that were dropped because their data were marked as wrong. */
    public long poisonedWrites() {
        return windows.poisoned();
    }

    /** Records when a followed operation's write is in memory of the device. */
    void stampCommit(TlpTrain train, long arrivedPs, long committedPs) {
        if (train.stage != 0) {
            stamp(train.journey, train.stage, 0, arrivedPs, committedPs, 0);
        }
    }

    /** Sees to it that somebody looks when a request times out. */
    void watchTimeouts() {
        faults.watch();
    }

    /** Returns the device's own translations, null if it keeps none. */
    @Nullable
    AddressTranslation translation() {
        return translation;
    }

    private void invalidate(AddressTranslation own, TlpTrain train) {
        byte[] data = new byte[TranslationEntry.BYTES];
        train.data.copyTo(0, data, 0, data.length);
        long entry = TranslationEntry.get(data, 0);
        int tag = train.tag[0];
        windows.drop(train, 0);
        requester.collect(now());
        own.invalidate(entry, tag);
        requester.flush();
        requester.lookLater();
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
                requester.answered(train, (int) a, (int) b);
            } else if (translation != null && train.type == TlpType.MSGD) {
                invalidate(translation, train);
            } else {
                windows.arrived(train, (int) a, (int) b);
            }
        }
    }

    /** Reports errors to the root complex. */
    private final class Messages extends EventPort {
        Messages(SimNode target) {
            super(target, "messages");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            requester.submit(pool.take().message(kind, id));
        }
    }
}
