package dev.clockwire.nic.lab;

import dev.clockwire.nic.device.NicDevice;
import dev.clockwire.nic.driver.HwDevice;
import dev.clockwire.nic.mac.LinkLine;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.pcie.fabric.PcieSwitchSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieDevice;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.soft.SoftDevice;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Neighbours;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.MemoryDirectory;
import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.RemoteMemory;
import dev.clockwire.sim.state.Pool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the hosts of a lab: memory, a core, a NIC at one end of a line. They know each other's addresses. */
final class HostBuilder {
    private static final int PCI_ID = 0x0100;
    /** With a switch on bus 39h and its ports on 3Ah, the first device is 3b:00.0. */
    private static final int SWITCH_ID = 0x3900;

    private static final int FIRST_BEHIND = 0x3B00;
    private static final int BUS_SHIFT = 8;
    private static final long CONTROL_LIMIT_PS = 1_000_000_000_000L;

    private final Sim sim;
    private Profile profile;
    private final LabSpec spec;
    private final Neighbours neighbours = new Neighbours();
    private final MemoryDirectory memories = new MemoryDirectory();
    private final Pool<RocePacket> packets = new Pool<>(RocePacket::new);
    private Pool<PauseFrame> pauses = new Pool<>(PauseFrame::new);
    private LabParts parts = LabParts.NONE;

    HostBuilder(Sim sim, Profile profile, LabSpec spec) {
        this.sim = sim;
        this.profile = profile;
        this.spec = spec;
    }

    /** Builds the next hosts of other hardware. */
    HostBuilder withProfile(Profile hardware) {
        profile = hardware;
        return this;
    }

    /** Adds parts behind the hosts' switches. */
    HostBuilder withParts(LabParts more) {
        parts = more;
        return this;
    }

    /** Takes pause frames from the pool of a fabric: they change sides as packets do. */
    HostBuilder withPauses(Pool<PauseFrame> pool) {
        pauses = pool;
        return this;
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
        Host host = root(scope);
        Numbering given = number == 1 ? spec.client() : spec.server();
        Numbering numbering = given == null ? Numbering.counting() : given;
        SoftSpec soft = spec.soft();
        if (soft != null) {
            SoftDevice device = new SoftDevice(scope, "nic", "rxe0", soft, port, neighbours, end, packets, numbering);
            int classes = profile.integer("nic.pfc.classes");
            boolean wholeLink = profile.flag("nic.pause.global");
            if (classes != 0 || wholeLink) {
                device.obeysPauses(pauses, classes, wholeLink);
            }
            return known(new LabHost(name, host, device), port);
        }
        PcieSwitchSpec between = HostParts.pcieSwitch(profile);
        PcieSwitch fabric = between == null ? null : fabric(scope, between, link(name, number));
        HwDevice device = hardware(scope, "", 0, host, number, port, end, numbering, fabric, link(name, number));
        if (fabric != null) {
            parts.behind(sim, name, fabric);
        }
        attach(host, fabric == null ? device.nic().endpoint() : fabric);
        return known(new LabHost(name, host, device, fabric), port);
    }

    /** Builds a host with several NICs behind one PCIe switch, each with a core of its own, at one end of a line each. */
    List<LabHost> sharing(String name, PcieSwitchSpec between, List<PortAddress> ports, List<LinkEnd> ends) {
        Scope scope = sim.root().scope(name);
        Host host = root(scope);
        PcieLinkSpec shared = link(name, 1);
        PcieSwitch fabric = fabric(scope, between, shared);
        List<HwDevice> devices = new ArrayList<>();
        for (int i = 0; i < ports.size(); i++) {
            String suffix = i == 0 ? "" : String.valueOf(i);
            PcieLinkSpec own = i == 0 ? shared : HostParts.pcie(profile);
            devices.add(hardware(
                    scope, suffix, i, host, i + 1, ports.get(i), ends.get(i), Numbering.counting(), fabric, own));
        }
        attach(host, fabric);
        List<LabHost> functions = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            functions.add(known(new LabHost(name, host, devices.get(i), fabric), ports.get(i)));
        }
        return functions;
    }

    private Host root(Scope scope) {
        Host host = new Host(scope, "root", HostParts.host(profile), HostParts.cpu(profile), spec.payload());
        if (spec.sanitizer()) {
            host.sanitize();
        }
        return host;
    }

    private PcieSwitch fabric(Scope scope, PcieSwitchSpec between, PcieLinkSpec whole) {
        return profile.together(
                () -> new PcieSwitch(scope, "pcieSwitch", between, HostParts.above(whole), SWITCH_ID),
                "pcie.switch",
                "pcie.generation",
                "pcie.lanes",
                "pcie.mps");
    }

    private void attach(Host host, PcieDevice device) {
        profile.together(
                () -> host.attach(device, profile.integer("host.numa.nic_node")),
                "host.numa.nic_node",
                "host.numa.nodes");
    }

    private LabHost known(LabHost lab, PortAddress port) {
        neighbours.add(lab.gid(), port.mac());
        neighbours.add(lab.gid6(), port.mac());
        MemorySanitizer sanitizer = lab.host().hostMemory().sanitizer();
        if (sanitizer != null) {
            RemoteMemory place =
                    new RemoteMemory(sanitizer, sanitizer.device(lab.device().name(), ""));
            memories.add(lab.gid().hi(), lab.gid().lo(), place);
            memories.add(lab.gid6().hi(), lab.gid6().lo(), place);
        }
        return lab;
    }

    /** Returns the link of a host, with what happens to its packets: the first host is the client, the second the server. */
    private PcieLinkSpec link(String name, int number) {
        PcieLinkSpec link = HostParts.pcie(profile);
        List<TlpFault> faults =
                number == 1 ? spec.pcie().client() : number == 2 ? spec.pcie().server() : List.of();
        LinkTroubles given = link.troubles();
        LinkTroubles all =
                faults.isEmpty() ? given : new LinkTroubles(given.dataLink(), faults, given.completionTimeoutPs());
        return link.withTroubles(PacketFaults.planned(all, spec.faults(), name));
    }

    /** Builds a NIC, behind a switch or to be attached to the host. */
    private HwDevice hardware(
            Scope scope,
            String suffix,
            int index,
            Host host,
            int number,
            PortAddress port,
            LinkEnd end,
            Numbering numbering,
            @Nullable PcieSwitch fabric,
            PcieLinkSpec whole) {
        PcieEndpoint endpoint = fabric == null
                ? new PcieEndpoint(scope, "pcie" + suffix, whole, PCI_ID)
                : new PcieEndpoint(scope, "pcie" + suffix, HostParts.below(whole), FIRST_BEHIND + (index << BUS_SHIFT));
        NicDevice nic = new NicDevice(
                scope, "nic" + suffix, number, NicSpec.from(profile), endpoint, port, new LinkLine(end), packets);
        nic.parts().sharePauses(pauses);
        end.attach(nic.linePort());
        AtsSpec ats = HostFeatures.ats(profile);
        if (ats != null) {
            endpoint.translate(ats, nic.registers().vectors()::isTarget);
        }
        if (fabric != null) {
            fabric.attach(endpoint);
        }
        return new HwDevice(
                "mlx5_" + index,
                nic,
                host,
                neighbours,
                profile.number("link.gbps"),
                numbering,
                HostFeatures.registration(profile),
                whole.upPs() + whole.downPs() + (fabric == null ? 0 : 2 * fabric.forwardPs()));
    }

    static <T> T await(Sim sim, Completion<T> verb) {
        if (!sim.runUntil(verb::isDone, sim.now() + CONTROL_LIMIT_PS)) {
            throw new ConfigurationException("", sim.now(), "a control verb did not end within 1 s");
        }
        return verb.get();
    }
}
