package dev.clockwire.bench.fabric;

import dev.clockwire.roce.fabric.net.NetworkSpec;
import java.util.List;

/**
 * A fabric to run.
 *
 * @param name what it is called
 * @param network the fabric
 * @param untilPs when the run ends, if the flows do not before
 * @param lossless class that data is in, whose queues are reported
 * @param notes what is wrong with the files of real devices that it names
 */
public record FabricJob(String name, NetworkSpec network, long untilPs, int lossless, List<String> notes) {
    /** Copies the notes. */
    public FabricJob {
        notes = List.copyOf(notes);
    }

    /** A fabric without files of real devices. */
    public FabricJob(String name, NetworkSpec network, long untilPs, int lossless) {
        this(name, network, untilPs, lossless, List.of());
    }
}
