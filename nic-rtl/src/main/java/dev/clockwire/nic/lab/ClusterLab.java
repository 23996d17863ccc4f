package dev.clockwire.nic.lab;

import dev.clockwire.nic.mac.TxMac;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.fabric.net.FabricPlan;
import dev.clockwire.roce.fabric.net.Headroom;
import dev.clockwire.roce.fabric.net.LldpAgent;
import dev.clockwire.roce.fabric.net.NodeRules;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.roce.fabric.net.Wiring;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Named hosts with whole devices around the switches of a fabric, with what is added to them while they are built, and with what goes wrong.
 * The host numbered n has the address 10.0.0.0 + n + 1 and, on the line, the MAC address {@link LightFrame#mac}. Rules about frames count on each
 * host's cable for itself, rules about nodes name hosts, outages name cables ({@code node0-switch}).
 */
public final class ClusterLab implements LabControl {
    private static final int NETWORK = 10 << 24;
    private static final long NETWORK_6 = 0xFD00_0000_0000_0000L;

    /** The class that everything is in whose DSCP is 0. */
    private static final int CLASS = 0;

    private static final int LONGEST_FRAME = 4096 + 118;
    private static final int KILO = 1_000_000;

    private final Sim sim;
    private final Wiring wiring;
    private final List<LabHost> hosts = new ArrayList<>();
    private final List<NodeFaults> nodeFaults = new ArrayList<>();

    /** What is added to hosts while they are built: more cores, devices on the root complex. */
    @FunctionalInterface
    public interface Parts {
        /** Nothing. */
        Parts NONE = (sim, hosts) -> {};

        /** Adds parts; the NICs are there, the design is not elaborated yet. */
        void add(Sim sim, List<LabHost> hosts);
    }

    private ClusterLab(Function<String, Profile> profiles, LabSpec spec, FabricPlan plan, Parts parts) {
        sim = new Sim(spec.kernel());
        if (spec.journeys() > 0) {
            sim.enableJourneys(spec.journeys());
        }
        List<String> names = plan.topology().hosts();
        check(spec.faults(), names);
        wiring = new Wiring(List.of(sim.root()), plan, spec.faults());
        checkLinks(spec.faults());
        HostBuilder builder = new HostBuilder(sim, profiles.apply(names.get(0)), spec).withPauses(wiring.pauses(0));
        for (int i = 0; i < wiring.hostCount(); i++) {
            builder.withProfile(profiles.apply(names.get(i)));
            PortAddress address = new PortAddress(LightFrame.mac(i), NETWORK + i + 1, NETWORK_6, i + 1);
            LabHost host = builder.host(names.get(i), i + 1, address, wiring.hostEnd(i));
            hosts.add(host);
            listen(host, wiring.hostAgent(i));
            if (!spec.faults().onNode(host.name()).isEmpty()) {
                nodeFaults.add(new NodeFaults(sim.root(), host, wiring.hostLink(i), spec.faults()));
            }
        }
        wiring.register(sim.stats());
        parts.add(sim, List.copyOf(hosts));
        sim.elaborate();
        wiring.links().forEach(link -> link.start());
        nodeFaults.forEach(NodeFaults::start);
    }

    /**
     * Builds the lab.
     *
     * @param profiles hardware of a host, by its name
     * @param plan hosts, switches and cables
     * @throws ConfigurationException if a value of a profile cannot be used, or a fault is about a host that is not there
     */
    public static ClusterLab of(Function<String, Profile> profiles, LabSpec spec, FabricPlan plan, Parts parts) {
        return new ClusterLab(profiles, spec, plan, parts);
    }

    /**
     * Builds hosts around one switch, over the profile's lines, without pauses.
     *
     * @param names of the hosts; the switch is called {@code switch}
     */
    public static ClusterLab star(Profile profile, LabSpec spec, List<String> names, Parts parts) {
        return star(profile, spec, names, StarSpec.usual(), parts);
    }

    /**
     * Builds hosts around one switch, over lines of their own rates.
     *
     * @param names of the hosts; the switch is called {@code switch}
     * @throws ConfigurationException if there are not as many rates as hosts, or the buffer has no room for their headroom
     */
    public static ClusterLab star(Profile profile, LabSpec spec, List<String> names, StarSpec star, Parts parts) {
        if (!star.kbps().isEmpty() && star.kbps().size() != names.size()) {
            throw new ConfigurationException(
                    star.kbps().size() + " rates of lines of " + names.size() + " hosts: there must be one each");
        }
        long usual = Math.round(profile.number("link.gbps") * KILO);
        long delay = Math.max(1, profile.picoseconds("link.cable_ns") + profile.picoseconds("link.phy_ns"));
        Topology.Builder b = new Topology.Builder().switches("switch");
        for (int i = 0; i < names.size(); i++) {
            b.host(
                    names.get(i),
                    "switch",
                    star.kbps().isEmpty() ? usual : star.kbps().get(i),
                    delay);
        }
        BridgeSpec bridge = BridgeSpec.of(BufferSpec.of(star.bufferBytes()))
                .withLatency(Math.max(1, profile.picoseconds("link.switch_ns")), true);
        boolean pauses = star.lossless();
        FabricPlan plan = new FabricPlan(
                b.build(),
                Framing.ETHERNET,
                pauses ? bridge.withPause(PauseSpec.ofClass(CLASS)) : bridge,
                cable -> PortSpec.of(pauses ? Headroom.needed(cable, Framing.ETHERNET, LONGEST_FRAME) : 0, 0),
                NodeRules.NONE);
        Profile used = pauses ? profile.with("nic.pfc.classes", String.valueOf(1 << CLASS)) : profile;
        return of(name -> used, spec, plan, parts);
    }

    private static void check(FaultPlan faults, List<String> names) {
        for (FaultRule rule : faults.rules()) {
            String node = rule.action() instanceof FaultAction.OnNode on
                    ? on.node()
                    : rule.action() instanceof FaultAction.OnPacket on ? on.node() : names.get(0);
            if (!names.contains(node)) {
                throw new ConfigurationException(
                        "fault " + rule.name() + ": no host is called " + node + Nearest.hint(node, names));
            }
        }
    }

    /** An outage of a cable that is not there would be one that nobody notices. */
    private void checkLinks(FaultPlan faults) {
        List<String> cables = wiring.hostLinkNames();
        for (FaultRule rule : faults.rules()) {
            if (rule.action() instanceof FaultAction.LinkDown down && !cables.contains(down.link())) {
                throw new ConfigurationException("fault " + rule.name() + ": no host's cable is called " + down.link()
                        + Nearest.hint(down.link(), cables));
            }
        }
    }

    /** Lets a device hear what the two ends of its cable have agreed; pauses of the whole link are not agreed on. */
    private static void listen(LabHost host, @Nullable LldpAgent agent) {
        if (agent == null) {
            return;
        }
        if (!host.isHardware()) {
            agent.tells(host.soft().settings(), 0, 0);
        } else if (!host.nic().spec().congestion().wholeLink()) {
            agent.tells(host.nic().mac().pause(), TxMac.AGREED, 0);
        }
    }

    /** Lets switches and hosts speak that exchange settings; to be called once. */
    public void start() {
        wiring.start();
    }

    /** Returns how often a rule about a node has struck. */
    public long hits(FaultRule rule) {
        return nodeFaults.stream().mapToLong(node -> node.hits(rule)).sum();
    }

    /** Returns what can go wrong with the host of a number. */
    public HostTroubles troubles(int host) {
        return new HostTroubles(hosts.get(host), wiring.hostLink(host));
    }

    /**
     * Lets nothing pass between two hosts for a time, while each reaches all others; to be called in an event of another node, and only if the
     * {@link FaultPlan} says that more may go wrong than its rules.
     */
    public void part(int host, int other, long now, long ps) {
        wiring.hostLink(host).part(now, LightFrame.mac(other), now + ps);
        wiring.hostLink(other).part(now, LightFrame.mac(host), now + ps);
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

    @Override
    public <T> T await(Completion<T> verb) {
        return HostBuilder.await(sim, verb);
    }
}
