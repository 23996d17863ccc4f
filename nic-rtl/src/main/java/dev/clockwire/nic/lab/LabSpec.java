package dev.clockwire.nic.lab;

import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
import org.jspecify.annotations.Nullable;

/**
 * How a lab is simulated; nothing of it but seed, numbers, device and faults changes the trace.
 *
 * @param kernel seed, mode and checks of the kernel
 * @param payload whether bulk memory holds bytes or extents
 * @param journeys stamps kept of followed operations; 0 follows none
 * @param client who chooses queue pair numbers and keys of the first host; null: they count up
 * @param server the same for the second
 * @param soft the software device that the hosts have instead of the hardware one; null for hardware
 * @param faults what goes wrong on the link and in the hosts
 * @param pcie what happens to packets between hosts and their NICs
 * @param sanitizer whether a {@link dev.clockwire.sim.mem.MemorySanitizer} watches the memory of each host; it changes nothing else
 */
public record LabSpec(
        SimSpec kernel,
        PayloadMode payload,
        int journeys,
        @Nullable Numbering client,
        @Nullable Numbering server,
        @Nullable SoftSpec soft,
        FaultPlan faults,
        PcieFaults pcie,
        boolean sanitizer) {
    /** Checks the number of stamps. */
    public LabSpec {
        if (journeys < 0) {
            throw new ConfigurationException("journeys " + journeys + ": the number of stamps kept is 0 or more");
        }
    }

    /** Creates a lab with hardware whose numbers count up. */
    public LabSpec(SimSpec kernel, PayloadMode payload, int journeys) {
        this(kernel, payload, journeys, null, null, null, FaultPlan.NONE, PcieFaults.NONE, false);
    }

    /**
     * Names what users choose.
     *
     * @param seed root of all random streams
     * @param mode whether idleness is skipped
     * @param loop which run loop evaluates the modules
     * @param fullHash whether every channel is an observation point of the trace hash
     */
    public LabSpec(long seed, KernelMode mode, LoopKind loop, PayloadMode payload, boolean fullHash, int journeys) {
        this(SimSpec.of(seed).withMode(mode).withLoop(loop).withFullHash(fullHash), payload, journeys);
    }

    /** Returns a lab that skips idleness, carries bytes and follows no operation. */
    public static LabSpec of(long seed) {
        return new LabSpec(SimSpec.of(seed), PayloadMode.BYTES, 0);
    }

    /** Returns a copy with other parameters of the kernel. */
    public LabSpec withKernel(SimSpec other) {
        Draft d = new Draft(this);
        d.kernel = other;
        return d.done();
    }

    /** Returns a copy with another kernel mode. */
    public LabSpec withMode(KernelMode other) {
        return withKernel(kernel.withMode(other));
    }

    /** Returns a copy with another payload mode. */
    public LabSpec withPayload(PayloadMode other) {
        Draft d = new Draft(this);
        d.payload = other;
        return d.done();
    }

    /** Returns a copy that hashes every channel, or only what leaves the blocks. */
    public LabSpec withFullHash(boolean full) {
        return withKernel(kernel.withFullHash(full));
    }

    /** Returns a copy that keeps this many stamps of followed operations. */
    public LabSpec withJourneys(int stamps) {
        Draft d = new Draft(this);
        d.journeys = stamps;
        return d.done();
    }

    /** Returns a copy whose devices get their queue pair numbers and keys from elsewhere; for one lab only. */
    public LabSpec withNumbering(@Nullable Numbering forClient, @Nullable Numbering forServer) {
        Draft d = new Draft(this);
        d.client = forClient;
        d.server = forServer;
        return d.done();
    }

    /** Returns a copy whose hosts have a software device, or hardware if it is null. */
    public LabSpec withSoft(@Nullable SoftSpec device) {
        Draft d = new Draft(this);
        d.soft = device;
        return d.done();
    }

    /** Returns a copy in which things go wrong. */
    public LabSpec withFaults(FaultPlan plan) {
        Draft d = new Draft(this);
        d.faults = plan;
        return d.done();
    }

    /** Returns a copy in which things happen to packets between hosts and their NICs. */
    public LabSpec withPcieFaults(PcieFaults what) {
        Draft d = new Draft(this);
        d.pcie = what;
        return d.done();
    }

    /** Returns a copy in which somebody watches who accesses memory, or nobody. */
    public LabSpec withSanitizer(boolean watched) {
        Draft d = new Draft(this);
        d.sanitizer = watched;
        return d.done();
    }

    /** All components of a copy that is about to differ in some. */
    private static final class Draft {
        private SimSpec kernel;
        private PayloadMode payload;
        private int journeys;
        private @Nullable Numbering client;
        private @Nullable Numbering server;
        private @Nullable SoftSpec soft;
        private FaultPlan faults;
        private PcieFaults pcie;
        private boolean sanitizer;

        Draft(LabSpec of) {
            kernel = of.kernel;
            payload = of.payload;
            journeys = of.journeys;
            client = of.client;
            server = of.server;
            soft = of.soft;
            faults = of.faults;
            pcie = of.pcie;
            sanitizer = of.sanitizer;
        }

        LabSpec done() {
            return new LabSpec(kernel, payload, journeys, client, server, soft, faults, pcie, sanitizer);
        }
    }
}
