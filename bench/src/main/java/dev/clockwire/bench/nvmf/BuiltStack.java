package dev.clockwire.bench.nvmf;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.storage.perf.PerfStack;
import java.util.List;

/**
 * A stack and what of it a capture shows.
 *
 * @param stack below the load
 * @param ports that send frames; none if there is no network
 */
public record BuiltStack(PerfStack stack, List<Port> ports) {
    /** Copies the ports. */
    public BuiltStack {
        ports = List.copyOf(ports);
    }

    /** A port by its name in the capture. */
    public record Port(String name, LinkEnd end) {}
}
