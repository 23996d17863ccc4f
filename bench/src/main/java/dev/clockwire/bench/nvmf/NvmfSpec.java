package dev.clockwire.bench.nvmf;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.nic.offload.OffloadMemory;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.List;

/**
 * One {@code nvmf perf}.
 *
 * @param stack between load and SSDs
 * @param profile hosts and, over a fabric, NICs and line
 * @param kernel of the simulation, with the seed
 * @param payload what data are
 * @param cores that run the load
 * @param ssds at the end of it all
 * @param targets of local SSDs that are loaded; none = all there are
 * @param use queue pairs and depth
 * @param load what is done
 * @param workload as typed
 * @param provider what the NICs of a fabric are
 * @param transports {@code -r}: where the controllers are, as typed; none = all there are
 * @param handOver whether the target's block devices send a message for the end of each I/O
 * @param keepAliveMs {@code -k}: after which time a target gives the host up; negative = as SPDK's host has it
 * @param offloadMemory what commands and data of {@link StackKind#OFFLOAD} pass through
 * @param adaptive whether reactors with nothing to do sleep until an interrupt
 * @param stamps kept of what NICs do with each work request; 0 keeps none
 */
public record NvmfSpec(
        StackKind stack,
        Profile profile,
        SimSpec kernel,
        PayloadMode payload,
        CoreMask cores,
        List<NvmeSpec> ssds,
        List<LocalSpec.Target> targets,
        LocalSpec.Use use,
        PerfSpec load,
        String workload,
        Provider provider,
        List<TransportId> transports,
        boolean handOver,
        int keepAliveMs,
        OffloadMemory.Place offloadMemory,
        boolean adaptive,
        int stamps) {
    /** Copies the lists. */
    public NvmfSpec {
        ssds = List.copyOf(ssds);
        targets = List.copyOf(targets);
        transports = List.copyOf(transports);
    }

    /** Returns the same load with something else between it and the SSDs, of which no stamps are kept. */
    public NvmfSpec with(StackKind other) {
        return new NvmfSpec(
                other,
                profile,
                kernel,
                payload,
                cores,
                ssds,
                targets,
                use,
                load,
                workload,
                provider,
                transports,
                handOver,
                keepAliveMs,
                offloadMemory,
                adaptive,
                0);
    }
}
