package dev.clockwire.storage.perf;

import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.List;

/**
 * A host with SSDs and how a load uses them, by the options of {@code spdk_nvme_perf}.
 *
 * @param kernel of the simulation
 * @param payload what data are
 * @param host its latencies
 * @param cpu what work costs its cores
 * @param cores {@code -c}: those that run the load
 * @param ssds one or more
 * @param targets {@code -r} and {@code -b}: the namespaces that are loaded; none = all there are
 * @param use how they are used
 */
public record LocalSpec(
        SimSpec kernel,
        PayloadMode payload,
        HostSpec host,
        CpuSpec cpu,
        CoreMask cores,
        List<NvmeSpec> ssds,
        List<Target> targets,
        Use use) {
    /** Checks the ranges. */
    public LocalSpec {
        ssds = List.copyOf(ssds);
        targets = List.copyOf(targets);
        range("number of SSDs", ssds.size(), 1, 64);
        for (Target t : targets) {
            range("number of an SSD", t.ssd(), 0, ssds.size() - 1L);
            range(
                    "namespace of SSD " + t.ssd(),
                    t.nsid(),
                    0,
                    ssds.get(t.ssd()).namespaces().size());
        }
    }

    /**
     * What is loaded.
     *
     * @param ssd from 0
     * @param nsid 0 = all of them
     */
    public record Target(int ssd, int nsid) {}

    /** Returns whether a namespace is loaded. */
    boolean loads(int ssd, int nsid) {
        boolean any = targets.isEmpty();
        for (Target t : targets) {
            any |= t.ssd() == ssd && (t.nsid() == 0 || t.nsid() == nsid);
        }
        return any;
    }

    /**
     * How namespaces are used.
     *
     * @param depth {@code -q}: most I/Os outstanding of a core and namespace, 1 to 65536
     * @param queuePairs {@code -P}: of each core and namespace, which take turns, 1 to 128
     * @param unused {@code -U}: of each SSD, made and left alone, 0 to 128
     * @param entries {@code --io-queue-size}: of a queue, 2 to 65536; no more than the SSD has
     * @param mostPerPoll {@code -C}: completions that a look takes, 0 = as the driver limits it
     * @param everyCore {@code --use-every-core}: each core uses each namespace
     * @param delayed whether a submission doorbell rings once at the end of a look, as SPDK's tool has it
     * @param stages whether the stages of I/Os are followed
     */
    public record Use(
            int depth,
            int queuePairs,
            int unused,
            int entries,
            int mostPerPoll,
            boolean everyCore,
            boolean delayed,
            boolean stages) {
        /** Checks the ranges. */
        public Use {
            range("queue depth (-q)", depth, 1, 65_536);
            range("queue pairs (-P)", queuePairs, 1, 128);
            range("unused queue pairs (-U)", unused, 0, 128);
            range("entries of a queue (--io-queue-size)", entries, 2, 65_536);
            range("completions of a look (-C)", mostPerPoll, 0, 65_536);
        }

        /** Returns the tool's defaults for a depth. */
        public static Use of(int depth) {
            return new Use(depth, 1, 0, 65_536, 0, false, true, true);
        }
    }

    static void range(String what, long value, long low, long high) {
        if (value < low || value > high) {
            throw new ConfigurationException(what + " " + value + " is not in " + low + ".." + high);
        }
    }
}
