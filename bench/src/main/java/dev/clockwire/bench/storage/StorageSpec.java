package dev.clockwire.bench.storage;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.Transfer;

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
 * @param rule what a reader gets of a pending version, as 3FS's rules are called
 * @param transfer how 3FS moves bytes
 * @param slots of a node of 3FS for all its writers, 0 if it is not said
 * @param quick whether silence counts after milliseconds instead of minutes
 * @param load what clients do
 * @param faults what goes wrong; times count from the first operation
 * @param schedule what goes wrong at steps of the protocol
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
        String rule,
        Transfer transfer,
        int slots,
        boolean quick,
        LoadSpec load,
        FaultPlan faults,
        FaultSchedule schedule) {}
