package dev.clockwire.bench.storage;

import dev.clockwire.bench.text.Count;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.ceph.Ceph;
import dev.clockwire.storage.ceph.CephModel;
import dev.clockwire.storage.ceph.CephSpec;
import dev.clockwire.storage.ceph.CephSystem;
import dev.clockwire.storage.ceph.osd.OsdSpec;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.daos.Daos;
import dev.clockwire.storage.daos.DaosSystem;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.load.StorageSystem;
import dev.clockwire.storage.threefs.ThreeFs;
import dev.clockwire.storage.threefs.ThreeFsSystem;
import dev.clockwire.storage.threefs.chunk.ChunkStore;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Notice;
import dev.clockwire.storage.threefs.rpc.SlotShares;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ReadRule;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import dev.clockwire.storage.threefs.server.Watch;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/** Builds the system of a name. */
public final class StorageSystems {
    private static final int PAGE = 4096;
    private static final long US = 1_000_000L;
    private static final int SPARE_BLOCKS = 256;
    private static final int LEAST_BUFFERS = 64;
    private static final int BUFFERS = 1024;

    private static final Map<String, BiFunction<StorageSpec, FaultPlan, StorageSystem>> SYSTEMS = new TreeMap<>(Map.of(
            "ceph", (s, f) -> ceph(s, f, CephModel.CLASSIC),
            "ceph-crimson-rdma", (s, f) -> ceph(s, f, CephModel.CRIMSON_RDMA),
            "3fs", (s, f) -> threeFs(s, f, DataPath.PULL),
            "3fs-push", (s, f) -> threeFs(s, f, DataPath.PUSH),
            "3fs-inline", (s, f) -> threeFs(s, f, DataPath.INLINE),
            "daos", StorageSystems::daos));

    private StorageSystems() {}

    /** Returns the names. */
    public static List<String> names() {
        return List.copyOf(SYSTEMS.keySet());
    }

    /**
     * Returns whether there is a system of a name.
     *
     * @throws ConfigurationException if it is one that cannot be
     */
    public static boolean isKnown(String name) {
        if (name.equals("ceph-crimson")) {
            CephModel.of("crimson"); // says why not
        }
        return SYSTEMS.containsKey(name);
    }

    /** Returns the steps of a system's protocol, by which faults are set off. */
    public static List<String> steps(String system) {
        if (system.equals("daos")) {
            return dev.clockwire.storage.daos.engine.Watch.STEPS;
        }
        return system.startsWith("ceph") ? dev.clockwire.storage.ceph.osd.Watch.STEPS : Watch.STEPS;
    }

    /**
     * Builds a system; nothing runs on it yet.
     *
     * @param faults in place of those of the specification
     * @throws ConfigurationException if there is none of that name, or it cannot be built so
     */
    static StorageSystem build(StorageSpec spec, FaultPlan faults) {
        BiFunction<StorageSpec, FaultPlan, StorageSystem> how = SYSTEMS.get(spec.system());
        if (!isKnown(spec.system()) || how == null) {
            throw new ConfigurationException(
                    "unknown storage system '" + spec.system() + "'" + Nearest.hint(spec.system(), names()));
        }
        if (spec.replicas() > spec.nodes()) {
            throw new ConfigurationException(
                    spec.replicas() + " replicas on " + spec.nodes() + " storage nodes: must be 1 to " + spec.nodes());
        }
        if (spec.load().size() > spec.chunk()) {
            throw new ConfigurationException("values of " + spec.load().size() + " B in chunks of " + spec.chunk()
                    + " B: must be 512 to " + spec.chunk());
        }
        moves(spec);
        refuseOthers(spec);
        return how.apply(spec, faults);
    }

    /** Options of 3FS are of no other system. */
    private static void moves(StorageSpec spec) {
        List<String> own = names().stream().filter(n -> n.startsWith("3fs")).toList();
        if (!own.contains(spec.system())
                && !spec.software().transfer().options().isEmpty()) {
            throw new ConfigurationException(
                    spec.software().transfer().options().get(0) + ": " + spec.system() + " has no such option; only "
                            + String.join(", ", own) + " have");
        }
        if (spec.software().slots() > 0 && !spec.system().equals("3fs-push")) {
            throw new ConfigurationException(
                    "slots " + spec.software().slots() + ": " + spec.system() + " grants none; only 3fs-push does");
        }
    }

    /** What software copies must be there. */
    private static void bytes(StorageSpec spec, DataPath path) {
        if (spec.payload() != PayloadMode.SIZES) {
            return;
        }
        Transfer t = spec.software().transfer();
        if (path == DataPath.INLINE) {
            throw new ConfigurationException(
                    "values ride in requests of 3fs-inline as bytes: --payload sizes has none; must be bytes");
        }
        if (t.notice() == Notice.IMM || t.forward() == Forwarding.ARTICLE) {
            throw new ConfigurationException("requests lie in slots as bytes with "
                    + t.options().get(0) + ": --payload sizes has none; must be bytes");
        }
    }

    /** Slots of each writer of a node for each place: clients, and whoever may stand before it in a chain. */
    private static int slots(StorageSpec spec, int usual) {
        int shares = new SlotShares(spec.clients(), spec.nodes(), spec.replicas()).count();
        if (spec.software().slots() == 0) {
            return usual;
        }
        if (spec.software().slots() < shares) {
            throw new ConfigurationException(spec.software().slots() + " slots of a node with "
                    + (spec.clients() + spec.nodes() - 1) + " writers (" + Count.of(spec.clients(), "client") + ", "
                    + Count.of(spec.nodes() - 1, "node") + "): must be " + shares
                    + " or more, each client has one, each node one for each place behind a head");
        }
        return spec.software().slots() / shares;
    }

    /** What one system has and another not is refused there, not passed over. */
    private static void refuseOthers(StorageSpec spec) {
        if (spec.software().registrationCache() && !spec.system().equals("daos")) {
            throw new ConfigurationException("a cache of registrations: " + spec.system()
                    + " does not register memory for each transfer; only daos does");
        }
        if (spec.software().osdUs() >= 0 && !spec.system().startsWith("ceph")) {
            throw new ConfigurationException("time of an OSD: " + spec.system() + " has none; only ceph has");
        }
        if (spec.scale().targets() != 1 && !spec.system().equals("daos")) {
            throw new ConfigurationException(
                    "targets " + spec.scale().targets() + ": " + spec.system() + " has no engines; only daos has");
        }
        if (spec.scale().reactors() != 1 && !spec.system().equals("ceph-crimson-rdma")) {
            throw new ConfigurationException("shards " + spec.scale().reactors() + ": " + spec.system()
                    + " has no reactors; only ceph-crimson-rdma has");
        }
        if (spec.software().pollingUs() >= 0 && !spec.system().equals("ceph")) {
            throw new ConfigurationException("polling_us: " + spec.system() + " has no polling thread; only ceph has");
        }
    }

    private static Cluster cluster(StorageSpec spec, FaultPlan faults, NodeSpec node, NodeSpec client) {
        boolean parts = spec.faults().rules().stream().anyMatch(r -> r.action() instanceof FaultAction.Partition);
        LabSpec lab = new LabSpec(SimSpec.of(spec.seed()), spec.payload(), spec.stamps())
                .withFaults(parts ? faults.withMore() : faults);
        NvmeSpec ssd = NvmeSpec.of(spec.media());
        long blocks = ssd.namespaces().get(0).blocks() * ssd.namespaces().get(0).blockBytes() / Disk.BLOCK;
        ClusterSpec machines = ClusterSpec.of(
                        spec.profile(),
                        spec.soft() ? lab.withSoft(SoftSpec.usual()) : lab,
                        spec.nodes(),
                        spec.clients())
                .withManagers(1)
                .withLines(spec.scale().lines())
                .withDisks(spec.scale().disks())
                .withDisk(ssd.withNamespaces(List.of(new NamespaceSpec(Disk.BLOCK, blocks))), spec.disk())
                .withSoftware(node, client)
                .withSchedule(spec.schedule());
        spec.schedule().check(machines.hosts(), steps(spec.system()));
        return new Cluster(machines);
    }

    private static StorageSystem threeFs(StorageSpec spec, FaultPlan faults, DataPath path) {
        bytes(spec, path);
        int chunk = (spec.chunk() + PAGE - 1) / PAGE * PAGE;
        List<List<Integer>> places = places(spec);
        int chains = places.size();
        int perChain = spec.load().keys() / chains + 1;
        ServiceSpec service = ServiceSpec.threeFs(path, chunk)
                .withRule(rule(spec.software().rule()))
                .withRoom(2 * perChain + SPARE_BLOCKS, buffers(spec));
        service = service.withTransfer(spec.software().transfer()).withSlots(slots(spec, service.slots()));
        ServiceSpec used = spec.software().quick() ? service.withTimes(ThreeFsTimes.quick()) : service;
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        Cluster cluster = cluster(spec, faults, software, software);
        long each = (mostTargets(places, spec.nodes()) + spec.scale().disks() - 1L)
                / spec.scale().disks();
        long need = each * ChunkStore.diskBytes(chunk, used.blocks());
        long have = cluster.nodes().get(0).disk().bytes();
        if (need > have) {
            throw new ConfigurationException(
                    spec.load().keys() + " keys of " + chunk + " B need " + need + " B of each disk: it has " + have);
        }
        ThreeFs fs = new ThreeFs(cluster, used, places, spec.replicas(), ProtocolTap.NONE);
        if (spec.scale().connectOnUse()) {
            fs.connectOnUse();
        }
        return new ThreeFsSystem(spec.system(), fs);
    }

    /** Storage nodes of each chain: the chosen ones, or nodes in turn. */
    private static List<List<Integer>> places(StorageSpec spec) {
        ScaleSpec scale = spec.scale();
        int chains = scale.chains() == 0 ? spec.nodes() : scale.chains();
        return scale.places().isEmpty() ? ThreeFs.inTurn(chains, spec.replicas(), spec.nodes()) : scale.places();
    }

    private static long mostTargets(List<List<Integer>> places, int nodes) {
        long[] of = new long[nodes];
        places.forEach(chain -> chain.stream().filter(n -> n < nodes).forEach(n -> of[n]++));
        return LongStream.of(of).max().orElse(0);
    }

    /** A service has 1,024 buffers of the usual chunks in 3FS; more than operations can be under way are never used. */
    private static int buffers(StorageSpec spec) {
        return Math.max(
                LEAST_BUFFERS, Math.min(BUFFERS, spec.clients() * spec.load().depth()));
    }

    /** The others place nothing by disks, and their clients connect in their own way. */
    private static void refuseScale(StorageSpec spec) {
        ScaleSpec s = spec.scale();
        if (s.disks() != 1 || s.chains() != 0 || !s.places().isEmpty() || s.connectOnUse()) {
            throw new ConfigurationException(spec.system()
                    + ": several disks, chains, their places and connections on first use are for 3fs only");
        }
    }

    private static StorageSystem daos(StorageSpec spec, FaultPlan faults) {
        refuseScale(spec);
        DaosSpec waits = spec.software().quick() ? DaosSpec.quick() : DaosSpec.daos();
        DaosSpec used = waits.withRpc(waits.rpc().withCache(spec.software().registrationCache()))
                .withTargets(spec.scale().targets(), false);
        if (spec.load().size() > used.chunkBytes()) {
            throw new ConfigurationException(
                    "values of " + spec.load().size() + " B: a DMA chunk of DAOS has " + used.chunkBytes() + " B");
        }
        int inline = used.rpc().inlineBytes();
        if (spec.payload() == PayloadMode.SIZES && spec.load().size() < inline) {
            throw new ConfigurationException("values of " + spec.load().size()
                    + " B ride in messages of DAOS as bytes, which --payload sizes has not: must be " + inline
                    + " or more");
        }
        NodeSpec client = NodeSpec.of(WorkerSpec.polling());
        NodeSpec node = client.withWorkers(used.cores());
        Cluster cluster = cluster(spec, faults, node, client);
        return new DaosSystem(spec.system(), new Daos(cluster, used, spec.replicas(), DtxTap.NONE));
    }

    private static StorageSystem ceph(StorageSpec spec, FaultPlan faults, CephModel model) {
        refuseScale(spec);
        CephSpec ceph = tuned(spec, CephSpec.of(model, spec.nodes(), spec.replicas()));
        Cluster cluster = cluster(spec, faults, ceph.software(), CephSpec.software(model));
        String name = model == CephModel.CRIMSON_RDMA ? spec.system() + " (hypothetical)" : spec.system();
        return new CephSystem(name, new Ceph(cluster, spec.software().quick() ? ceph.quick() : ceph, OsdTap.NONE));
    }

    private static CephSpec tuned(StorageSpec spec, CephSpec ceph) {
        OsdSpec osd = ceph.osd().withShards(spec.scale().reactors());
        int polling = spec.software().pollingUs();
        osd = polling < 0 ? osd : osd.withStreams(osd.streams().withPollingUs(polling));
        int work = spec.software().osdUs();
        return ceph.withOsd(work < 0 ? osd : osd.withOpPs(work * US));
    }

    private static ReadRule rule(String name) {
        List<String> names = List.of("reject", "committed", "tail-query", "dirty");
        if (!names.contains(name)) {
            throw new ConfigurationException("unknown read rule '" + name + "'" + Nearest.hint(name, names));
        }
        return ReadRule.valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
    }
}
