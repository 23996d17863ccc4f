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
        ScaleSpec scale) {
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
                ScaleSpec.USUAL);
    }

    /** Returns a copy on other devices, with another seed. */
    public StorageSpec withHardware(boolean softDevices, DiskKind kind, long otherSeed) {
        return new StorageSpec(
                system,
                profile,
                otherSeed,
                softDevices,
                payload,
                kind,
                media,
                replicas,
                nodes,
                clients,
                chunk,
                software,
                load,
                faults,
                schedule,
                scale);
    }

    /** Returns a copy with values as bytes or extents. */
    public StorageSpec withPayload(PayloadMode mode) {
        return new StorageSpec(
                system, profile, seed, soft, mode, disk, media, replicas, nodes, clients, chunk, software, load, faults,
                schedule, scale);
    }

    /** Returns a copy with other machines. */
    public StorageSpec withMachines(int copies, int storage, int asking) {
        return new StorageSpec(
                system, profile, seed, soft, payload, disk, media, copies, storage, asking, chunk, software, load,
                faults, schedule, scale);
    }

    /** Returns a copy with other software. */
    public StorageSpec withSoftware(SoftwareSpec other) {
        return new StorageSpec(
                system, profile, seed, soft, payload, disk, media, replicas, nodes, clients, chunk, other, load, faults,
                schedule, scale);
    }

    /** Returns a copy with other SSDs. */
    public StorageSpec withMedia(String name) {
        return new StorageSpec(
                system, profile, seed, soft, payload, disk, name, replicas, nodes, clients, chunk, software, load,
                faults, schedule, scale);
    }

    /** Returns a copy in which something goes wrong. */
    public StorageSpec withFaults(FaultPlan plan) {
        return new StorageSpec(
                system, profile, seed, soft, payload, disk, media, replicas, nodes, clients, chunk, software, load,
                plan, schedule, scale);
    }

    /** Returns a copy with what only large clusters have. */
    public StorageSpec withScale(ScaleSpec other) {
        return new StorageSpec(
                system, profile, seed, soft, payload, disk, media, replicas, nodes, clients, chunk, software, load,
                faults, schedule, other);
    }

    /** Returns a copy on other hardware. */
    public StorageSpec withProfile(Profile other) {
        return new StorageSpec(
                system, other, seed, soft, payload, disk, media, replicas, nodes, clients, chunk, software, load,
                faults, schedule, scale);
    }
}
