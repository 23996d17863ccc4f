package dev.clockwire.storage.cluster;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a cluster is built of.
 *
 * @param profile hosts, NICs and lines, the same for all
 * @param lab how it is simulated, with provider and faults
 * @param managers hosts {@code mgmt0...} without disks, 0 to 16
 * @param nodes hosts {@code node0...} with disks, 1 to 1024
 * @param clients hosts {@code client0...}, 1 to 4096
 * @param ssd what the nodes' disks are, their first namespace the disk
 * @param disk with or without TLPs
 * @param disks of each storage node, 1 to 64
 * @param lines between machines and their switch
 * @param node software of managers and nodes
 * @param client software of clients
 * @param schedule what goes wrong at steps of the protocol
 */
public record ClusterSpec(
        Profile profile,
        LabSpec lab,
        int managers,
        int nodes,
        int clients,
        NvmeSpec ssd,
        DiskKind disk,
        int disks,
        LinesSpec lines,
        NodeSpec node,
        NodeSpec client,
        FaultSchedule schedule) {
    private static final int MOST_MANAGERS = 16;
    private static final int MOST_NODES = 1024;
    private static final int MOST_CLIENTS = 4096;
    private static final int MOST_DISKS = 64;
    private static final long GIB = 1L << 30;

    /** Checks the ranges. */
    public ClusterSpec {
        range("managers", managers, 0, MOST_MANAGERS);
        range("nodes", nodes, 1, MOST_NODES);
        range("clients", clients, 1, MOST_CLIENTS);
        range("disks of a node", disks, 1, MOST_DISKS);
    }

    private static void range(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ConfigurationException("cluster: " + what + " " + value + " is not in " + least + ".." + most);
        }
    }

    /** Returns a cluster on an SSD's default, with one polling worker a machine and no manager. */
    public static ClusterSpec of(Profile profile, LabSpec lab, int nodes, int clients) {
        NodeSpec polling = NodeSpec.of(WorkerSpec.polling());
        NvmeSpec ssd =
                NvmeSpec.of("p5800x").withNamespaces(List.of(new NamespaceSpec(Disk.BLOCK, 64 * GIB / Disk.BLOCK)));
        return new ClusterSpec(
                profile,
                lab,
                0,
                nodes,
                clients,
                ssd,
                DiskKind.FULL,
                1,
                LinesSpec.PROFILE,
                polling,
                polling,
                FaultSchedule.NONE);
    }

    /** Returns a copy with machines that hold the cluster together. */
    public ClusterSpec withManagers(int n) {
        Draft d = new Draft(this);
        d.managers = n;
        return d.done();
    }

    /** Returns a copy with other disks. */
    public ClusterSpec withDisk(NvmeSpec what, DiskKind kind) {
        Draft d = new Draft(this);
        d.ssd = what;
        d.disk = kind;
        return d.done();
    }

    /** Returns a copy with more disks, or fewer, in each storage node. */
    public ClusterSpec withDisks(int each) {
        Draft d = new Draft(this);
        d.disks = each;
        return d.done();
    }

    /** Returns a copy with other lines. */
    public ClusterSpec withLines(LinesSpec other) {
        Draft d = new Draft(this);
        d.lines = other;
        return d.done();
    }

    /** Returns a copy with other software. */
    public ClusterSpec withSoftware(NodeSpec ofNodes, NodeSpec ofClients) {
        Draft d = new Draft(this);
        d.node = ofNodes;
        d.client = ofClients;
        return d.done();
    }

    /** Returns a copy in which something goes wrong. */
    public ClusterSpec withSchedule(FaultSchedule what) {
        Draft d = new Draft(this);
        d.schedule = what;
        return d.done();
    }

    /** All components of a copy that is about to differ in some. */
    private static final class Draft {
        private final Profile profile;
        private final LabSpec lab;
        private int managers;
        private final int nodes;
        private final int clients;
        private NvmeSpec ssd;
        private DiskKind disk;
        private int disks;
        private LinesSpec lines;
        private NodeSpec node;
        private NodeSpec client;
        private FaultSchedule schedule;

        Draft(ClusterSpec of) {
            profile = of.profile;
            lab = of.lab;
            managers = of.managers;
            nodes = of.nodes;
            clients = of.clients;
            ssd = of.ssd;
            disk = of.disk;
            disks = of.disks;
            lines = of.lines;
            node = of.node;
            client = of.client;
            schedule = of.schedule;
        }

        ClusterSpec done() {
            return new ClusterSpec(
                    profile, lab, managers, nodes, clients, ssd, disk, disks, lines, node, client, schedule);
        }
    }

    /** Returns the names of all hosts in the order of their numbers. */
    public List<String> hosts() {
        List<String> names = new ArrayList<>();
        add(names, "mgmt", managers);
        add(names, "node", nodes);
        add(names, "client", clients);
        return names;
    }

    private static void add(List<String> names, String kind, int count) {
        for (int i = 0; i < count; i++) {
            names.add(kind + i);
        }
    }
}
