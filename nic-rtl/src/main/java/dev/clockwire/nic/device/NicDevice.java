package dev.clockwire.nic.device;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.complete.CqWriter;
import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.KeyChange;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.Doorbell;
import dev.clockwire.nic.doorbell.DoorbellBlock;
import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.doorbell.UarLayout;
import dev.clockwire.nic.encode.Encoder;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.ether.EthernetPort;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.mac.Line;
import dev.clockwire.nic.mac.TxMac;
import dev.clockwire.nic.notify.NotificationPoint;
import dev.clockwire.nic.offload.NvmeOffload;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.profile.CongestionSpec;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.nic.regs.RegisterBlock;
import dev.clockwire.nic.respond.ResponderBlock;
import dev.clockwire.nic.respond.ResponseEngine;
import dev.clockwire.nic.respond.ResponseJob;
import dev.clockwire.nic.rx.RxParser;
import dev.clockwire.nic.sched.QpScheduler;
import dev.clockwire.nic.send.SendCounters;
import dev.clockwire.nic.send.SendEngine;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.verbs.DeviceLife;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One NIC: its clock, its blocks in the order of the data path, and the tables that control commands change. */
public final class NicDevice extends SimNode {
    private static final int DEPTH = 2;
    private static final int CONTEXT_BYTES = 256;

    private final NicSpec spec;
    private final Clock clock;
    private final ContextTable table = new ContextTable();
    private final ChipMemory chipMemory;
    private final NicRegisters registers;
    private final ConfigSpace config;
    private final DeviceParts parts;
    private final PcieEndpoint endpoint;
    private final DoorbellBlock doorbell;
    private final RxParser receiver;
    private final TxMac mac;
    private final ResponderBlock responder;
    private final SendEngine sendEngine;
    private final QpScheduler scheduler;
    private final CqWriter cqWriter;
    private final IcmPaths icm;
    private final EventPort control;
    private final @Nullable EthernetPort ethernet;
    private final @Nullable NvmeOffload offload;
    private final @Nullable NotificationPoint notifications;
    private final Commands commands;
    private final DeviceLife life;

    /**
     * Creates the device.
     *
     * @param number of the device in the simulation, from 1
     * @param endpoint its end of PCIe; the device opens its BARs there
     * @param port addresses of its Ethernet port
     * @param line the outgoing direction of its Ethernet port
     * @param packets the packets of the whole fabric
     */
    public NicDevice(
            Scope parent,
            String name,
            int number,
            NicSpec spec,
            PcieEndpoint endpoint,
            PortAddress port,
            Line line,
            Pool<RocePacket> packets) {
        super(parent, name);
        life = state(new DeviceLife());
        this.spec = spec;
        this.endpoint = endpoint;
        clock = new Clock(this, "core", Frequency.mhz(spec.coreMhz()));
        control = new EventPort(this, "control") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                switch (kind) {
                    case ControlEvents.CQ_FAILED -> commands.breakCq((int) a);
                    case ControlEvents.SEND_FAILED -> commands.sendError(table.at((int) a));
                    case ControlEvents.HAPPENED -> commands.happened((int) a, (int) b);
                    case ControlEvents.DRAINED -> commands.drained(table.at((int) a));
                    case ControlEvents.RESET_ALL -> fail(a);
                    case ControlEvents.BACK -> life.started((int) a);
                    case ControlEvents.EMPTIED -> commands.emptied(table.at((int) a));
                    case ControlEvents.KEYS ->
                        commands.changeKeys(table.at((int) a), (KeyChange) Objects.requireNonNull(token));
                    default -> toError(table.at((int) a));
                }
            }
        };
        chipMemory = new ChipMemory(this, clock, spec.deviceMemoryBytes(), endpoint::recycle);
        RegisterBlock block = new RegisterBlock(this, endpoint.writePort("msix"), endpoint::recycle);
        config = NicWindows.configure(endpoint, spec);
        registers = state(new NicRegisters(this, table, config, block::send));
        block.connect(registers);
        config.onVectors(block::configurationChanged);
        registers.start(spec.packedUar() ? UarLayout.PACKED : UarLayout.PAGE, spec.doorbellCarriesPi());
        parts = new DeviceParts(
                spec,
                table,
                new Journal(sim(), number),
                new ControlEvents(control),
                port,
                packets,
                chipMemory,
                registers);
        parts.setRefills(block.refills());
        registers.rates().onWrite(this::paced);
        CacheSpec contextCache = spec.icm().qpc();
        registers.contextStride(contextCache == null ? CONTEXT_BYTES : contextCache.entryBytes());
        icm = new IcmPaths(this, clock, endpoint, parts);
        Channel<Doorbell> doorbells = channel("doorbells");
        Pool<Doorbell> doorbellPool = new Pool<>(Doorbell::new);
        LongChannel arms = new LongChannel(this, "arms", clock, DEPTH);
        doorbell = new DoorbellBlock(this, clock, doorbells, arms, doorbellPool, endpoint::recycle, parts, registers);
        NicWindows.open(endpoint, spec, doorbell, chipMemory, registers, block);
        LongChannel started = new LongChannel(this, "started", clock, DEPTH);
        LongChannel fetched = new LongChannel(this, "fetched", clock, DEPTH);
        LongChannel fetches = new LongChannel(this, "fetches", clock, DEPTH);
        Channel<Wqe> bypass = channel("blueflame");
        boolean offloads = spec.offload().exists();
        Channel<Doorbell> toScheduler = offloads ? channel("ownDoorbells") : doorbells;
        scheduler = new QpScheduler(this, clock, toScheduler, fetched, started, fetches, bypass, doorbellPool, parts);
        Channel<Wqe> wqes = new FrontEnd(this, clock, endpoint, icm, parts).build(fetched, fetches, bypass);
        Channel<RocePacket> requests = channel("requests");
        Channel<RocePacket> responses = channel("responses");
        receiver = new RxParser(this, clock, requests, responses, parts);
        requests = icm.contexts("requests", requests);
        responses = icm.contexts("responses", responses);
        Channel<RocePacket> toEncoder = channel("requestPackets");
        Channel<RocePacket> answers = channel("responsePackets");
        LongChannel sent = new LongChannel(this, "sent", clock, DEPTH);
        Channel<Completion> sends = channel("sendCompletions");
        Channel<Completion> receives = channel("receiveCompletions");
        sendEngine = new SendEngine(
                this,
                clock,
                wqes,
                responses,
                sent,
                toEncoder,
                started,
                sends,
                icm.reads("send"),
                icm.writes("send"),
                parts);
        sends = icm.queues("sendCompletions", icm.behind(sends, "sendCompletions"));
        Channel<ResponseJob> jobs = channel("jobs");
        Pool<ResponseJob> jobPool = new Pool<>(ResponseJob::new);
        responder = new ResponderBlock(
                this,
                clock,
                requests,
                jobs,
                receives,
                endpoint.readPort("receive"),
                icm.writes("receive"),
                jobPool,
                parts);
        jobs = icm.behind(jobs, "jobs");
        receives = icm.queues("receiveCompletions", icm.behind(receives, "receiveCompletions"));
        ResponseEngine responseEngine = new ResponseEngine(
                this,
                clock,
                jobs,
                answers,
                icm.reads("respond"),
                endpoint.writePort("respond"),
                responder.answered(),
                jobPool,
                parts);
        Channel<RocePacket> frames = channel("frames");
        new Encoder(this, clock, List.of(answers, toEncoder), frames, parts);
        mac = new TxMac(this, clock, frames, sent, line, parts);
        if (offloads) {
            NvmeOffload.Paths paths = new NvmeOffload.Paths(
                    doorbells, toScheduler, sends, channel("otherSends"), receives, channel("otherReceives"));
            offload = offload(paths, doorbellPool);
            sends = paths.otherSends();
            receives = paths.otherReceives();
        } else {
            offload = null;
        }
        cqWriter = new CqWriter(
                this, clock, sends, receives, arms, endpoint.readPort("cq"), endpoint.writePort("cq"), parts);
        sendEngine.crossChannel(cqWriter, scheduler);
        commands = new Commands(this, table, scheduler, sendEngine, cqWriter, parts);
        notifications = congestion(responseEngine);
        ethernet = spec.queues().ethernet() == 0 ? null : ethernet();
        NicCounters.register(sim().stats(), this);
    }

    /** The NVMe-oF offload stands between the blocks and the completion unit, and beside the doorbells. */
    private NvmeOffload offload(NvmeOffload.Paths paths, Pool<Doorbell> doorbellPool) {
        NvmeOffload block = new NvmeOffload(
                this,
                clock,
                spec.offload(),
                paths,
                endpoint.writePort("offload"),
                doorbellPool,
                endpoint::recycle,
                parts);
        NicWindows.openOffload(endpoint, block);
        return block;
    }

    /** Returns the NVMe-oF offload; null if the device has none. */
    public @Nullable NvmeOffload offload() {
        return offload;
    }

    /** Returns the bus address of the window that the offload's SSD writes completions into. */
    public long offloadWindow() {
        return endpoint.barAddress(Uar.BAR) + NicWindows.OFFLOAD;
    }

    /** Returns the bus address that software posts to a queue pair that it shares with the offload. */
    public long offloadStores() {
        return offloadWindow() + NvmeOffload.COMPLETIONS;
    }

    /** Pauses and notifications, as far as the port has them. */
    private @Nullable NotificationPoint congestion(ResponseEngine responseEngine) {
        if (spec.congestion().pauses()) {
            mac.obeysPauses(List.of(sendEngine.pauses(), responseEngine.pauses()));
            receiver.pausesAt(mac);
        }
        if (spec.congestion().notifies() == CongestionSpec.Notify.OFF) {
            return null;
        }
        Channel<RocePacket> cnps = channel("notifications");
        NotificationPoint point = new NotificationPoint(this, clock, cnps, parts);
        mac.alsoFirst(cnps);
        receiver.marksAt(point.marks());
        return point;
    }

    /** Returns what answers marks of congestion; null if nothing does. */
    public @Nullable NotificationPoint notifications() {
        return notifications;
    }

    /** The Ethernet queues share receiver, MAC and completion unit with RDMA. */
    private EthernetPort ethernet() {
        Channel<Completion> completions = channel("ethernetCompletions");
        Channel<EthFrame> frames = channel("ethernetFrames");
        EthernetPort port = new EthernetPort(
                this, clock, completions, frames, endpoint.readPort("ethernet"), endpoint.writePort("ethernet"), parts);
        cqWriter.also(icm.queues("ethernetCompletions", completions));
        mac.also(frames);
        receiver.ethernet(port.steering());
        registers.onEthernet((send, queue, index) ->
                port.line().send(now() + 1, send ? EthernetPort.SEND : EthernetPort.RECEIVE, queue, index));
        return port;
    }

    /** Returns the Ethernet queues; null if the device has none. */
    public @Nullable EthernetPort ethernetPort() {
        return ethernet;
    }

    private <T extends Token> Channel<T> channel(String name) {
        return new Channel<>(this, name, clock, DEPTH);
    }

    /** Returns where the link delivers packets at their last bit. */
    public EventPort linePort() {
        return receiver.port();
    }

    /** Returns the transmit MAC. */
    public TxMac mac() {
        return mac;
    }

    /** Returns the core clock. */
    public Clock clock() {
        return clock;
    }

    /** Returns the parameters. */
    public NicSpec spec() {
        return spec;
    }

    /** Returns the end of PCIe. */
    public PcieEndpoint endpoint() {
        return endpoint;
    }

    /** Returns what the blocks share: tables, journal, pools. */
    public DeviceParts parts() {
        return parts;
    }

    /** Returns the memory that programs may allocate in the device. */
    public ChipMemory chipMemory() {
        return chipMemory;
    }

    /** Returns the bus address of a place in that memory. */
    public long chipMemoryAddress(long address) {
        return endpoint.barAddress(Uar.BAR) + UarLayout.WINDOW + address - ChipMemory.BASE;
    }

    /** Returns the receiver, for its counters. */
    public RxParser receiver() {
        return receiver;
    }

    /** Returns the responder, for its counters. */
    public ResponderBlock responder() {
        return responder;
    }

    /** Returns the scheduler, for its counters. */
    QpScheduler scheduler() {
        return scheduler;
    }

    /** Returns the send engine, for its counters. */
    SendEngine sendEngine() {
        return sendEngine;
    }

    /** Returns what went wrong on the sending side. */
    public SendCounters sendCounters() {
        return sendEngine.counters();
    }

    /** Returns doorbells that made no sense. */
    public long doorbellErrors() {
        return doorbell.errors();
    }

    /** Brings a queue pair to ERR: whatever was posted is flushed. */
    public void toError(QpContext qp) {
        qp.state = QpState.ERR;
        scheduler.hold(qp, false, now());
        sendEngine.wakeQueue().send(now() + 1, SendEngine.LOOK, qp.slot, 0);
        flushReceives(qp);
    }

    /** Lets the send engine go on with a queue pair that has left SQE or SQD. */
    public void resumeSends(QpContext qp) {
        sendEngine.wakeQueue().send(now() + 1, SendEngine.RESUME, qp.slot, 0);
    }

    /** Lets the send engine say when a queue pair in SQD has drained. */
    public void drain(QpContext qp) {
        sendEngine.wakeQueue().send(now() + 1, SendEngine.LOOK, qp.slot, 0);
    }

    /** Lets both engines take over the parameters in the context of a queue pair at work. */
    public void modified(QpContext qp) {
        sendEngine.wakeQueue().send(now() + 1, SendEngine.MODIFIED, qp.slot, 0);
        responder.prime().send(now() + 1, ResponderBlock.MODIFIED, qp.qpn, 0);
    }

    /** Lets the send engine take over the pacing in the context of a queue pair. */
    public void paced(QpContext qp) {
        sendEngine.wakeQueue().send(now() + 1, SendEngine.PACED, qp.slot, registers.articleLiteral() ? 1 : 0);
    }

    /** Software has written a rate or burst register. */
    private void paced(int bucket) {
        QpContext qp = table.uar(bucket);
        if (qp != null) {
            qp.rate = registers.rates().bucket(bucket);
            paced(qp);
        }
    }

    /** Returns the bus address of the register that arms a completion queue. */
    public long armRegister(int cqn) {
        return endpoint.barAddress(Uar.BAR) + registers.layout().arm(cqn);
    }

    /** Returns the bus address of a queue pair's doorbell. */
    public long doorbell(QpContext qp) {
        return endpoint.barAddress(Uar.BAR) + registers.layout().doorbell(qp.uar);
    }

    /** Returns the bus address of one of a queue pair's BlueFlame buffers, 0 or 1. */
    public long blueflame(QpContext qp, int buffer) {
        return endpoint.barAddress(Uar.BAR) + registers.layout().blueflame(qp.uar, buffer);
    }

    /** Returns the registers. */
    public NicRegisters registers() {
        return registers;
    }

    /** Returns the configuration space. */
    public ConfigSpace config() {
        return config;
    }

    /** Makes the chip forget a key that is gone. */
    public void forgetKey(int key) {
        icm.forget(key);
    }

    /** Flushes the receives of a queue pair in ERR; called again when more are posted. */
    public void flushReceives(QpContext qp) {
        responder.prime().send(now() + 1, ResponderBlock.FLUSH, qp.qpn, 0);
    }

    /**
     * Makes the device forget all connections and memory, from another node: 1 ps after a time.
     *
     * @param backPs after which its driver has started it anew; 0 = never
     */
    public void resetAt(long now, long backPs) {
        control.send(now + 1, ControlEvents.RESET_ALL, backPs, 0);
    }

    private void fail(long backPs) {
        int failure = life.failed();
        commands.resetAll();
        if (backPs > 0) {
            control.send(now() + backPs, ControlEvents.BACK, failure, 0);
        }
    }

    /** Returns how often it has failed, and whether it is there. */
    public DeviceLife life() {
        return life;
    }

    /** Returns the unit that writes completions. */
    public CqWriter completions() {
        return cqWriter;
    }

    /**
     * Gives a completion queue another ring, from now on.
     *
     * @return index of the first entry that goes there
     */
    public long resize(CqContext cq) {
        table.replace(cq);
        return cqWriter.produced(cq.cqn());
    }

    /** Returns how many entries of a completion queue were written so far. */
    public long produced(int cqn) {
        return cqWriter.produced(cqn);
    }

    /** Sets what makes the event queue, when something happens before the driver has made it. */
    public void onFirstEvent(Runnable open) {
        commands.onFirstEvent(open);
    }

    /**
     * Empties both queues of a queue pair without completions, and brings it to RESET. When that is done the event queue gets an
     * entry of type {@link Eqe#CMD} with its number, behind the last completion of the queue pair.
     *
     * @param sends index behind the last block that was posted
     */
    public void reset(QpContext qp, int sends) {
        qp.resetting = true;
        qp.sidesEmpty = 0;
        toError(qp);
        scheduler.close(qp, sends, now());
    }

    /** Sets below how many receives a shared queue raises an event; 0 for none. */
    public void limit(int srqn, int receives) {
        responder.prime().send(now() + 1, ResponderBlock.LIMIT, srqn, receives);
    }

    /** Starts reading receive WQEs ahead; called when a queue pair gets ready to receive. */
    public void prime(QpContext qp) {
        responder.prime().send(now() + 1, 0, qp.qpn, 0);
    }

    /** Returns how many queue pairs can have a UAR page at a time. */
    public static int uarPages() {
        return UarLayout.PAGE.places();
    }

    /** Returns the bus address of a queue pair's UAR page; the queue pair exists. */
    public long uarPage(int qpn) {
        QpContext qp = Objects.requireNonNull(table.qp(qpn));
        return endpoint.barAddress(Uar.BAR) + Uar.page(qp.uar);
    }
}
