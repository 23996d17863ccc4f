package dev.clockwire.storage.hoststack;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.reactor.CoreMask;

/**
 * Two hosts with their kernels: one loads, the other has an SSD.
 *
 * @param kernel of the simulation
 * @param profile hosts, NICs, line, and {@code host.kernel.*}
 * @param cores of the load: one
 * @param ssd of the target, with one namespace
 * @param depth most I/Os, 1 to 65536
 * @param entries of an I/O queue, 2 to 128, Linux's default
 * @param faults of the link and the hosts
 * @param connections queues of the host, which take turns, 1 to 127
 * @param journeys stamps kept of the NICs' operations; 0 keeps none
 */
public record HostStackSpec(
        SimSpec kernel,
        Profile profile,
        CoreMask cores,
        NvmeSpec ssd,
        int depth,
        int entries,
        FaultPlan faults,
        int connections,
        int journeys) {
    /** Most entries of an I/O queue. */
    public static final int MOST_ENTRIES = 128;

    /** Checks the ranges. */
    public HostStackSpec {
        if (cores.next(cores.next(0) + 1) >= 0) {
            throw new ConfigurationException(
                    "core mask (-c) 0x" + cores + ": a load through the kernel runs on one core, such as 0x1");
        }
        if (ssd.namespaces().size() != 1) {
            throw new ConfigurationException(
                    ssd.namespaces().size() + " namespaces: a target in the kernel has one here");
        }
        check("queue depth (-q)", depth, 1, 65_536);
        check("entries of a queue (--io-queue-size)", entries, 2, MOST_ENTRIES);
        check("queue pairs (-P)", connections, 1, 127);
    }

    /** Creates a stack in which nothing goes wrong. */
    public HostStackSpec(SimSpec kernel, Profile profile, CoreMask cores, NvmeSpec ssd, int depth, int connections) {
        this(kernel, profile, cores, ssd, depth, MOST_ENTRIES, FaultPlan.NONE, connections, 0);
    }

    /** Returns a copy in which things go wrong. */
    public HostStackSpec withFaults(FaultPlan plan) {
        return new HostStackSpec(kernel, profile, cores, ssd, depth, entries, plan, connections, journeys);
    }

    /** Returns a copy with queues of another size. */
    public HostStackSpec withEntries(int number) {
        return new HostStackSpec(kernel, profile, cores, ssd, depth, number, faults, connections, journeys);
    }

    /** Returns a copy that keeps stamps of what its NICs do; nothing else changes. */
    public HostStackSpec withJourneys(int stamps) {
        return new HostStackSpec(kernel, profile, cores, ssd, depth, entries, faults, connections, stamps);
    }

    private static void check(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + most);
        }
    }
}
