package dev.clockwire.bench.fabric;

import dev.clockwire.bench.artefact.FrameOrder;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.sim.capture.PcapngWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The frames of a fabric as a capture file: each once at every port that sends it, pauses and LLDP too; a port is an interface. Packets of light hosts have
 * no bytes and are left out. Times are the fabric's.
 */
final class FabricCapture implements AutoCloseable {
    private final PcapngWriter writer;
    private final FrameOrder order;

    /**
     * Starts to watch.
     *
     * @param application who writes
     * @param command that makes the trace again
     */
    FabricCapture(Path file, String application, String command, Endpoints hosts) {
        writer = PcapngWriter.create(file, application, command);
        List<LinkEnd> ends = new ArrayList<>();
        for (Link link : hosts.wiring().links()) {
            ends.add(link.a());
            ends.add(link.b());
        }
        int[] ports =
                ends.stream().mapToInt(end -> writer.addInterface(end.path())).toArray();
        long begin = hosts.beginPs();
        order = FrameOrder.watch(
                hosts.parts().get(0)::now,
                ends,
                f -> writer.write(
                        ports[f.port()], Math.max(0, f.ps() - begin), f.data(), 0, f.data().length, f.bytes()));
    }

    /** Completes the file. */
    void commit() {
        order.flush();
        writer.commit();
    }

    /** Leaves no file unless it was completed. */
    @Override
    public void close() {
        writer.close();
    }
}
