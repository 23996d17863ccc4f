package dev.clockwire.nic.lab;

import dev.clockwire.nic.device.NicDevice;
import dev.clockwire.nic.driver.HwDevice;
import dev.clockwire.nic.mac.LinkLine;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.soft.SoftDevice;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Neighbours;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.roce.verbs.VerbsProvider;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Pool;
import java.util.List;

/** Builds the hosts of a lab: memory, a core, a NIC at one end of a line. They know each other's addresses. */
final class HostBuilder {
    private static final int PCI_ID = 0x0100;
    private static final long CONTROL_LIMIT_PS = 1_000_000_000_000L;

    private final Sim sim;
    private final Profile profile;
    private final LabSpec spec;
    private final Neighbours neighbours = new Neighbours();
    private final Pool<RocePacket> packets = new Pool<>(RocePacket::new);

    HostBuilder(Sim sim, Profile profile, LabSpec spec) {
        this.sim = sim;
        this.profile = profile;
        this.spec = spec;
    }

    Neighbours neighbours() {
        return neighbours;
    }

    /**
     * Builds a host.
     *
     * @param number of the host, part of its journeys' numbers
     * @param end of a line, for its NIC
     */
    LabHost host(String name, int number, PortAddress port, LinkEnd end) {
        Scope scope = sim.root().scope(name);
        Host host = new Host(scope, "root", HostParts.host(profile), HostParts.cpu(profile), spec.payload());
        Numbering given = number == 1 ? spec.client() : spec.server();
        Numbering numbering = given == null ? Numbering.counting() : given;
        SoftSpec soft = spec.soft();
        VerbsProvider provider = soft == null
                ? hardware(scope, host, number, port, end, numbering)
                : new SoftDevice(scope, "nic", "rxe0", soft, port, neighbours, end, packets, numbering);
        LabHost lab = new LabHost(name, host, provider);
        neighbours.add(lab.gid(), port.mac());
        neighbours.add(lab.gid6(), port.mac());
        return lab;
    }

    private PcieLinkSpec link(int number) {
        PcieLinkSpec link = HostParts.pcie(profile);
        List<TlpFault> faults = number == 1 ? spec.pcie().client() : spec.pcie().server();
        LinkTroubles given = link.troubles();
        return faults.isEmpty()
                ? link
                : link.withTroubles(new LinkTroubles(given.dataLink(), faults, given.completionTimeoutPs()));
    }

    private HwDevice hardware(Scope scope, Host host, int number, PortAddress port, LinkEnd end, Numbering numbering) {
        PcieEndpoint endpoint = new PcieEndpoint(scope, "pcie", link(number), PCI_ID);
        NicSpec nicSpec = NicSpec.from(profile);
        NicDevice nic = new NicDevice(scope, "nic", number, nicSpec, endpoint, port, new LinkLine(end), packets);
        end.attach(nic.linePort());
        host.attach(endpoint, profile.integer("host.numa.nic_node"));
        return new HwDevice(
                "mlx5_0",
                nic,
                host,
                neighbours,
                profile.number("link.gbps"),
                numbering,
                HostFeatures.registration(profile));
    }

    static <T> T await(Sim sim, Completion<T> verb) {
        if (!sim.runUntil(verb::isDone, sim.now() + CONTROL_LIMIT_PS)) {
            throw new ConfigurationException("", sim.now(), "a control verb did not end within 1 s");
        }
        return verb.get();
    }
}
