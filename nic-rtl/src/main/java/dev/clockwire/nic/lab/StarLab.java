package dev.clockwire.nic.lab;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.fabric.Switch;
import dev.clockwire.roce.fabric.SwitchSpec;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts with a NIC each around one switch: {@code host0} is 10.0.0.1, {@code host1} 10.0.0.2, and so on. The line of host n is {@code link<n>}, with the
 * host at its end {@code a}. A rule of the fault plan that is about frames counts on each line for itself. No pause frames pass the switch.
 */
public final class StarLab implements LabControl {
    /** Most hosts. */
    public static final int MAX_HOSTS = 64;

    private static final int NETWORK = 10 << 24;
    private static final long NETWORK_6 = 0xFD00_0000_0000_0000L;
    private static final long MAC = 0x0200_0000_0000L;

    private final Sim sim;
    private final List<Link> links = new ArrayList<>();
    private final List<LabHost> hosts = new ArrayList<>();
    private final Switch hub;

    private StarLab(Profile profile, LabSpec spec, int count) {
        if (count < 2 || count > MAX_HOSTS) {
            throw new ConfigurationException("a star of " + count + " hosts: must be 2.." + MAX_HOSTS);
        }
        if (spec.client() != null || spec.server() != null) {
            throw new ConfigurationException("a star of hosts: numbers of queue pairs and keys cannot be given");
        }
        SwitchSpec between = HostParts.between(profile);
        if (between == null) {
            throw new ConfigurationException("link.switch=none: a star of hosts needs a switch");
        }
        sim = new Sim(spec.kernel());
        if (spec.journeys() > 0) {
            sim.enableJourneys(spec.journeys());
        }
        LinkSpec line = HostParts.line(profile);
        LinkSpec inward = line.withAtFirstBit(between.cutThrough());
        hub = new Switch(sim.root(), "switch", between);
        hub.register(sim.stats());
        HostBuilder builder = new HostBuilder(sim, profile, spec);
        List<NodeFaults> faults = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Link link = new Link(sim.root(), "link" + i, inward, line, spec.faults());
            link.a().register(sim.stats());
            link.b().register(sim.stats());
            int number = i + 1;
            hub.attach(link.b(), MAC + number);
            PortAddress address = new PortAddress(MAC + number, NETWORK + number, NETWORK_6, number);
            LabHost host = builder.host("host" + i, number, address, link.a());
            links.add(link);
            hosts.add(host);
            if (!spec.faults().isEmpty()) {
                faults.add(new NodeFaults(sim.root(), host, link, spec.faults()));
            }
        }
        sim.elaborate();
        links.forEach(Link::start);
        faults.forEach(NodeFaults::start);
    }

    /**
     * Builds the lab.
     *
     * @param hosts 2 to {@link #MAX_HOSTS}
     * @throws ConfigurationException if there are too few or too many hosts, the profile has no switch, or a value of it cannot be used
     */
    public static StarLab of(Profile profile, LabSpec spec, int hosts) {
        return new StarLab(profile, spec, hosts);
    }

    /** Returns the simulation. */
    public Sim sim() {
        return sim;
    }

    /** Returns how many hosts there are. */
    public int size() {
        return hosts.size();
    }

    /** Returns a host, from 0. */
    public LabHost host(int i) {
        return hosts.get(i);
    }

    /** Returns the line between a host and the switch. */
    public Link link(int i) {
        return links.get(i);
    }

    /** Returns the switch in the middle. */
    public Switch hub() {
        return hub;
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
