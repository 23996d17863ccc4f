package dev.clockwire.roce.soft;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.transport.MemoryKeys;
import dev.clockwire.roce.transport.NumberTable;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.transport.ResponseResult;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.ContextProvider;
import dev.clockwire.roce.verbs.DeviceAttributes;
import dev.clockwire.roce.verbs.DeviceLife;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.Neighbours;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.roce.verbs.Paths;
import dev.clockwire.roce.verbs.PortAttributes;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.VerbsProvider;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A functional RDMA device with one port. It must be created after the host whose memory it uses, so that a core that polls at the
 * instant of a completion sees it at its next poll, in every kernel mode.
 */
public final class SoftDevice extends SimNode implements VerbsProvider {
    /** Doorbell of a send queue. */
    static final int SEND = 0;
    /** Doorbell of a receive queue in ERR: what was posted is flushed. */
    static final int RECEIVE = 1;

    /** Deadline of a completion that a fault holds back. */
    private static final int HELD_CQE = 1;

    /** Deadline of an acknowledgement that is held back. */
    private static final int OWED_ACK = 1;

    private static final int PART_ID = 0x1021;
    private static final double KBPS_PER_GBPS = 1_000_000;
    private static final long MAX_MESSAGE = 1L << 31;

    private final String name;
    private final SoftSpec spec;
    private final PortAddress address;
    private final Neighbours neighbours;
    private final Pool<RocePacket> packets;
    private final Numbering numbering;
    private final PortAttributes port;
    private final Transmitter transmitter;
    private final SoftCounters counters = state(new SoftCounters());
    private final MemoryKeys keys = new MemoryKeys();
    private final NumberTable<SoftQueuePair> byNumber = new NumberTable<>();
    private final List<SoftQueuePair> qps = new ArrayList<>();
    private final List<SoftCompletionQueue> cqs = new ArrayList<>();
    private final Deque<Runnable> commands = new ArrayDeque<>();
    private final FrameEncoder encoder = new FrameEncoder();
    private final byte[] grhBytes = new byte[FrameEncoder.GRH_BYTES];
    private final Payload grh = new Payload();
    private final RequestDecision decision = new RequestDecision();
    private final ResponseResult result = new ResponseResult();
    private final EventPort doorbells;
    private final EventPort deadlines;
    private final EventPort settings;
    private final EventPort control;
    private final EventPort breaks;
    private final EventPort moderation;
    private @Nullable Retired retired;
    private long controlFree;
    private int nextCqn;
    private int nextPd = 1;
    private int nextSrqn = 1;
    private final SoftTroubles troubles;
    private final List<SoftContext> contexts = new ArrayList<>();
    private final DeviceLife life = state(new DeviceLife());
    private boolean linkUp = true;

    /** An observer of send work requests that end, also unsignalled ones; it must change nothing in the model. */
    @FunctionalInterface
    public interface Retired {
        /** A send is complete; {@code index} counts the sends of its queue pair. */
        void retired(int qpn, long index, long ps);
    }

    /**
     * Creates a device and joins it to its line.
     *
     * @param name of the device, for instance {@code rxe0}; the node is called {@code node}
     * @param address of the port
     * @param neighbours who can be reached
     * @param line the end of a link that this device sends on; it hands over frames at their last bit
     * @param packets where packets come from and go to
     * @param numbering who chooses queue pair numbers and keys
     */
    public SoftDevice(
            Scope parent,
            String node,
            String name,
            SoftSpec spec,
            PortAddress address,
            Neighbours neighbours,
            LinkEnd line,
            Pool<RocePacket> packets,
            Numbering numbering) {
        super(parent, node);
        this.name = name;
        this.spec = spec;
        this.address = address;
        this.neighbours = neighbours;
        this.packets = packets;
        this.numbering = numbering;
        double gbps = line.spec().kbps() / KBPS_PER_GBPS;
        List<Gid> gids = List.of(Gid.ofIpv4(address.ipv4()), new Gid(address.ipv6Hi(), address.ipv6Lo()));
        port = new PortAttributes(true, Mtu.MTU_4096, Mtu.MTU_4096, MAX_MESSAGE, gbps, gids);
        transmitter = new Transmitter(this, spec, line);
        counters.register(sim().stats(), path());
        Receiver receiver = new Receiver(this);
        line.attach(new EventPort(this, "line") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof RocePacket packet) {
                    troubles.arrived(packet);
                } else if (token instanceof PauseFrame pause) {
                    transmitter.paused(pause);
                } else if (kind == LinkEnd.LINK_DOWN || kind == LinkEnd.LINK_UP) {
                    linkChanged(kind == LinkEnd.LINK_UP);
                }
            }
        });
        troubles = new SoftTroubles(this, receiver);
        doorbells = new EventPort(this, "doorbell") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                rung(kind, (int) a, b);
            }
        };
        settings = new EventPort(this, "settings") {
            @Override
            protected void event(int kind, long priorities, long b, @Nullable Token token) {
                transmitter.agreed((int) priorities);
            }
        };
        deadlines = new EventPort(this, "deadline") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                SoftQueuePair qp = byNumber.get((int) a);
                if (qp != null && kind == OWED_ACK) {
                    qp.receives.sendOwedAck();
                } else if (qp != null) {
                    qp.sends.look(now());
                }
            }
        };
        control = new EventPort(this, "control") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                commands.removeFirst().run();
            }
        };
        breaks = new EventPort(this, "break") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                breakUsers((int) a);
            }
        };
        moderation = new EventPort(this, "moderation") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                for (int i = 0; i < cqs.size(); i++) {
                    if (cqs.get(i).number() == (int) a && kind == HELD_CQE) {
                        cqs.get(i).release((int) b);
                    } else if (cqs.get(i).number() == (int) a) {
                        cqs.get(i).notifier().expired((int) b);
                    }
                }
            }
        };
    }

    /**
     * Lets the device's port obey pauses.
     *
     * @param pool where pause frames go
     * @param classes bit n: pauses of class n are obeyed
     * @param wholeLink pauses of the whole link are obeyed, and none of a class
     */
    public void obeysPauses(Pool<PauseFrame> pool, int classes, boolean wholeLink) {
        transmitter.obeysPauses(pool, classes, wholeLink);
    }

    /** Returns the port that is told which pauses to obey from now on, if any are: a = the priorities, bit n for priority n. */
    public EventPort settings() {
        return settings;
    }

    SoftSpec spec() {
        return spec;
    }

    Transmitter transmitter() {
        return transmitter;
    }

    MemoryKeys keys() {
        return keys;
    }

    Pool<RocePacket> packets() {
        return packets;
    }

    RequestDecision decision() {
        return decision;
    }

    /** Returns what stands in front of a received datagram; valid until the next call. */
    Payload grhOf(RocePacket datagram) {
        encoder.encodeGrh(datagram, grhBytes, 0);
        grh.clear();
        grh.appendBytes(grhBytes, 0, FrameEncoder.GRH_BYTES);
        return grh;
    }

    ResponseResult result() {
        return result;
    }

    PortAddress address() {
        return address;
    }

    @Nullable
    SoftQueuePair find(int qpn) {
        return byNumber.get(qpn);
    }

    void count(SoftCounter counter) {
        counters.add(counter);
    }

    /** Returns a counter. */
    public long counter(SoftCounter counter) {
        return counters.get(counter);
    }

    /** Sets the one observer of sends that end. */
    public void observe(Retired observer) {
        retired = observer;
    }

    void retired(int qpn, long index) {
        if (retired != null) {
            retired.retired(qpn, index, now());
        }
    }

    /** Sends an acknowledgement that is held back when its time has come. */
    void holdAck(int qpn) {
        deadlines.send(now() + spec.ackDelayPs(), OWED_ACK, qpn, 0);
    }

    /** Carries out a control verb behind those given before. */
    void command(Runnable verb) {
        controlFree = Math.max(controlFree, now()) + spec.commandPs();
        commands.addLast(verb);
        control.send(controlFree, 0, 0, 0);
    }

    /** A core announces work at a time, which may be in its future. */
    void doorbell(long at, int kind, int qpn, long posted) {
        doorbells.send(Math.max(at, now() + 1), kind, qpn, posted);
    }

    private void rung(int kind, int qpn, long posted) {
        SoftQueuePair qp = byNumber.get(qpn);
        if (qp != null && kind == SEND) {
            qp.sends.rung(posted);
        } else if (qp != null && qp.state() == QpState.ERR) {
            qp.receives.flush();
        }
    }

    /** Looks at the deadline of a queue pair at a time. */
    void watch(long at, int qpn) {
        deadlines.send(at, 0, qpn, 0);
    }

    /** Looks at the moderated events of a completion queue at a time. */
    void moderate(long at, int cqn, int round) {
        moderation.send(at, 0, cqn, round);
    }

    /** Lets the completion go that a completion queue holds back, at a time. */
    void holdCqe(long at, int cqn, int round) {
        moderation.send(at, HELD_CQE, cqn, round);
    }

    int newCqn() {
        return nextCqn++;
    }

    int newPd() {
        return nextPd++;
    }

    int newSrqn() {
        return nextSrqn++;
    }

    /** Returns the number of a new queue pair, -1 if it is taken. */
    int newQpn(boolean gsi) {
        int qpn = gsi ? QpInit.GSI_QPN : numbering.nextQpn();
        return byNumber.get(qpn) == null ? qpn : -1;
    }

    /** Returns the key of new memory, 0 if it is taken. */
    int newKey() {
        int key = numbering.nextKey();
        return keys.taken(key) ? 0 : key;
    }

    void add(SoftQueuePair qp) {
        byNumber.put(qp.qpn(), qp);
        qps.add(qp);
    }

    void removed(SoftQueuePair qp) {
        byNumber.remove(qp.qpn());
        qps.remove(qp);
    }

    void add(SoftCompletionQueue cq) {
        cqs.add(cq);
    }

    void removed(SoftCompletionQueue cq) {
        cqs.remove(cq);
    }

    /** A completion queue has overflowed: the queue pairs that use it go to ERR, at the next instant. */
    void broken(SoftCompletionQueue cq) {
        breaks.send(now() + 1, 0, cq.number(), 0);
    }

    /** Returns what can go wrong with the device. */
    public SoftTroubles troubles() {
        return troubles;
    }

    private void linkChanged(boolean up) {
        linkUp = up;
        raise(up ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR, 1);
    }

    private void raise(AsyncEventType type, int number) {
        for (int i = 0; i < contexts.size(); i++) {
            contexts.get(i).raise(type, number);
        }
    }

    /**
     * Forgets connections and memory: each queue pair goes to ERR, its work is flushed, no key opens anything, and the programs hear that the device
     * failed.
     *
     * @return how often it has failed
     */
    int resetAll() {
        for (int i = 0; i < qps.size(); i++) {
            SoftQueuePair qp = qps.get(i);
            if (qp.state() != QpState.RESET && qp.state() != QpState.ERR) {
                qp.receives.stopAnswering();
                qp.toError();
            }
        }
        keys.clear();
        int failure = life.failed();
        raise(AsyncEventType.DEVICE_FATAL, 0);
        return failure;
    }

    DeviceLife life() {
        return life;
    }

    void closed(SoftContext context) {
        contexts.remove(context);
    }

    private void breakUsers(int cqn) {
        for (int i = 0; i < qps.size(); i++) {
            SoftQueuePair qp = qps.get(i);
            if (qp.usesCq(cqn) && qp.state() != QpState.RESET && qp.state() != QpState.ERR) {
                qp.toError();
                qp.raise(AsyncEventType.QP_FATAL);
            }
        }
    }

    /** Fills the addresses of a path; false if nobody has the address. */
    boolean resolve(AddressVector to, int localQpn, int remoteQpn, FlowAddress out) {
        return Paths.resolve(neighbours, address, to, localQpn, remoteQpn, out);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int firstPsn(int drawn) {
        return numbering.firstPsn(drawn);
    }

    @Override
    public boolean isPresent() {
        return life.isPresent();
    }

    @Override
    public DeviceAttributes attributes() {
        return DeviceAttributes.connectX(address.mac(), "clockwire-soft", PART_ID);
    }

    @Override
    public PortAttributes port(int number) {
        return linkUp ? port : port.withActive(false);
    }

    @Override
    public ContextProvider open(Cpu cpu, Consumer<AsyncEvent> events) {
        SoftContext context = new SoftContext(this, cpu, events);
        contexts.add(context);
        return context;
    }

    @Override
    protected @Nullable String snapshotBlocker() {
        return qps.isEmpty() && commands.isEmpty()
                ? null
                : qps.size() + " queue pairs of a software device are program state that is not recorded";
    }
}
