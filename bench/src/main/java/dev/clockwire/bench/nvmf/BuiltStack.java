package dev.clockwire.bench.nvmf;

import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.storage.perf.PerfStack;
import java.util.List;

/**
 * A stack and what of it a capture shows.
 *
 * @param stack below the load
 * @param hosts with NICs
 * @param ports that send frames; none if there is no network
 */
public record BuiltStack(PerfStack stack, List<LabHost> hosts, List<RunFiles.Port> ports) {
    /** Copies the lists. */
    public BuiltStack {
        hosts = List.copyOf(hosts);
        ports = List.copyOf(ports);
    }
}
