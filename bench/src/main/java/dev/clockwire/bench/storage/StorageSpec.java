package dev.clockwire.bench.storage;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.load.LoadSpec;

/**
 * What {@code storage run} is asked for.
 *
 * @param system its name
 * @param profile hardware of all machines
 * @param seed root of all random streams
 * @param soft whether machines have software devices
 * @param payload whether values are bytes or extents
 * @param disk with or without TLPs
 * @param media of the SSDs
 * @param replicas of each value
 * @param nodes storage nodes
 * @param clients machines that ask
 * @param chunk largest value in bytes
 * @param software what of it is other than usual
 * @param load what clients do
 * @param faults what goes wrong; times count from the first operation
 * @param schedule what goes wrong at steps of the protocol
 * @param scale of large clusters
 * @param stamps of messages on their way through hardware that are kept, the last ones; 0 = none
 */
public record StorageSpec(
        String system,
        Profile profile,
        long seed,
        boolean soft,
        PayloadMode payload,
        DiskKind disk,
        String media,
        int replicas,
        int nodes,
        int clients,
        int chunk,
        SoftwareSpec software,
        LoadSpec load,
        FaultPlan faults,
        FaultSchedule schedule,
        ScaleSpec scale,
        int stamps) {
    private static final int REPLICAS = 3;

    /** Returns a quiet run of the usual software on three nodes with hardware devices and whole SSDs, values as bytes. */
    public static StorageSpec of(String system, Profile profile, LoadSpec load) {
        return new StorageSpec(
                system,
                profile,
                1,
                false,
                PayloadMode.BYTES,
                DiskKind.FULL,
                "p5800x",
                REPLICAS,
                REPLICAS,
                1,
                load.size(),
                SoftwareSpec.usual(),
                load,
                FaultPlan.NONE,
                FaultSchedule.NONE,
                ScaleSpec.USUAL,
                0);
    }

    /** Returns a copy on other devices, with another seed. */
    public StorageSpec withHardware(boolean softDevices, DiskKind kind, long otherSeed) {
        Draft d = new Draft(this);
        d.soft = softDevices;
        d.disk = kind;
        d.seed = otherSeed;
        return d.done();
    }

    /** Returns a copy with values as bytes or extents. */
    public StorageSpec withPayload(PayloadMode mode) {
        Draft d = new Draft(this);
        d.payload = mode;
        return d.done();
    }

    /** Returns a copy with other machines. */
    public StorageSpec withMachines(int copies, int storage, int asking) {
        Draft d = new Draft(this);
        d.replicas = copies;
        d.nodes = storage;
        d.clients = asking;
        return d.done();
    }

    /** Returns a copy with other software. */
    public StorageSpec withSoftware(SoftwareSpec other) {
        Draft d = new Draft(this);
        d.software = other;
        return d.done();
    }

    /** Returns a copy with other SSDs. */
    public StorageSpec withMedia(String name) {
        Draft d = new Draft(this);
        d.media = name;
        return d.done();
    }

    /** Returns a copy in which something goes wrong. */
    public StorageSpec withFaults(FaultPlan plan) {
        Draft d = new Draft(this);
        d.faults = plan;
        return d.done();
    }

    /** Returns a copy in which something goes wrong at steps of the protocol. */
    public StorageSpec withSchedule(FaultSchedule line) {
        Draft d = new Draft(this);
        d.schedule = line;
        return d.done();
    }

    /** Returns a copy with what only large clusters have. */
    public StorageSpec withScale(ScaleSpec other) {
        Draft d = new Draft(this);
        d.scale = other;
        return d.done();
    }

    /** Returns a copy on other hardware. */
    public StorageSpec withProfile(Profile other) {
        Draft d = new Draft(this);
        d.profile = other;
        return d.done();
    }

    /** All components of a copy that is about to differ in some. */
    private static final class Draft {
        private final String system;
        private Profile profile;
        private long seed;
        private boolean soft;
        private PayloadMode payload;
        private DiskKind disk;
        private String media;
        private int replicas;
        private int nodes;
        private int clients;
        private final int chunk;
        private SoftwareSpec software;
        private final LoadSpec load;
        private FaultPlan faults;
        private FaultSchedule schedule;
        private ScaleSpec scale;
        private final int stamps;

        Draft(StorageSpec of) {
            system = of.system;
            profile = of.profile;
            seed = of.seed;
            soft = of.soft;
            payload = of.payload;
            disk = of.disk;
            media = of.media;
            replicas = of.replicas;
            nodes = of.nodes;
            clients = of.clients;
            chunk = of.chunk;
            software = of.software;
            load = of.load;
            faults = of.faults;
            schedule = of.schedule;
            scale = of.scale;
            stamps = of.stamps;
        }

        StorageSpec done() {
            return new StorageSpec(
                    system, profile, seed, soft, payload, disk, media, replicas, nodes, clients, chunk, software, load,
                    faults, schedule, scale, stamps);
        }
    }
}
