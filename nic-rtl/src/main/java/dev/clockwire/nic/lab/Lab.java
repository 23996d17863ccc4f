package dev.clockwire.nic.lab;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.fabric.FrameTap;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.fabric.Switch;
import dev.clockwire.roce.fabric.SwitchSpec;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.ArrayList;
import java.util.List;

/**
 * Two hosts with a NIC each, joined back to back or through a switch. {@code host0} is 10.0.0.1 and the client of a benchmark, {@code host1} is
 * 10.0.0.2.
 */
public final class Lab implements LabControl {
    private static final int NETWORK = 10 << 24;
    private static final long NETWORK_6 = 0xFD00_0000_0000_0000L;
    private static final long MAC = 0x0200_0000_0000L;

    private final Sim sim;
    private final Profile profile;
    private final Link link;
    private final Link last;
    private final LabHost a;
    private final LabHost b;
    private final FaultPlan faults;
    private final List<NodeFaults> nodeFaults = new ArrayList<>();

    private Lab(Profile profile, LabSpec spec, LabParts parts) {
        this.profile = profile;
        sim = new Sim(spec.kernel());
        if (spec.journeys() > 0) {
            sim.enableJourneys(spec.journeys());
        }
        LinkSpec line = HostParts.line(profile);
        SwitchSpec between = HostParts.between(profile);
        LinkSpec inward = between == null ? line : line.withAtFirstBit(between.cutThrough());
        link = new Link(sim.root(), "link", inward, line, spec.faults());
        link.a().register(sim.stats());
        link.b().register(sim.stats());
        last = between == null ? link : hop(between, line, inward);
        HostBuilder builder = new HostBuilder(sim, profile, spec).withParts(parts);
        a = builder.host("host0", 1, address(1), link.a());
        b = builder.host("host1", 2, address(2), last.b());
        if (spec.soft() == null) {
            long delay = HostParts.pauseDelay(line);
            delay = between == null ? delay : 2 * delay + between.latencyPs();
            a.nic().receiver().holds(b.nic().mac().pause(), delay);
            b.nic().receiver().holds(a.nic().mac().pause(), delay);
        }
        faults = spec.faults();
        boolean packets = faults.rules().stream().anyMatch(r -> r.action() instanceof FaultAction.OnPacket);
        if (packets && spec.soft() != null) {
            throw new ConfigurationException("faults of PCIe packets need the hardware: software devices have no link");
        }
        if (!faults.isEmpty()) {
            nodeFaults.add(new NodeFaults(sim.root(), a, link, faults));
            nodeFaults.add(new NodeFaults(sim.root(), b, link, faults));
        }
        parts.add(sim, a, b);
        sim.elaborate();
        link.start();
        nodeFaults.forEach(NodeFaults::start);
    }

    /** Puts a switch behind the first link and a second link behind the switch; faults stay with the first. */
    private Link hop(SwitchSpec spec, LinkSpec line, LinkSpec inward) {
        Link second = new Link(sim.root(), "link1", line, inward, FaultPlan.NONE);
        Switch hop = new Switch(sim.root(), "switch", spec);
        hop.attach(link.b(), MAC + 1);
        hop.attach(second.a(), MAC + 2);
        hop.register(sim.stats());
        second.a().register(sim.stats());
        second.b().register(sim.stats());
        return second;
    }

    /** Returns how often each rule of the fault plan has struck so far, in the order of the plan. */
    public List<FaultCount> faults() {
        return faults.rules().stream()
                .map(rule -> new FaultCount(rule, hits(rule)))
                .toList();
    }

    private long hits(FaultRule rule) {
        if (rule.action() instanceof FaultAction.OnNode) {
            return nodeFaults.stream().mapToLong(node -> node.hits(rule)).sum();
        }
        if (rule.action() instanceof FaultAction.OnPacket on) {
            return PacketFaults.hits(rule, on, on.node().equals(a.name()) ? a : b);
        }
        // an outage at a time is known at both ends
        boolean both = rule.action() instanceof FaultAction.LinkDown && rule.trigger() instanceof FaultTrigger.At;
        return both ? link.a().hits(rule) : link.a().hits(rule) + link.b().hits(rule);
    }

    /**
     * Builds the lab.
     *
     * @throws ConfigurationException if a value of the profile cannot be used
     */
    public static Lab twoHosts(Profile profile, LabSpec spec) {
        return twoHosts(profile, spec, LabParts.NONE);
    }

    /** Builds the lab with more parts in its hosts; see {@link #twoHosts(Profile, LabSpec)}. */
    public static Lab twoHosts(Profile profile, LabSpec spec, LabParts parts) {
        return new Lab(profile, spec, parts);
    }

    private static PortAddress address(int number) {
        return new PortAddress(MAC + number, NETWORK + number, NETWORK_6, number);
    }

    /** Returns the simulation. */
    public Sim sim() {
        return sim;
    }

    /** Returns the profile the lab was built from. */
    public Profile profile() {
        return profile;
    }

    /** Returns the first host, the client. */
    public LabHost a() {
        return a;
    }

    /** Returns the second host, the server. */
    public LabHost b() {
        return b;
    }

    /** Returns the link between the NICs, or from the first host to the switch. */
    public Link link() {
        return link;
    }

    /** Returns the first host's end of its line. */
    public LinkEnd endOfA() {
        return link.a();
    }

    /** Returns the second host's end of its line. */
    public LinkEnd endOfB() {
        return last.b();
    }

    /** Returns the end that sends to the first host: the second host's or the switch's. */
    public LinkEnd facingA() {
        return link.b();
    }

    /** Returns the end that sends to the second host: the first host's or the switch's. */
    public LinkEnd facingB() {
        return last.a();
    }

    /** Observes every frame once, at the host that sends it. */
    public void tapFrames(FrameTap tap) {
        endOfA().tap(tap);
        endOfB().tap(tap);
    }

    /**
     * Returns what the memory sanitizer has found.
     *
     * @throws ConfigurationException if the lab was built without
     */
    public LabSanitizer sanitizer() {
        return LabSanitizer.of(a, b);
    }

    @Override
    public <T> T await(Completion<T> verb) {
        return HostBuilder.await(sim, verb);
    }
}
