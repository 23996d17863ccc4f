package dev.clockwire.storage.nvmf.lab;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabParts;
import dev.clockwire.nic.offload.OffloadMemory;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.roce.verbs.DmaBuf;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.bdev.NvmeSsd;
import dev.clockwire.storage.nvmf.initiator.NvmfHost;
import dev.clockwire.storage.nvmf.initiator.PollGroup;
import dev.clockwire.storage.nvmf.initiator.SubsystemAddress;
import dev.clockwire.storage.nvmf.offload.NicOffload;
import dev.clockwire.storage.nvmf.subsystem.NamespaceSpec;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.nvmf.target.NvmfTarget;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.Reactor;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Two hosts of a lab: {@code host0} runs an initiator on reactors, {@code host1} a target on reactors, with its SSDs on the same root complex as
 * its NIC, or behind the same PCIe switch if the NIC has to reach them (a transport with offload). All namespaces of all SSDs are those of one subsystem, in order.
 */
public final class NvmfLab {
    private static final long PATIENCE_PS = 60_000_000_000_000L;
    private static final int BUS_SHIFT = 8;
    private static final int FIRST_BUS = 0x10;
    private static final int SLACK = 256;

    private final NvmfLabSpec spec;
    private final List<NvmeController> controllers = new ArrayList<>();
    private final List<BlockStore> stores = new ArrayList<>();
    private final List<NvmeSsd> ssds = new ArrayList<>();
    private final List<PollGroup> groups = new ArrayList<>();
    private final Lab lab;
    private final Parts parts;
    private @Nullable NicOffload offload;
    private int attached;
    private int openHosts;

    /** What is built while the lab is. */
    private static final class Parts {
        final Reactors hostReactors;
        final Reactors targetReactors;
        final NvmfHost host;
        final Bdevs bdevs;
        final NvmfTarget target;

        Parts(NvmfLabSpec spec, LabHost a, LabHost b) {
            hostReactors = new Reactors(a.host(), spec.hostCores(), spec.reactors());
            StorageThread main = onCore(hostReactors, hostReactors.reactors().get(0), "app");
            host = new NvmfHost(hostReactors, a.device(), main, spec.initiator());
            targetReactors = new Reactors(b.host(), spec.targetCores(), spec.reactors());
            bdevs = new Bdevs(targetReactors, spec.layer());
            StorageThread app = onCore(targetReactors, targetReactors.reactors().get(0), "app_thread");
            target = new NvmfTarget(targetReactors, bdevs, app, spec.target());
        }
    }

    /** Builds the system; SSDs hold zeros in memory. */
    public NvmfLab(NvmfLabSpec spec) {
        this(spec, bdev -> bdev);
    }

    /**
     * Builds the system.
     *
     * @param layer puts what is wanted between a device and the subsystem
     */
    public NvmfLab(NvmfLabSpec spec, Function<Bdev, Bdev> layer) {
        this.spec = spec;
        Parts[] made = new Parts[1];
        lab = Lab.twoHosts(spec.profile(), spec.lab(), new LabParts() {
            @Override
            public void add(Sim sim, LabHost a, LabHost b) {
                made[0] = build(sim, a, b);
            }

            @Override
            public void behind(Sim sim, String host, PcieSwitch fabric) {
                if (spec.transport().offload() && host.equals("host1")) {
                    makeSsds(sim, fabric.lastBus() + 1);
                    controllers.forEach(c -> fabric.attach(c.endpoint()));
                }
            }
        });
        parts = made[0];
        parts.target.addDevice(lab.b().device());
        if (spec.transport().offload()) {
            if (lab.b().offload() != null && lab.b().pcieSwitch() == null) {
                throw new ConfigurationException("offload: the NIC reaches SSDs behind its own PCIe switch only:"
                        + " pcie.switch is none; it could be gen5");
            }
            NicOffload nic = new NicOffload(
                    lab.b().device(),
                    lab.b().offload(),
                    lab.b().core(),
                    spec.transport().offloadMemory());
            offload = nic;
            parts.target.offloadBy(nic);
        }
        parts.target.createTransport(spec.transport());
        for (NvmeSsd ssd : ssds) {
            ssd.attach(() -> attached++);
        }
        parts.host.limitMtu(Mtu.ofBytes(spec.profile().integer("link.mtu")));
        parts.host.open(spec.times(), lab.sim().random("host0.cm"), () -> openHosts++);
        await(() -> attached == ssds.size() && openHosts == 1 && parts.target.isReady(), "be built");
        offer(layer);
    }

    private static StorageThread onCore(Reactors reactors, Reactor r, String name) {
        return reactors.thread(name, CoreMask.parse("[" + r.lcore() + "]"));
    }

    private Parts build(Sim sim, LabHost a, LabHost b) {
        Parts p = new Parts(spec, a, b);
        int depth = spec.initiator().ioEntries();
        int perGroup =
                (spec.initiator().ioQueues() - 1) / p.hostReactors.reactors().size() + 1;
        for (Reactor r : p.hostReactors.reactors()) {
            StorageThread t = groups.isEmpty() ? p.host.main() : onCore(p.hostReactors, r, "worker" + r.lcore());
            groups.add(p.host.group(t, 2 * depth * perGroup + SLACK));
        }
        if (controllers.isEmpty()) {
            makeSsds(sim, FIRST_BUS);
            controllers.forEach(c -> b.host().attach(c.endpoint(), 0));
        }
        int queues = p.targetReactors.reactors().size() + (spec.transport().offload() ? 2 : 1);
        for (int i = 0; i < controllers.size(); i++) {
            long bar = controllers.get(i).endpoint().barAddress(0);
            NvmeSsd.Spec use = NvmeSsd.Spec.of(queues).withTimeout(spec.ssdTimeoutPs());
            long cmb = controllers.get(i).spec().memory().cmbBytes();
            if (spec.transport().offloadMemory() == OffloadMemory.Place.CONTROLLER) {
                NicOffload.checkMemory("ssd" + i, cmb, spec.profile().integer("nic.nvmf.contexts"));
            }
            if (cmb > 0) {
                use = use.withControllerMemory(new DmaBuf(
                        "ssd" + i + ".cmb", controllers.get(i).endpoint().barAddress(2), cmb));
            }
            ssds.add(new NvmeSsd(p.bdevs, "Nvme" + i, p.target.app(), bar, use));
        }
        return p;
    }

    private void makeSsds(Sim sim, int bus) {
        for (int i = 0; i < spec.ssds().size(); i++) {
            NvmeSpec ssd = spec.ssds().get(i);
            List<BlockStore> own = new ArrayList<>();
            for (var n : ssd.namespaces()) {
                own.add(new MemoryStore(
                        "ssd" + i + ".ns" + (own.size() + 1),
                        n.blockBytes(),
                        n.blocks(),
                        spec.lab().payload()));
            }
            stores.addAll(own);
            controllers.add(new NvmeController(sim.root(), "ssd" + i, ssd, (bus + i) << BUS_SHIFT, own));
        }
    }

    private void offer(Function<Bdev, Bdev> layer) {
        Subsystem s = parts.target.createSubsystem(SubsystemSpec.of(NvmfLabSpec.SUBSYSTEM)
                .withNames("SPDK00000000000001", "SPDK bdev Controller")
                .withAnyHost(true));
        for (NvmeSsd ssd : ssds) {
            if (!ssd.failure().isEmpty()) {
                throw new ConfigurationException(ssd.name(), sim().now(), "cannot be attached: " + ssd.failure());
            }
            ssd.devices().forEach(d -> s.addNamespace(layer.apply(d), NamespaceSpec.any()));
        }
        parts.target.addListener(
                s, TransportId.rdma(address().address(), address().service()));
    }

    /** Runs the simulation until something is so. */
    public void await(BooleanSupplier what, String words) {
        if (!sim().runUntil(what, sim().now() + PATIENCE_PS)) {
            throw new ConfigurationException("nvmf", sim().now(), "does not come to " + words);
        }
    }

    /** Returns where the subsystem is. */
    public SubsystemAddress address() {
        return new SubsystemAddress("10.0.0.2", SubsystemAddress.PORT, NvmfLabSpec.SUBSYSTEM);
    }

    /** Returns what it was built of. */
    public NvmfLabSpec spec() {
        return spec;
    }

    /** Returns the simulation. */
    public Sim sim() {
        return lab.sim();
    }

    /** Returns hosts, NICs and line. */
    public Lab lab() {
        return lab;
    }

    /** Returns the initiator's process. */
    public NvmfHost host() {
        return parts.host;
    }

    /** Returns the initiator's poll groups, one on each of its cores. */
    public List<PollGroup> groups() {
        return List.copyOf(groups);
    }

    /** Returns the target. */
    public NvmfTarget target() {
        return parts.target;
    }

    /** Returns the offload of the target's NIC; null if the transport does without. */
    public @Nullable NicOffload offload() {
        return offload;
    }

    /** Returns the target's reactors. */
    public Reactors targetReactors() {
        return parts.targetReactors;
    }

    /** Returns the initiator's reactors. */
    public Reactors hostReactors() {
        return parts.hostReactors;
    }

    /** Returns the SSDs. */
    public List<NvmeController> controllers() {
        return List.copyOf(controllers);
    }

    /** Returns the SSDs as the target drives them. */
    public List<NvmeSsd> ssds() {
        return List.copyOf(ssds);
    }

    /** Returns what the namespaces hold, in their order. */
    public List<BlockStore> stores() {
        return List.copyOf(stores);
    }
}
