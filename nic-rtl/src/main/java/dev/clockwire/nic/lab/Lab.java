package dev.clockwire.nic.lab;

import dev.clockwire.nic.device.NicDevice;
import dev.clockwire.nic.driver.HwDevice;
import dev.clockwire.nic.mac.LinkLine;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.roce.fabric.FrameTap;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Neighbours;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Pool;

/**
 * Two hosts with a NIC each, joined back to back. {@code host0} is 10.0.0.1 and the client of a benchmark, {@code host1} is
 * 10.0.0.2.
 */
public final class Lab {
    private static final int PCI_ID = 0x0100;
    private static final int NETWORK = 10 << 24;
    private static final long NETWORK_6 = 0xFD00_0000_0000_0000L;
    private static final long MAC = 0x0200_0000_0000L;
    private static final long CONTROL_LIMIT_PS = 1_000_000_000_000L;

    private final Sim sim;
    private final Profile profile;
    private final Link link;
    private final Neighbours neighbours = new Neighbours();
    private final Pool<RocePacket> packets = new Pool<>(RocePacket::new);
    private final LabHost a;
    private final LabHost b;

    private Lab(Profile profile, LabSpec spec) {
        this.profile = profile;
        sim = new Sim(spec.kernel());
        if (spec.journeys() > 0) {
            sim.enableJourneys(spec.journeys());
        }
        link = new Link(sim.root(), "link", HostParts.line(profile));
        link.a().register(sim.stats());
        link.b().register(sim.stats());
        a = host(1, link.a(), spec);
        b = host(2, link.b(), spec);
        long delay = HostParts.pauseDelay(link.spec());
        a.nic().receiver().holds(b.nic().mac().pause(), delay);
        b.nic().receiver().holds(a.nic().mac().pause(), delay);
        sim.elaborate();
    }

    /**
     * Builds the lab.
     *
     * @throws ConfigurationException if a value of the profile cannot be used
     */
    public static Lab twoHosts(Profile profile, LabSpec spec) {
        return new Lab(profile, spec);
    }

    private LabHost host(int number, LinkEnd end, LabSpec spec) {
        Scope scope = sim.root().scope("host" + (number - 1));
        Host host = new Host(scope, "root", HostParts.host(profile), HostParts.cpu(profile), spec.payload());
        PcieEndpoint endpoint = new PcieEndpoint(scope, "pcie", HostParts.pcie(profile), PCI_ID);
        PortAddress port = new PortAddress(MAC + number, NETWORK + number, NETWORK_6, number);
        NicSpec nicSpec = NicSpec.from(profile);
        NicDevice nic = new NicDevice(scope, "nic", number, nicSpec, endpoint, port, new LinkLine(end), packets);
        end.attach(nic.linePort());
        host.attach(endpoint, 0);
        HwDevice provider = new HwDevice("mlx5_0", nic, host, neighbours, profile.number("link.gbps"));
        LabHost lab = new LabHost(host, nic, provider);
        neighbours.add(lab.gid(), port.mac());
        neighbours.add(lab.gid6(), port.mac());
        return lab;
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

    /** Returns the link between the NICs. */
    public Link link() {
        return link;
    }

    /** Observes every frame once, at the end that sends it. */
    public void tapFrames(FrameTap tap) {
        link.a().tap(tap);
        link.b().tap(tap);
    }

    /**
     * Runs the simulation until a control verb has ended, and returns what it gave.
     *
     * @throws ConfigurationException if it does not end within a second of simulated time
     */
    public <T> T await(Completion<T> verb) {
        if (!sim.runUntil(verb::isDone, sim.now() + CONTROL_LIMIT_PS)) {
            throw new ConfigurationException("", sim.now(), "a control verb did not end within 1 s");
        }
        return verb.get();
    }
}
