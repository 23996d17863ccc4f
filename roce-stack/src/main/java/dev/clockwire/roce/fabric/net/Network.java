package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.fabric.host.LightHost;
import dev.clockwire.roce.fabric.host.SendFlow;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.parallel.Mailbox;
import dev.clockwire.sim.state.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A fabric of light endpoints, built. Its nodes are numbered: hosts first, then switches. */
public final class Network {
    private final NetworkSpec spec;
    private final int hostCount;
    private final List<LightHost> hosts = new ArrayList<>();
    private final List<FabricSwitch> switches = new ArrayList<>();
    private final List<EqualCostRoutes> routes = new ArrayList<>();
    private final List<SendFlow> flows = new ArrayList<>();
    private final Map<String, Integer> numbers = new TreeMap<>();
    private final List<List<Mailbox>> inboxes = new ArrayList<>();
    private final int[] partOf;
    private long lookaheadPs = Long.MAX_VALUE >> 2;
    private final List<LinkEnd> ends = new ArrayList<>();
    /** Neighbours of each node in the order of its ports, as (node, port there). */
    private final List<List<int[]>> neighbours = new ArrayList<>();

    /** Builds a fabric below a scope; to be elaborated by the caller, who then calls {@link #start}. */
    public Network(Scope parent, NetworkSpec spec) {
        this(List.of(parent), spec);
    }

    /**
     * Builds a fabric in several parts, each a simulation of its own; see {@link #inboxes}.
     *
     * @param parents the root of each part
     */
    public Network(List<Scope> parents, NetworkSpec spec) {
        this.spec = spec;
        hostCount = spec.topology().hosts().size();
        for (int i = 0; i < hostCount + spec.topology().switches().size(); i++) {
            neighbours.add(new ArrayList<>());
            numbers.put(nodeName(i), i);
        }
        partOf = new Partition(spec.topology(), parents.size()).parts();
        List<Pool<LightFrame>> frames = new ArrayList<>();
        List<Pool<PauseFrame>> pauses = new ArrayList<>();
        for (int i = 0; i < parents.size(); i++) {
            frames.add(new Pool<>(LightFrame::new));
            pauses.add(new Pool<>(PauseFrame::new));
            List<Mailbox> from = new ArrayList<>();
            parents.forEach(p -> from.add(new Mailbox()));
            inboxes.add(from);
        }
        buildSwitches(parents, pauses);
        LinkEnd[] hostEnds = new LinkEnd[hostCount];
        spec.topology().cables().forEach(cable -> lay(parents, cable, hostEnds));
        switches.forEach(FabricSwitch::close);
        for (int i = 0; i < hostCount; i++) {
            String name = spec.topology().hosts().get(i);
            int part = partOf[i];
            hosts.add(new LightHost(
                    parents.get(part),
                    name,
                    i,
                    spec.light(name),
                    hostEnds[i],
                    bridgeBeside(i).pause().expires(),
                    frames.get(part),
                    pauses.get(part)));
        }
        new Routing(neighbours, hostCount).fill(routes);
        for (FlowSpec flow : spec.flows()) {
            reachable(flow);
            flows.add(LightHost.join(flow, hosts.get(flow.src()), hosts.get(flow.dst())));
        }
    }

    /** Returns what the switch of a host has, else what all have. */
    private BridgeSpec bridgeBeside(int host) {
        int node = neighbours.get(host).get(0)[0];
        return node < hostCount ? spec.bridge() : spec.bridge(nodeName(node));
    }

    private void buildSwitches(List<Scope> parents, List<Pool<PauseFrame>> pauses) {
        List<String> names = spec.topology().switches();
        for (int i = 0; i < names.size(); i++) {
            EqualCostRoutes table = new EqualCostRoutes(hostCount, i);
            routes.add(table);
            int part = partOf[hostCount + i];
            switches.add(new FabricSwitch(
                    parents.get(part), names.get(i), spec.bridge(names.get(i)), table, pauses.get(part)));
        }
    }

    private void lay(List<Scope> parents, CableSpec cable, LinkEnd[] hostEnds) {
        int a = nodeOf(cable.a());
        int b = nodeOf(cable.b());
        LinkSpec line = new LinkSpec(cable.kbps(), cable.delayPs(), 0, spec.framing(), false);
        FaultPlan plan = cable.loss() == 0
                ? FaultPlan.NONE
                : FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(cable.loss())));
        int nth = 0;
        for (int[] known : neighbours.get(a)) {
            nth += known[0] == b ? 1 : 0;
        }
        String name = cable.a() + "-" + cable.b() + (nth == 0 ? "" : "." + nth);
        Link link;
        if (partOf[a] == partOf[b]) {
            link = new Link(parents.get(partOf[a]), name, line, plan);
        } else {
            Mailbox toB = inboxes.get(partOf[b]).get(partOf[a]);
            Mailbox toA = inboxes.get(partOf[a]).get(partOf[b]);
            link = new Link(parents.get(partOf[a]), parents.get(partOf[b]), name, line, plan, toB, toA);
            lookaheadPs = Math.min(lookaheadPs, line.flightPs());
        }
        int portA = neighbours.get(a).size();
        int portB = neighbours.get(b).size();
        neighbours.get(a).add(new int[] {b, portB});
        neighbours.get(b).add(new int[] {a, portA});
        join(a, link.a(), cable, hostEnds);
        join(b, link.b(), cable, hostEnds);
    }

    private void join(int node, LinkEnd end, CableSpec cable, LinkEnd[] hostEnds) {
        ends.add(end);
        if (node < hostCount) {
            hostEnds[node] = end;
        } else {
            switches.get(node - hostCount)
                    .attach(end, spec.ports(nodeName(node)).of(cable));
        }
    }

    /** Returns what each part is sent, in the order of the parts. */
    public List<List<Mailbox>> inboxes() {
        return List.copyOf(inboxes);
    }

    /** Returns the least time from one part to another in ps. */
    public long lookaheadPs() {
        return lookaheadPs;
    }

    private int nodeOf(String name) {
        return Objects.requireNonNull(numbers.get(name), name); // the topology has checked it
    }

    private void reachable(FlowSpec flow) {
        int[] first = neighbours.get(flow.src()).get(0);
        boolean direct = first[0] == flow.dst();
        if (!direct && (first[0] < hostCount || routes.get(first[0] - hostCount).towards(flow.dst()).length == 0)) {
            String text = "flow " + flow.name() + ": no way from "
                    + spec.topology().hosts().get(flow.src()) + " to "
                    + spec.topology().hosts().get(flow.dst());
            throw new ConfigurationException(text);
        }
    }

    /** Schedules the flows; to be called once, after elaboration. */
    public void start() {
        hosts.forEach(LightHost::schedule);
    }

    /** Returns the parameters. */
    public NetworkSpec spec() {
        return spec;
    }

    /** Returns the hosts in the order of their numbers. */
    public List<LightHost> hosts() {
        return List.copyOf(hosts);
    }

    /** Returns the switches in the order of the parameters. */
    public List<FabricSwitch> switches() {
        return List.copyOf(switches);
    }

    /** Returns the sending sides of the flows in the order of the parameters. */
    public List<SendFlow> flows() {
        return List.copyOf(flows);
    }

    /** Returns the frames that all ends of all links have sent. */
    public long framesSent() {
        return ends.stream().mapToLong(LinkEnd::framesSent).sum();
    }

    /** Returns the node at the other end of a switch's port, and the port there. */
    int[] farEnd(int sw, int port) {
        return neighbours.get(hostCount + sw).get(port);
    }

    /** Returns a name for a port of a switch: the switch, and who is at the other end. */
    public String portName(int sw, int port) {
        int far = farEnd(sw, port)[0];
        return spec.topology().switches().get(sw) + "->" + nodeName(far);
    }

    private String nodeName(int node) {
        return node < hostCount
                ? spec.topology().hosts().get(node)
                : spec.topology().switches().get(node - hostCount);
    }

    int hostCount() {
        return hostCount;
    }

    /** Whether every flow has ended, one way or the other. */
    public boolean finished() {
        for (SendFlow flow : flows) {
            if (!flow.done() && !flow.failed()) {
                return false;
            }
        }
        return true;
    }
}
