package dev.clockwire.nic.lab;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Neighbours;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.function.Consumer;

/** One host with a NIC. The other end of its line belongs to whoever plays the peer: a capture, or a real machine. */
public final class SoloLab implements LabControl {
    private final Sim sim;
    private final Link link;
    private final Neighbours neighbours;
    private final LabHost host;

    private SoloLab(
            Profile profile,
            LabSpec spec,
            PortAddress address,
            Peer peer,
            Consumer<LabHost> parts,
            Consumer<PcieSwitch> behind) {
        sim = new Sim(spec.kernel());
        link = new Link(sim.root(), "link", HostParts.line(profile), spec.faults());
        link.a().register(sim.stats());
        link.b().register(sim.stats());
        HostBuilder builder = new HostBuilder(sim, profile, spec).withParts(new LabParts() {
            @Override
            public void add(Sim all, LabHost a, LabHost b) {
                // there is no second host
            }

            @Override
            public void behind(Sim all, String host, PcieSwitch fabric) {
                behind.accept(fabric);
            }
        });
        neighbours = builder.neighbours();
        host = builder.host("host0", 1, address, link.a());
        peer.attach(sim.root(), link.b());
        parts.accept(host);
        NodeFaults faults = spec.faults().isEmpty() ? null : new NodeFaults(sim.root(), host, link, spec.faults());
        sim.elaborate();
        link.start();
        if (faults != null) {
            faults.start();
        }
    }

    /** Builds what is at the other end of the line. */
    @FunctionalInterface
    public interface Peer {
        /** Attaches a port of its own node to the free end; the design is not elaborated yet. */
        void attach(Scope root, LinkEnd end);
    }

    /**
     * Builds the lab.
     *
     * @param address of the NIC
     * @param peer what is at the other end of the line
     * @throws ConfigurationException if a value of the profile cannot be used
     */
    public static SoloLab of(Profile profile, LabSpec spec, PortAddress address, Peer peer) {
        return of(profile, spec, address, peer, host -> {});
    }

    /**
     * Builds the lab with more in its host; see {@link #of(Profile, LabSpec, PortAddress, Peer)}.
     *
     * @param parts adds cores and devices; the NIC is there, the design is not elaborated yet
     */
    public static SoloLab of(Profile profile, LabSpec spec, PortAddress address, Peer peer, Consumer<LabHost> parts) {
        return of(profile, spec, address, peer, parts, fabric -> {});
    }

    /**
     * Builds the lab with more behind the host's PCIe switch too; see {@link #of(Profile, LabSpec, PortAddress, Peer, Consumer)}.
     *
     * @param behind adds devices to the switch, if the profile has one: the NIC is there, the switch is not attached yet
     */
    public static SoloLab of(
            Profile profile,
            LabSpec spec,
            PortAddress address,
            Peer peer,
            Consumer<LabHost> parts,
            Consumer<PcieSwitch> behind) {
        return new SoloLab(profile, spec, address, peer, parts, behind);
    }

    /** Returns the simulation. */
    public Sim sim() {
        return sim;
    }

    /** Returns the host. */
    public LabHost host() {
        return host;
    }

    /** Returns the line; its end {@code b} is the peer's. */
    public Link link() {
        return link;
    }

    /** Returns the addresses that the host knows; the peer's must be added before a queue pair is connected. */
    public Neighbours neighbours() {
        return neighbours;
    }

    @Override
    public <T> T await(Completion<T> verb) {
        return HostBuilder.await(sim, verb);
    }
}
