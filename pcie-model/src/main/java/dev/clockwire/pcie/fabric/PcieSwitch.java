package dev.clockwire.pcie.fabric;

import dev.clockwire.pcie.config.BridgeSpace;
import dev.clockwire.pcie.config.BridgeWindows;
import dev.clockwire.pcie.config.ConfigRequests;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkEnd;
import dev.clockwire.pcie.link.PcieDevice;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A PCIe switch: devices behind one link. Attach devices to it as to a host, then the switch to the host or to another switch; it has the
 * windows of all its devices. Every port is a link with its own rate, delay and credits.
 *
 * <p>Memory requests go to the device in whose window they lie and otherwise to the root complex, completions to the requester, messages
 * to the root complex. What one device sends to another turns around here. A request for an address that belongs to the switch and there
 * to nobody is refused with UR, and so is one for the port it came from. Every port is a bridge with a configuration space, and passes
 * requests only if its command register says so.
 *
 * <p>Ports take turns at each outgoing link, packet by packet within a class; between one pair of ports the ordering rules hold.
 */
public final class PcieSwitch extends SimNode implements PcieDevice {
    /** Byte count of what refuses a configuration request. */
    private static final int WORD = 4;

    private final PcieSwitchSpec spec;
    private final PcieLinkSpec link;
    private final int id;
    private final SwitchRoutes routes;
    private final List<SwitchPort> ports = new ArrayList<>();
    private final Counts counts = state(new Counts());
    private @Nullable SwitchArbiter arbiter;

    /**
     * Creates a switch without devices.
     *
     * @param link the link to the root complex: its {@code upCredits} are the root port's, its {@code downCredits} this switch's
     * @param id bus, device and function of the port to the root complex, 16 bits; ports to devices are on the next bus, with devices
     *     from 0
     */
    public PcieSwitch(Scope parent, String name, PcieSwitchSpec spec, PcieLinkSpec link, int id) {
        super(parent, name);
        this.spec = spec;
        this.link = link;
        this.id = id & 0xffff;
        routes = state(new SwitchRoutes(this.id));
        open(link, new TrainPool());
        sim().stats().reading(path() + ".forwarded", "packets", "packets passed on", counts::forwarded);
        sim().stats().reading(path() + ".peer", "packets", "of these from one device to another", counts::peer);
        sim().stats()
                .reading(path() + ".unsupported_requests", "packets", "requests for nobody here", counts::unsupported);
        sim().stats()
                .reading(
                        path() + ".unexpected_completions",
                        "packets",
                        "completions for no device here",
                        counts::unexpected);
    }

    private SwitchPort open(PcieLinkSpec of, TrainPool pool) {
        SwitchPort port = state(new SwitchPort(this, ports.size(), of, pool));
        state(port.transmitter());
        int index = ports.size();
        BridgeSpace.Side side = index == SwitchRoutes.UP ? BridgeSpace.Side.UPSTREAM : BridgeSpace.Side.DOWNSTREAM;
        routes.add(new BridgeSpace(this, port.name(), side, index, of, new PortWindows(routes, index)));
        ports.add(port);
        return port;
    }

    /**
     * Joins a device to a new port, before the switch itself is attached; the device's link is the one to this port, where
     * {@code upCredits} are the port's.
     *
     * @return the port's transmitter towards the device
     * @throws ConfigurationException if the switch is attached already, another device has the same id, the device is not on a bus of its
     *     own above those of the switch and of the devices before it, or another MPS is set
     */
    public LinkDirection attach(PcieDevice device) {
        if (arbiter != null) {
            throw refused("device " + device.id() + " comes after the switch was attached");
        }
        if (answersTo(device.id())) {
            throw refused("two devices with the id " + device.id());
        }
        int bus = device.id() >>> 8;
        if (bus <= routes.lastBus(SwitchRoutes.UP)) {
            throw refused("device " + device.id() + " is on bus " + bus + ": must be above "
                    + routes.lastBus(SwitchRoutes.UP) + ", the last one of the switch so far");
        }
        if (routes.devices() == SwitchRoutes.MOST_DEVICES) {
            throw refused("more than " + SwitchRoutes.MOST_DEVICES + " devices");
        }
        if (device.link().maxPayload() != link.maxPayload()) {
            throw refused("device " + device.id() + " has an MPS of "
                    + device.link().maxPayload() + " bytes, its switch " + link.maxPayload() + ": must be equal");
        }
        SwitchPort port = open(device.link(), device.trains());
        routes.add(device);
        LinkEnd.join(port, device);
        device.connected(port.transmitter());
        port.neighbour(device.transmitter());
        return port.transmitter();
    }

    private ConfigurationException refused(String why) {
        return new ConfigurationException(path(), ConfigurationException.BEFORE_TIME_ZERO, why);
    }

    @Override
    public void connected(LinkDirection down) {
        arbiter = state(new SwitchArbiter(ports.size()));
        ports.get(SwitchRoutes.UP).neighbour(down);
    }

    PcieSwitchSpec spec() {
        return spec;
    }

    SwitchRoutes routes() {
        return routes;
    }

    SwitchPort port(int index) {
        return ports.get(index);
    }

    private SwitchArbiter arbiter() {
        SwitchArbiter a = arbiter;
        if (a == null) {
            throw new ConfigurationException(path(), now(), "the switch is attached to no host");
        }
        return a;
    }

    /** Passes on a packet that has been in the switch for its time. */
    void pass(int from, int to, TlpTrain train, int packet) {
        if (to == SwitchRoutes.NOBODY) {
            refuse(from, train, packet);
            return;
        }
        if (to == SwitchRoutes.OWN) {
            configure(from, train);
            return;
        }
        counts.forwarded++;
        if (from != SwitchRoutes.UP && to != SwitchRoutes.UP) {
            counts.peer++;
        }
        arbiter().add(from, to, train, packet);
        arbiter().dispatch(to, ports.get(to));
    }

    /** Drops what nobody wants; who expects an answer gets one. */
    private void refuse(int from, TlpTrain train, int packet) {
        SwitchPort port = ports.get(from);
        port.giveBack(train.flowClass().index(), TlpSplit.dataCredits(train.dataDw(packet)));
        if (train.flowClass() == FlowClass.COMPLETION) {
            counts.unexpected++;
        } else {
            counts.unsupported++;
        }
        if (train.flowClass() == FlowClass.NON_POSTED) {
            TlpTrain answer = port.pool().take();
            int bytes = train.type.isConfiguration() ? WORD : train.length();
            answer.refusal(CompletionStatus.UR, bytes, id, train.requesterId, train.tag[0]);
            answer.followed(train);
            arbiter().add(arbiter().own(), from, answer, 0);
            arbiter().dispatch(from, port);
        }
        if (packet == train.count - 1) {
            port.pool().give(train);
        }
    }

    /** Answers a configuration request to one of the ports. */
    private void configure(int from, TlpTrain request) {
        SwitchPort port = ports.get(from);
        port.giveBack(request.flowClass().index(), TlpSplit.dataCredits(request.dataDw(0)));
        TlpTrain answer = port.pool().take();
        int target = request.completerId;
        BridgeSpace space = routes.bridge(routes.portOf(target));
        if (request.type.hasData()) {
            space.write((int) request.address, ConfigRequests.value(request), ConfigRequests.enables(request));
            answer.refusal(CompletionStatus.SC, WORD, target, request.requesterId, request.tag[0]);
        } else {
            ConfigRequests.answer(request, answer, space.read((int) request.address), target);
        }
        answer.followed(request);
        port.pool().give(request);
        arbiter().add(arbiter().own(), from, answer, 0);
        arbiter().dispatch(from, port);
    }

    /** A packet has left at a port: its buffer is free, and the next has its turn. */
    void left(int to, int c) {
        SwitchArbiter a = arbiter();
        int from = a.left(to, c);
        if (from < 0) {
            throw new InvariantViolation(path(), now(), "a packet left that nobody had sent");
        }
        if (from != a.own()) {
            ports.get(from).giveBack(c, a.units(to, c));
        }
        a.dispatch(to, ports.get(to));
    }

    /** Returns the forwarding latency, in ps. */
    public long forwardPs() {
        return spec.forwardPs();
    }

    /** Returns packets that were passed on. */
    public long forwarded() {
        return counts.forwarded;
    }

    /** Returns packets that went from one device to another. */
    public long peerToPeer() {
        return counts.peer;
    }

    /** Returns requests that were for nobody here. */
    public long unsupportedRequests() {
        return counts.unsupported;
    }

    /** Returns completions that no device here has asked for. */
    public long unexpectedCompletions() {
        return counts.unexpected;
    }

    /** Returns packets that wait for their turn at a port: 0 for the one to the root complex, then devices as attached. */
    public int waiting(int port) {
        return arbiter().waiting(port);
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
    public boolean answersTo(int busDeviceFunction) {
        return routes.answersTo(busDeviceFunction);
    }

    @Override
    public boolean reaches(int requester, long address, long bytes) {
        return routes.reaches(requester, address, bytes);
    }

    @Override
    public int lastBus() {
        return routes.lastBus(SwitchRoutes.UP);
    }

    @Override
    public boolean beginsBridge(int index) {
        return routes.local(index) == 0 || routes.device(index).beginsBridge(routes.local(index));
    }

    @Override
    public void translators(IntConsumer ids) {
        for (int i = 0; i < routes.devices(); i++) {
            routes.attached(i).translators(ids);
        }
    }

    /** Returns the number of ports, the one to the root complex included. */
    public int ports() {
        return ports.size();
    }

    /** Returns bus, device and function of a port: 0 for the one to the root complex, then devices as attached. */
    public int portId(int port) {
        return routes.portId(port);
    }

    /** Returns the configuration space of a port. */
    public BridgeSpace config(int port) {
        return routes.bridge(port);
    }

    @Override
    public EventPort arrivals() {
        return ports.get(SwitchRoutes.UP).arrivals();
    }

    @Override
    public LinkDirection transmitter() {
        return ports.get(SwitchRoutes.UP).transmitter();
    }

    @Override
    public TrainPool trains() {
        return ports.get(SwitchRoutes.UP).pool();
    }

    @Override
    public int bars() {
        return routes.windows();
    }

    @Override
    public long barBytes(int index) {
        return routes.device(index).barBytes(routes.local(index));
    }

    @Override
    public boolean isNarrow(int index) {
        return routes.device(index).isNarrow(routes.local(index));
    }

    @Override
    public void placeBar(int index, long address) {
        routes.place(index, address);
        routes.device(index).placeBar(routes.local(index), address);
    }

    @Override
    public void enumerated() {
        for (int i = 0; i < ports.size(); i++) {
            routes.bridge(i).enumerated(link.maxPayload());
        }
        for (int i = 0; i < routes.devices(); i++) {
            routes.attached(i).enumerated();
        }
    }

    @Override
    public void enableTranslation() {
        for (int i = 0; i < routes.devices(); i++) {
            routes.attached(i).enableTranslation();
        }
    }

    @Override
    protected @Nullable String waitsFor() {
        for (SwitchPort p : ports) {
            String why = p.transmitter().waitsFor();
            if (why != null) {
                return why;
            }
        }
        return null;
    }

    /** What is behind a port, in whole MiB. */
    private record PortWindows(SwitchRoutes routes, int port) implements BridgeWindows {
        private static final long MEBIBYTE = 1L << 20;

        @Override
        public int primary() {
            return routes.portId(port) >>> 8;
        }

        @Override
        public int secondary() {
            return port == SwitchRoutes.UP
                    ? routes.innerBus()
                    : routes.attached(port - 1).id() >>> 8;
        }

        @Override
        public int subordinate() {
            return routes.lastBus(port);
        }

        @Override
        public long first(boolean narrow) {
            long end = routes.end(port, narrow);
            return end == 0 ? NO_FIRST : routes.first(port, narrow) & -MEBIBYTE;
        }

        @Override
        public long last(boolean narrow) {
            long end = routes.end(port, narrow);
            return end == 0 ? 0 : (end + MEBIBYTE - 1 & -MEBIBYTE) - 1;
        }
    }

    /** What the switch has done. */
    private static final class Counts implements State {
        private long forwarded;
        private long peer;
        private long unsupported;
        private long unexpected;

        long forwarded() {
            return forwarded;
        }

        long peer() {
            return peer;
        }

        long unsupported() {
            return unsupported;
        }

        long unexpected() {
            return unexpected;
        }

        @Override
        public void save(Snapshot out) {
            out.putLong(forwarded);
            out.putLong(peer);
            out.putLong(unsupported);
            out.putLong(unexpected);
        }

        @Override
        public void load(Snapshot in) {
            forwarded = in.getLong();
            peer = in.getLong();
            unsupported = in.getLong();
            unexpected = in.getLong();
        }
    }
}
