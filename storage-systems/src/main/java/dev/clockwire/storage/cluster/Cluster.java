package dev.clockwire.storage.cluster;

import dev.clockwire.nic.lab.ClusterLab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.check.monitor.ProtocolEvents;
import dev.clockwire.storage.check.verbs.VerbsWatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Managers, storage nodes with disks, and clients around a switch, and what the wire between them carries. */
public final class Cluster {
    private static final int BUS = 0x0200;
    private static final int BUS_SHIFT = 8;
    private static final long SETTLE_PS = 1_000_000_000L;
    /** Eight timeouts of a queue pair of 67 ms, four times over. */
    private static final long GIVE_UP_PS = 2_000_000_000_000L;

    private static final long PATIENCE_PS = 10_000_000_000_000L;

    private final ClusterSpec spec;
    private final ClusterLab lab;
    private final List<Node> managers = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Node> clients = new ArrayList<>();
    private final WireCount wire;
    private final long longestFaultPs;
    private @Nullable Strikes strikes;
    private StepTap tap = StepTap.NONE;
    private OperationTap operations = OperationTap.NONE;
    private @Nullable VerbsWatch watch;

    /** Builds the cluster; nothing runs on it yet. */
    public Cluster(ClusterSpec spec) {
        this.spec = spec;
        double usual = spec.profile().number("link.gbps");
        LabSpec with = spec.lab();
        if (!spec.schedule().strikes().isEmpty()) {
            with = with.withFaults(with.faults().withMore());
        }
        lab = ClusterLab.star(
                spec.profile(),
                with,
                spec.hosts(),
                spec.lines().star(usual, spec.managers() + spec.nodes(), spec.clients()),
                this::build);
        lab.start();
        wire = new WireCount(lab);
        arm();
        LastingFaults faults = new LastingFaults(with.faults(), spec.schedule());
        longestFaultPs = faults.longestPs();
        nodes.stream().filter(n -> faults.keepsAway(n.name())).forEach(Node::staysAway);
    }

    private void build(Sim sim, List<LabHost> hosts) {
        for (int i = 0; i < hosts.size(); i++) {
            LabHost host = hosts.get(i);
            int node = i - spec.managers();
            if (node < 0) {
                managers.add(new Node(host, i, spec.node(), List.of()));
            } else if (node < spec.nodes()) {
                nodes.add(new Node(host, i, spec.node(), disks(sim, host.host(), "ssd" + node)));
            } else {
                clients.add(new Node(host, i, spec.client(), List.of()));
            }
        }
        if (!spec.schedule().strikes().isEmpty()) {
            strikes = new Strikes(sim.root(), spec.schedule());
        }
    }

    private void arm() {
        Strikes s = strikes;
        if (s != null) {
            for (Node n : all()) {
                s.add(n, lab.troubles(n.number()));
            }
            s.parts(lab::part);
        }
    }

    /** Hears of a step of a machine's protocol: this is what schedules of faults count. */
    public void step(int host, String step, long ps) {
        Strikes s = strikes;
        if (s != null) {
            s.step(host, step, ps);
        }
        tap.step(host, step, ps);
    }

    /** Returns the strikes of the schedule that have not happened, in their order. */
    public List<FaultStrike> idleStrikes() {
        Strikes s = strikes;
        return s == null ? List.of() : s.idle();
    }

    /** Returns the longest time in ps that a fault which ends lasts, its beginning included if that is known; 0 if there is none. */
    public long longestFaultPs() {
        return longestFaultPs;
    }

    /** Has the invariants of verbs and wire watched; to be called before {@link #boot}. */
    public void watch(Findings findings) {
        watch = new VerbsWatch(lab.hosts(), wire, sim()::now, findings);
    }

    /**
     * Tells whoever watches that nothing is under way any more, and every machine is as well as it will be. Runs on until each pool was whole once, two seconds at most: queue
     * pairs may still try to deliver what nobody takes. Most are whole at once. A program may end meanwhile and begin anew, as one does that has lost its lease: then its
     * present pools count.
     *
     * @param pools those of the programs that run now
     */
    public void quiescent(Supplier<List<Pool>> pools, ProtocolEvents events) {
        List<Pool> open = untilWhole(pools.get());
        if (!open.isEmpty()) {
            open = untilWhole(pools.get());
        }
        long now = sim().now();
        open.forEach(p -> events.pooled(
                now, p.node(), p.name(), p.free().getAsInt(), p.all().getAsInt()));
        VerbsWatch w = watch;
        if (w != null) {
            List<Node> all = all();
            w.quiescent(i -> all.get(i).isRunning());
        }
    }

    private List<Pool> untilWhole(List<Pool> pools) {
        List<Pool> open = new ArrayList<>(pools);
        sim().runUntil(() -> isWhole(open), sim().now() + GIVE_UP_PS);
        return open;
    }

    private static boolean isWhole(List<Pool> open) {
        open.removeIf(Pool::isWhole);
        return open.isEmpty();
    }

    private List<Node> all() {
        List<Node> all = new ArrayList<>(managers);
        all.addAll(nodes);
        all.addAll(clients);
        return all;
    }

    /** Tells somebody of all steps. */
    public void listen(StepTap who) {
        tap = who;
    }

    /** Has somebody follow single operations; to be called before programs begin. */
    public void follow(OperationTap who) {
        operations = who;
    }

    /** Returns who follows single operations. */
    public OperationTap operations() {
        return operations;
    }

    private List<Disk> disks(Sim sim, Host host, String name) {
        List<Disk> made = new ArrayList<>();
        made.add(disk(sim, host, name, BUS));
        for (int i = 1; i < spec.disks(); i++) {
            made.add(disk(sim, host, name + "." + i, BUS + (i << BUS_SHIFT)));
        }
        return made;
    }

    private Disk disk(Sim sim, Host host, String name, int id) {
        var ns = spec.ssd().namespaces().get(0);
        long bytes = ns.blocks() * ns.blockBytes();
        if (spec.disk() == DiskKind.MEDIA) {
            return new MediaDisk(
                    name, host, spec.ssd().media(), bytes, spec.lab().payload());
        }
        MemoryStore store = new MemoryStore(
                name + ".ns1", ns.blockBytes(), ns.blocks(), spec.lab().payload());
        return new SsdDisk(sim, name, host, spec.ssd(), id, store);
    }

    /** Begins the programs of all machines that have one. */
    public void boot() {
        managers.forEach(Node::boot);
        nodes.forEach(Node::boot);
        clients.forEach(Node::boot);
    }

    /**
     * Runs the simulation until something is so.
     *
     * @param words what is waited for, for the error
     * @throws ConfigurationException if it is not so within ten seconds of simulated time
     */
    public void await(BooleanSupplier what, String words) {
        if (!sim().runUntil(what, sim().now() + PATIENCE_PS)) {
            throw new ConfigurationException("cluster", sim().now(), "does not come to " + words);
        }
    }

    /** Runs the simulation for a millisecond: what was posted has left by then, so counting can begin. */
    public void settle() {
        sim().run(sim().now() + SETTLE_PS);
    }

    /** Returns what it was built of. */
    public ClusterSpec spec() {
        return spec;
    }

    /** Returns the simulation. */
    public Sim sim() {
        return lab.sim();
    }

    /** Returns hosts and switches. */
    public ClusterLab lab() {
        return lab;
    }

    /** Returns the machines {@code mgmt0...}. */
    public List<Node> managers() {
        return Collections.unmodifiableList(managers);
    }

    /** Returns the machines {@code node0...}. */
    public List<Node> nodes() {
        return Collections.unmodifiableList(nodes);
    }

    /** Returns the machines {@code client0...}. */
    public List<Node> clients() {
        return Collections.unmodifiableList(clients);
    }

    /** Returns what the wire has carried. */
    public WireCount wire() {
        return wire;
    }
}
