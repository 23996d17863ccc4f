package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.parallel.Mailbox;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Switches and cables of a fabric, built; each host's end of its cable waits for a host. Nodes are numbered: hosts first, then switches. The
 * MAC address of a host follows from its number, see {@link LightFrame#mac}.
 */
public final class Wiring {
    /** Addresses of switches' ports, locally administered. */
    private static final long BRIDGES = 0x0600_0000_0000L;

    private static final int PORT_BITS = 12;

    private final FabricPlan plan;
    private final int hostCount;
    private final List<FabricSwitch> switches = new ArrayList<>();
    private final List<EqualCostRoutes> routes = new ArrayList<>();
    private final Map<String, Integer> numbers = new TreeMap<>();
    private final List<List<Mailbox>> inboxes = new ArrayList<>();
    private final List<Pool<PauseFrame>> pauses = new ArrayList<>();
    private final int[] partOf;
    private long lookaheadPs = Long.MAX_VALUE >> 2;
    private final List<Link> links = new ArrayList<>();
    private final List<LinkEnd> ends = new ArrayList<>();
    private final LinkEnd[] hostEnds;
    private final Link[] hostLinks;
    private final List<String> hostLinkNames = new ArrayList<>();
    private final FaultPlan faults;
    /** Who speaks LLDP, two of each cable; null = nobody. */
    private final List<@Nullable LldpAgent> agents = new ArrayList<>();

    private final @Nullable LldpAgent[] hostAgents;
    /** Neighbours of each node in the order of its ports, as (node, port there, cable). */
    private final List<List<int[]>> neighbours = new ArrayList<>();

    /**
     * Builds a fabric in one or several parts, each a simulation of its own; see {@link #inboxes}.
     *
     * @param parents the root of each part
     */
    public Wiring(List<Scope> parents, FabricPlan plan) {
        this(parents, plan, FaultPlan.NONE);
    }

    /**
     * Builds a fabric in which things go wrong; see {@link #Wiring(List, FabricPlan)}.
     *
     * @param faults of the cables of hosts; a rule about frames counts on each of them for itself
     */
    public Wiring(List<Scope> parents, FabricPlan plan, FaultPlan faults) {
        this.plan = plan;
        this.faults = faults;
        hostCount = plan.topology().hosts().size();
        hostEnds = new LinkEnd[hostCount];
        hostLinks = new Link[hostCount];
        hostAgents = new LldpAgent[hostCount];
        for (int i = 0; i < hostCount + plan.topology().switches().size(); i++) {
            neighbours.add(new ArrayList<>());
            numbers.put(nodeName(i), i);
        }
        partOf = new Partition(plan.topology(), parents.size()).parts();
        for (int i = 0; i < parents.size(); i++) {
            pauses.add(new Pool<>(PauseFrame::new));
            List<Mailbox> from = new ArrayList<>();
            parents.forEach(p -> from.add(new Mailbox()));
            inboxes.add(from);
        }
        buildSwitches(parents);
        plan.topology().cables().forEach(cable -> lay(parents, cable));
        switches.forEach(FabricSwitch::close);
        new Routing(neighbours, hostCount).fill(routes);
    }

    private void buildSwitches(List<Scope> parents) {
        List<String> names = plan.topology().switches();
        for (int i = 0; i < names.size(); i++) {
            EqualCostRoutes table = new EqualCostRoutes(hostCount, i);
            routes.add(table);
            int part = partOf[hostCount + i];
            switches.add(new FabricSwitch(
                    parents.get(part), names.get(i), plan.bridge(names.get(i)), table, pauses.get(part)));
        }
    }

    private void lay(List<Scope> parents, CableSpec cable) {
        int a = nodeOf(cable.a());
        int b = nodeOf(cable.b());
        LinkSpec line = new LinkSpec(cable.kbps(), cable.delayPs(), 0, plan.framing(), false);
        FaultPlan troubles = troubles(cable, Math.min(a, b) < hostCount);
        int nth = 0;
        for (int[] known : neighbours.get(a)) {
            nth += known[0] == b ? 1 : 0;
        }
        String name = cable.a() + "-" + cable.b() + (nth == 0 ? "" : "." + nth);
        Link link;
        if (partOf[a] == partOf[b]) {
            link = new Link(parents.get(partOf[a]), name, line, troubles);
        } else {
            Mailbox toB = inboxes.get(partOf[b]).get(partOf[a]);
            Mailbox toA = inboxes.get(partOf[a]).get(partOf[b]);
            link = new Link(parents.get(partOf[a]), parents.get(partOf[b]), name, line, troubles, toB, toA);
            lookaheadPs = Math.min(lookaheadPs, line.flightPs());
        }
        links.add(link);
        for (int node : new int[] {a, b}) {
            if (node < hostCount) {
                hostLinks[node] = link;
                hostLinkNames.add(name);
            }
        }
        int portA = neighbours.get(a).size();
        int portB = neighbours.get(b).size();
        int cableNumber = links.size() - 1;
        neighbours.get(a).add(new int[] {b, portB, cableNumber});
        neighbours.get(b).add(new int[] {a, portA, cableNumber});
        join(a, link.a(), cable, parents.get(partOf[a]));
        join(b, link.b(), cable, parents.get(partOf[b]));
    }

    private FaultPlan troubles(CableSpec cable, boolean ofHost) {
        List<FaultRule> rules = new ArrayList<>(ofHost ? faults.rules() : List.of());
        if (cable.loss() > 0) {
            rules.add(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(cable.loss())));
        }
        return new FaultPlan(rules, ofHost && faults.more());
    }

    private void join(int node, LinkEnd end, CableSpec cable, Scope parent) {
        ends.add(end);
        LldpAgent agent = agent(node, end, cable, parent);
        if (node < hostCount) {
            hostEnds[node] = end;
            hostAgents[node] = agent;
        } else {
            FabricSwitch bridge = switches.get(node - hostCount);
            int port = bridge.attach(end, plan.ports(nodeName(node)).of(cable));
            if (agent != null) {
                agent.tells(bridge.settings(), 0, port);
            }
        }
    }

    /** Returns who speaks for a port, which is the newest cable's; null if nobody does. */
    private @Nullable LldpAgent agent(int node, LinkEnd end, CableSpec cable, Scope parent) {
        DcbxPlan dcbx = plan.dcbx();
        String name = nodeName(node);
        DcbSettings own = dcbx == null ? null : dcbx.settings().of(name, cable);
        if (dcbx == null || own == null) {
            agents.add(null);
            return null;
        }
        int number = neighbours.get(node).size() - 1;
        boolean host = node < hostCount;
        long address = host ? LightFrame.mac(node) : BRIDGES | (long) (node - hostCount) << PORT_BITS | number;
        String port = host ? name : name + ".port" + number;
        LldpAgent agent = new LldpAgent(
                parent,
                "lldp." + port,
                dcbx.timing(),
                end,
                address,
                port,
                own,
                dcbx.settings().waits(name, cable));
        agents.add(agent);
        return agent;
    }

    /** Lets ports speak that exchange settings; to be called once, after elaboration. */
    public void start() {
        for (LldpAgent agent : agents) {
            if (agent != null) {
                agent.start();
            }
        }
    }

    /** Shows in a registry what switches and agents of LLDP have done. */
    public void register(StatRegistry stats) {
        switches.forEach(s -> s.register(stats));
        for (LldpAgent agent : agents) {
            if (agent != null) {
                agent.register(stats);
            }
        }
    }

    /** Returns who speaks LLDP at the first (0) or second (1) end of a cable, by its place in the plan; null if nobody does. */
    public @Nullable LldpAgent agent(int cable, int end) {
        return agents.get(2 * cable + end);
    }

    /** Returns who speaks LLDP for a host; null if nobody does. */
    public @Nullable LldpAgent hostAgent(int host) {
        return hostAgents[host];
    }

    /** Returns what the switch beside a host has, else what all have. */
    BridgeSpec bridgeBeside(int host) {
        int node = neighbours.get(host).get(0)[0];
        return node < hostCount ? plan.bridge() : plan.bridge(nodeName(node));
    }

    private int nodeOf(String name) {
        return Objects.requireNonNull(numbers.get(name), name); // the topology has checked it
    }

    /**
     * Checks that there is a way between two hosts.
     *
     * @param what wants to go it, for the error
     */
    public void reachable(String what, int from, int to) {
        int[] first = neighbours.get(from).get(0);
        boolean direct = first[0] == to;
        if (!direct && (first[0] < hostCount || routes.get(first[0] - hostCount).towards(to).length == 0)) {
            throw new ConfigurationException(what + ": no way from " + nodeName(from) + " to " + nodeName(to));
        }
    }

    /** Returns what lies between hosts, as planned. */
    public FabricPlan plan() {
        return plan;
    }

    /** Returns the host's own end of its cable. */
    public LinkEnd hostEnd(int host) {
        return hostEnds[host];
    }

    /** Returns the cable of a host. */
    public Link hostLink(int host) {
        return hostLinks[host];
    }

    /** Returns the names of the cables of hosts, such as {@code node0-switch}. */
    public List<String> hostLinkNames() {
        return List.copyOf(hostLinkNames);
    }

    /** Returns the part that a host is in. */
    public int partOf(int host) {
        return partOf[host];
    }

    /** Returns the pause frames of a part: who is sent one gives it there. */
    public Pool<PauseFrame> pauses(int part) {
        return pauses.get(part);
    }

    /** Returns what each part is sent, in the order of the parts. */
    public List<List<Mailbox>> inboxes() {
        return List.copyOf(inboxes);
    }

    /** Returns the least time from one part to another in ps. */
    public long lookaheadPs() {
        return lookaheadPs;
    }

    /** Returns the switches in the order of the plan. */
    public List<FabricSwitch> switches() {
        return List.copyOf(switches);
    }

    /** Returns the cables in the order of the plan. */
    public List<Link> links() {
        return List.copyOf(links);
    }

    /** Returns the frames that all ends of all links have sent. */
    public long framesSent() {
        return ends.stream().mapToLong(LinkEnd::framesSent).sum();
    }

    /** Returns the frames that cables have lost. */
    public long framesLost() {
        return ends.stream().mapToLong(LinkEnd::framesLost).sum();
    }

    /** Returns the node at the other end of a switch's port, and the port there. */
    int[] farEnd(int sw, int port) {
        return neighbours.get(hostCount + sw).get(port);
    }

    /** Returns the cable at a switch's port. */
    public CableSpec cable(int sw, int port) {
        return plan.topology().cables().get(farEnd(sw, port)[2]);
    }

    /** Returns a name for a port of a switch: the switch, and who is at the other end. */
    public String portName(int sw, int port) {
        return plan.topology().switches().get(sw) + "->" + nodeName(farEnd(sw, port)[0]);
    }

    private String nodeName(int node) {
        return node < hostCount
                ? plan.topology().hosts().get(node)
                : plan.topology().switches().get(node - hostCount);
    }

    /** Returns the number of hosts. */
    public int hostCount() {
        return hostCount;
    }
}
