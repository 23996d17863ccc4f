package dev.clockwire.bench.rpc;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SoloLab;
import dev.clockwire.nic.offload.OffloadMemory;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.roce.verbs.DmaBuf;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.app.Machine;
import dev.clockwire.storage.nvmf.offload.NicOffload;
import dev.clockwire.storage.nvmf.target.TargetOffload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The machine that a simulated target runs on. Where nothing is said, it fits the configuration file: the SSDs are where that attaches them,
 * the NIC has the address of the first listener.
 *
 * @param profile its NIC and host
 * @param seed of the simulation
 * @param ssds SSDs, none = those of the file, or one
 * @param media of SSDs that are not named
 * @param address IPv4 address of the NIC, empty = that of the file, or 10.0.0.2
 * @param controllerMemory bytes of the controller memory buffer of each SSD, 0 = they have none
 */
public record TargetMachine(
        Profile profile, long seed, List<Ssd> ssds, String media, String address, long controllerMemory) {
    /** Where an SSD is that nobody has given a place: the article's. */
    public static final String FIRST_SSD = "0000:3b:00.0";

    private static final String ADDRESS = "10.0.0.2";
    private static final long MAC = 0x0200_0000_0002L;

    /**
     * An SSD.
     *
     * @param address PCI address
     * @param media name of its media
     */
    public record Ssd(String address, String media) {
        /** Checks both. */
        public Ssd {
            address = Machine.unified(address);
            NvmeSpec.of(media);
        }

        private int id() {
            int bus = Integer.parseInt(address.substring(5, 7), 16);
            int device = Integer.parseInt(address.substring(8, 10), 16);
            return bus << 8 | device << 3 | address.charAt(11) - '0';
        }
    }

    /** Checks the values. */
    public TargetMachine {
        ssds = List.copyOf(ssds);
        NvmeSpec.of(media).withControllerMemory(controllerMemory);
        if (!address.isEmpty() && !isIpv4(address)) {
            throw new ConfigurationException("address '" + address + "' is no IPv4 address");
        }
        if (ssds.stream().map(Ssd::address).distinct().count() < ssds.size()) {
            throw new ConfigurationException("two SSDs have the same PCI address");
        }
    }

    static boolean isIpv4(String text) {
        return text.matches("(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])){3}");
    }

    /** Builds it for a file. */
    public Machine build(ConfigFile file) {
        List<Ssd> wanted = ssds.isEmpty() ? ofFile(file) : ssds;
        String ip = address.isEmpty() ? file.address() : address;
        PortAddress port = new PortAddress(MAC, ipv4(ip.isEmpty() ? ADDRESS : ip), 0xFD00L << 48, 2);
        LabSpec lab = LabSpec.of(seed)
                .withPayload(PayloadMode.BYTES)
                .withKernel(SimSpec.of(seed).withWatchdogPs(0));
        List<NvmeController> controllers = new ArrayList<>();
        boolean offloads = profile.integer("nic.nvmf.contexts") > 0
                && !profile.text("pcie.switch").equals("none");
        SoloLab built = SoloLab.of(
                profile,
                lab,
                port,
                (root, end) -> end.attach(new LooseEnd(root).line()),
                host -> {
                    if (controllers.isEmpty()) {
                        wanted.forEach(s -> controllers.add(attach(host, s, controllers.size())));
                    }
                },
                fabric -> {
                    if (offloads) { // where the NIC reaches them
                        wanted.forEach(s -> controllers.add(attach(fabric, s, controllers.size())));
                    }
                });
        List<Machine.Ssd> places = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            places.add(place(wanted.get(i), controllers.get(i), i));
        }
        LabHost host = built.host();
        @Nullable
        Function<OffloadMemory.Place, TargetOffload> offload =
                offloads ? place -> offload(host, controllers, place) : null;
        return new Machine(host.host(), List.of(host.device()), places, offload);
    }

    private static Machine.Ssd place(Ssd ssd, NvmeController c, int number) {
        long bytes = c.spec().memory().cmbBytes();
        DmaBuf memory = bytes == 0
                ? null
                : new DmaBuf("ssd" + number + ".cmb", c.endpoint().barAddress(2), bytes);
        return new Machine.Ssd(ssd.address(), c.endpoint().barAddress(0), memory);
    }

    private TargetOffload offload(LabHost host, List<NvmeController> ssds, OffloadMemory.Place place) {
        if (place == OffloadMemory.Place.CONTROLLER) {
            for (int i = 0; i < ssds.size(); i++) {
                long bytes = ssds.get(i).spec().memory().cmbBytes();
                NicOffload.checkMemory("ssd" + i, bytes, profile.integer("nic.nvmf.contexts"));
            }
        }
        return new NicOffload(host.device(), host.offload(), host.core(), place);
    }

    private List<Ssd> ofFile(ConfigFile file) {
        List<Ssd> found = new ArrayList<>();
        for (String at : file.ssds()) {
            if (isPci(at) && found.stream().noneMatch(s -> s.address().equals(Machine.unified(at)))) {
                found.add(new Ssd(at, media));
            }
        }
        return found.isEmpty() ? List.of(new Ssd(FIRST_SSD, media)) : found;
    }

    /** What is no address is refused when the call is made. */
    private static boolean isPci(String text) {
        try {
            return !Machine.unified(text).isEmpty();
        } catch (ConfigurationException e) {
            return false;
        }
    }

    private NvmeController attach(LabHost host, Ssd ssd, int number) {
        NvmeController c = make(host.host().sim().root(), ssd, number, ssd.id());
        host.host().attach(c.endpoint(), 0);
        return c;
    }

    /** Behind a switch buses are numbered in order; the address is a name then. */
    private NvmeController attach(PcieSwitch fabric, Ssd ssd, int number) {
        NvmeController c = make(fabric.sim().root(), ssd, number, (fabric.lastBus() + 1) << Byte.SIZE);
        fabric.attach(c.endpoint());
        return c;
    }

    private NvmeController make(Scope root, Ssd ssd, int number, int id) {
        NvmeSpec spec = NvmeSpec.of(ssd.media()).withControllerMemory(controllerMemory);
        List<BlockStore> stores = new ArrayList<>();
        for (NamespaceSpec n : spec.namespaces()) {
            stores.add(new MemoryStore(
                    "ssd" + number + ".ns" + (stores.size() + 1), n.blockBytes(), n.blocks(), PayloadMode.BYTES));
        }
        return new NvmeController(root, "ssd" + number, spec, id, stores);
    }

    private static int ipv4(String text) {
        int ip = 0;
        for (String part : text.split("\\.", -1)) {
            ip = ip << 8 | Integer.parseInt(part);
        }
        return ip;
    }
}
