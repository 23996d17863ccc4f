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
 * @param nodes hosts {@code node0...} with a disk each, 1 to 1024
 * @param clients hosts {@code client0...}, 1 to 4096
 * @param ssd what the nodes' disks are, their first namespace the disk
 * @param disk with or without TLPs
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
        NodeSpec node,
        NodeSpec client,
        FaultSchedule schedule) {
    private static final int MOST_MANAGERS = 16;
    private static final int MOST_NODES = 1024;
    private static final int MOST_CLIENTS = 4096;
    private static final long GIB = 1L << 30;

    /** Checks the ranges. */
    public ClusterSpec {
        range("managers", managers, 0, MOST_MANAGERS);
        range("nodes", nodes, 1, MOST_NODES);
        range("clients", clients, 1, MOST_CLIENTS);
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
                profile, lab, 0, nodes, clients, ssd, DiskKind.FULL, polling, polling, FaultSchedule.NONE);
    }

    /** Returns a copy with machines that hold the cluster together. */
    public ClusterSpec withManagers(int n) {
        return new ClusterSpec(profile, lab, n, nodes, clients, ssd, disk, node, client, schedule);
    }

    /** Returns a copy with other disks. */
    public ClusterSpec withDisk(NvmeSpec what, DiskKind kind) {
        return new ClusterSpec(profile, lab, managers, nodes, clients, what, kind, node, client, schedule);
    }

    /** Returns a copy with other software. */
    public ClusterSpec withSoftware(NodeSpec ofNodes, NodeSpec ofClients) {
        return new ClusterSpec(profile, lab, managers, nodes, clients, ssd, disk, ofNodes, ofClients, schedule);
    }

    /** Returns a copy in which something goes wrong. */
    public ClusterSpec withSchedule(FaultSchedule what) {
        return new ClusterSpec(profile, lab, managers, nodes, clients, ssd, disk, node, client, what);
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
