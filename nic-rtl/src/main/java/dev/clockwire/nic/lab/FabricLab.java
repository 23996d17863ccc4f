package dev.clockwire.nic.lab;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.fabric.net.FabricPlan;
import dev.clockwire.roce.fabric.net.Wiring;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Hosts with whole devices around the switches of a fabric. The host numbered n has the address 10.0.0.0 + n + 1 and, on the line, the MAC
 * address {@link LightFrame#mac}; each flow is a reliable connection of its own, made before time {@link #beginPs}.
 */
public final class FabricLab implements LabControl {
    private static final int PAGE = 4096;
    private static final int MESSAGE = 1 << 16;
    private static final int OUTSTANDING = 16;
    private static final int RNR_TIMER = 12;
    private static final int RNR_RETRY = 7;
    private static final int PSN_STEP = 0x1000;
    private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    private final Sim sim;
    private final Wiring wiring;
    private final Function<String, FlowTerms> terms;
    private final List<LabHost> hosts;
    private final List<Desk> desks = new ArrayList<>();
    private final List<LabFlow> flows = new ArrayList<>();
    /** The receiving queue pairs in order, as {@link #key}, and the flow of each: looked up for every packet. */
    private final int[] receivers;

    private final List<LabFlow> byReceiver;
    private final long beginPs;
    private long dataPackets;
    private long notifications;

    /** What a host has for its flows. */
    private record Desk(ProtectionDomain pd, CompletionQueue cq, MemoryRegion region, FlowProgram program) {}

    /** One connection. */
    private record Pair(QueuePair sender, QueuePair receiver) {}

    /**
     * What the connections of a host's flows are like.
     *
     * @param mtu path MTU
     * @param dscp code point of flows that have none of their own
     * @param timeout code of the acknowledge timeout, 1 to 31
     * @param retries tries after a timeout or a gap, 0 to 7
     */
    public record FlowTerms(int mtu, int dscp, int timeout, int retries) {}

    private FabricLab(
            Function<String, Profile> profiles,
            LabSpec spec,
            FabricPlan plan,
            List<FlowSpec> wanted,
            Function<String, FlowTerms> terms) {
        this.terms = terms;
        ClusterLab cluster = ClusterLab.of(profiles, spec, plan, ClusterLab.Parts.NONE);
        sim = cluster.sim();
        wiring = cluster.wiring();
        hosts = cluster.hosts();
        wanted.forEach(flow -> wiring.reachable("flow " + flow.name(), flow.src(), flow.dst()));
        for (int i = 0; i < hosts.size(); i++) {
            desks.add(desk(hosts.get(i), i, wanted));
        }
        List<Pair> pairs = new ArrayList<>();
        for (FlowSpec flow : wanted) {
            pairs.add(connect(flow, pairs.size()));
        }
        beginPs = sim.now();
        cluster.start();
        Map<Integer, LabFlow> received = new TreeMap<>();
        for (int i = 0; i < wanted.size(); i++) {
            FlowSpec flow = wanted.get(i);
            received.put(key(flow.dst(), pairs.get(i).receiver.qpn()), start(flow, pairs.get(i)));
        }
        receivers = received.keySet().stream().mapToInt(k -> k).toArray();
        byReceiver = List.copyOf(received.values());
        for (int i = 0; i < hosts.size(); i++) {
            wiring.hostEnd(i).tapDepartures(this::sent);
            if (!desks.get(i).program.isIdle()) {
                hosts.get(i).core().run(desks.get(i).program);
            }
        }
    }

    /**
     * Builds the lab.
     *
     * @param profiles hardware of a host, by its name
     * @param terms what the connections of a host's flows are like, by its name
     * @throws ConfigurationException if a flow has no way, or a value of the profile cannot be used
     */
    public static FabricLab of(
            Function<String, Profile> profiles,
            LabSpec spec,
            FabricPlan plan,
            List<FlowSpec> flows,
            Function<String, FlowTerms> terms) {
        return new FabricLab(profiles, spec, plan, flows, terms);
    }

    private Desk desk(LabHost host, int number, List<FlowSpec> wanted) {
        long sends = Math.max(1, wanted.stream().filter(f -> f.src() == number).count());
        var memory = host.host().hostMemory();
        Allocation buffer = memory.allocate("flows", MESSAGE, Allocation.Kind.BULK, PAGE, memory.dram());
        ProtectionDomain pd = await(host.context().allocPd());
        CompletionQueue cq = await(host.context().createCq((int) sends * FlowProgram.DEPTH));
        MemoryRegion region = await(pd.regMr(buffer.address(), MESSAGE, ACCESS));
        return new Desk(pd, cq, region, new FlowProgram(host, cq));
    }

    private Pair connect(FlowSpec flow, int number) {
        QueuePair sender = create(desks.get(flow.src()));
        QueuePair receiver = create(desks.get(flow.dst()));
        FlowTerms of = terms(flow.src());
        int dscp = flow.dscp() < 0 ? of.dscp : flow.dscp();
        int psn = number * PSN_STEP & 0xFF_FFFF;
        ready(sender, hosts.get(flow.dst()), receiver.qpn(), psn, dscp, of);
        ready(receiver, hosts.get(flow.src()), sender.qpn(), psn, dscp, of);
        return new Pair(sender, receiver);
    }

    private FlowTerms terms(int host) {
        return terms.apply(hosts.get(host).name());
    }

    private QueuePair create(Desk desk) {
        return await(
                desk.pd.createQp(QpInit.of(QpType.RC, desk.cq, new QpCapabilities(FlowProgram.DEPTH, 1, 1, 1, 0))));
    }

    private void ready(QueuePair qp, LabHost peer, int peerQpn, int psn, int dscp, FlowTerms of) {
        await(qp.modify(
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).access(ACCESS)));
        await(qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(peer.gid()).withTrafficClass(dscp << 2))
                .pathMtu(Mtu.ofBytes(of.mtu))
                .destQpn(peerQpn)
                .rqPsn(psn)
                .maxDestRdAtomic(OUTSTANDING)
                .minRnrTimer(RNR_TIMER)));
        await(qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(psn)
                .maxRdAtomic(OUTSTANDING)
                .timeout(of.timeout)
                .retryCount(of.retries)
                .rnrRetry(RNR_RETRY)));
    }

    private LabFlow start(FlowSpec flow, Pair pair) {
        Desk from = desks.get(flow.src());
        MemoryRegion to = desks.get(flow.dst()).region;
        LabFlow.Buffers buffers =
                new LabFlow.Buffers(MESSAGE, from.region.address(), from.region.lkey(), to.address(), to.rkey());
        LabFlow made = new LabFlow(flow, beginPs + flow.startPs(), terms(flow.src()).mtu, pair.sender, buffers);
        flows.add(made);
        from.program.add(made);
        return made;
    }

    private static int key(int host, int qpn) {
        return host << 24 | qpn;
    }

    /** Counts what hosts send. */
    private void sent(long ps, LinkEnd end, Token token) {
        if (!(token instanceof RocePacket packet)) {
            return;
        }
        if (packet.opcode == Opcode.CNP.code()) {
            notifications++;
        } else if (!packet.isResponse()) {
            dataPackets++;
            int to = LightFrame.hostOf(packet.flow.dstMac);
            int at = Arrays.binarySearch(receivers, key(to, packet.destQp));
            if (at >= 0) {
                byReceiver.get(at).sent(packet.payloadLength);
            }
        }
    }

    /** Returns the simulation. */
    public Sim sim() {
        return sim;
    }

    /** Returns switches and cables. */
    public Wiring wiring() {
        return wiring;
    }

    /** Returns the hosts in the order of their numbers. */
    public List<LabHost> hosts() {
        return List.copyOf(hosts);
    }

    /** Returns the flows in the order in which they were wanted. */
    public List<LabFlow> flows() {
        return List.copyOf(flows);
    }

    /** Returns when connections were made and the first flow may begin, in ps. */
    public long beginPs() {
        return beginPs;
    }

    /** Returns the packets of flows that hosts have sent. */
    public long dataPackets() {
        return dataPackets;
    }

    /** Returns the congestion notifications that hosts have sent. */
    public long notifications() {
        return notifications;
    }

    /**
     * Returns what the memory sanitizer has found.
     *
     * @throws ConfigurationException if the lab was built without
     */
    public LabSanitizer sanitizer() {
        return LabSanitizer.of(hosts.toArray(new LabHost[0]));
    }

    @Override
    public <T> T await(Completion<T> verb) {
        return HostBuilder.await(sim, verb);
    }
}
