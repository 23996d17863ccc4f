package dev.clockwire.nic.lab;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.pcie.fabric.PcieSwitchSpec;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One host with two NICs that share a PCIe link: both are behind one switch. Each NIC has a core of the host and a line of its own, with a
 * host of its own at the other end. NIC n of the host is 10.0.0.1 and 10.0.0.2, {@code peer0} and {@code peer1} are 10.0.0.3 and 10.0.0.4.
 * Faults of packets on PCIe are those of {@code host0}, on the shared link and in front of its first NIC, and of the peers.
 */
public final class SharedLinkLab implements LabControl {
    private static final int FUNCTIONS = 2;
    private static final List<String> HOSTS = List.of("host0", "peer0", "peer1");
    private static final int NETWORK = 10 << 24;
    private static final long NETWORK_6 = 0xFD00_0000_0000_0000L;
    private static final long MAC = 0x0200_0000_0000L;

    private final Sim sim;
    private final List<Link> links = new ArrayList<>();
    private final List<LabHost> functions;
    private final List<LabHost> peers = new ArrayList<>();

    private SharedLinkLab(Profile profile, LabSpec spec) {
        if (spec.client() != null || spec.server() != null || spec.soft() != null) {
            throw new ConfigurationException(
                    "two NICs on one link: they are hardware, and numbers of queue pairs and keys cannot be given");
        }
        refuseFaults(spec);
        PcieSwitchSpec between = HostParts.pcieSwitch(profile);
        if (between == null) {
            throw new ConfigurationException("pcie.switch=none: two NICs on one link need a switch");
        }
        if (HostParts.between(profile) != null) {
            throw new ConfigurationException("link.switch=" + profile.text("link.switch")
                    + ": these hosts are joined back to back, allowed is none");
        }
        sim = new Sim(spec.kernel());
        if (spec.journeys() > 0) {
            sim.enableJourneys(spec.journeys());
        }
        LinkSpec line = HostParts.line(profile);
        for (int i = 0; i < FUNCTIONS; i++) {
            Link link = new Link(sim.root(), "link" + i, line, spec.faults());
            link.a().register(sim.stats());
            link.b().register(sim.stats());
            links.add(link);
        }
        HostBuilder builder = new HostBuilder(sim, profile, spec);
        functions = builder.sharing(
                "host0",
                between,
                List.of(address(1), address(2)),
                links.stream().map(Link::a).toList());
        for (int i = 0; i < FUNCTIONS; i++) {
            int number = FUNCTIONS + 1 + i;
            LabHost peer = builder.host(
                    "peer" + i, number, address(number), links.get(i).b());
            peers.add(peer);
            long delay = HostParts.pauseDelay(line);
            peer.nic().receiver().holds(functions.get(i).nic().mac().pause(), delay);
            functions.get(i).nic().receiver().holds(peer.nic().mac().pause(), delay);
        }
        sim.elaborate();
        links.forEach(Link::start);
    }

    /**
     * Builds the lab.
     *
     * @throws ConfigurationException if the profile has no PCIe switch, has one between the hosts, or a value of it cannot be used
     */
    public static SharedLinkLab of(Profile profile, LabSpec spec) {
        return new SharedLinkLab(profile, spec);
    }

    /** The client's faults are those of the shared link; there is no server, and nothing happens to hosts here. */
    private static void refuseFaults(LabSpec spec) {
        if (!spec.pcie().server().isEmpty()) {
            throw new ConfigurationException("PCIe faults of the server: two NICs on one link have no second host,"
                    + " allowed are those of the client, whose link they share");
        }
        for (FaultRule rule : spec.faults().rules()) {
            if (rule.action() instanceof FaultAction.OnNode on) {
                throw new ConfigurationException("fault " + rule.name() + " of " + on.node() + ": "
                        + on.what().text() + " cannot happen to a host whose NICs share a link");
            }
            if (rule.action() instanceof FaultAction.OnPacket on && !HOSTS.contains(on.node())) {
                throw new ConfigurationException("fault " + rule.name() + ": there is no host '" + on.node() + "'"
                        + Nearest.hint(on.node(), HOSTS));
            }
        }
    }

    private static PortAddress address(int number) {
        return new PortAddress(MAC + number, NETWORK + number, NETWORK_6, number);
    }

    /** Returns the simulation. */
    public Sim sim() {
        return sim;
    }

    /** Returns the host as the core and NIC with a number see it: 0 or 1. */
    public LabHost function(int i) {
        return functions.get(i);
    }

    /** Returns the host at the other end of a NIC's line. */
    public LabHost peer(int i) {
        return peers.get(i);
    }

    /** Returns the line of a NIC. */
    public Link link(int i) {
        return links.get(i);
    }

    /** Returns the switch that both NICs are behind. */
    public PcieSwitch pcieSwitch() {
        return Objects.requireNonNull(functions.get(0).pcieSwitch());
    }

    @Override
    public <T> T await(Completion<T> verb) {
        return HostBuilder.await(sim, verb);
    }
}
