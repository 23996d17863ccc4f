package dev.clockwire.bench.nvmf;

import dev.clockwire.bench.artefact.CaptureLimit;
import dev.clockwire.bench.artefact.FrameOrder;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.sim.capture.PcapngWriter;
import dev.clockwire.sim.export.AtomicFile;
import dev.clockwire.sim.stats.HgrmText;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.sim.wave.Waves;
import dev.clockwire.storage.perf.PerfStack;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a run: statistics, latencies, waves if asked for and, if there is a network, its frames. */
public final class PerfFiles implements AutoCloseable {
    private static final double PS_PER_NS = 1000;

    private final PerfStack stack;
    private final Path directory;
    private final RunFiles.Source source;
    private final @Nullable PcapngWriter capture;
    private final @Nullable CaptureLimit limit;
    private final @Nullable FrameOrder order;
    private final @Nullable AtomicFile waveFile;
    private final @Nullable Waves waves;

    /**
     * Starts to record a stack before it runs.
     *
     * @param most bytes of the capture, 0 = as many as come
     */
    public PerfFiles(
            BuiltStack built, Path directory, RunFiles.Source source, RunFiles.@Nullable WaveChoice choice, long most) {
        stack = built.stack();
        this.directory = directory;
        this.source = source;
        List<BuiltStack.Port> ports = built.ports();
        if (ports.isEmpty()) {
            capture = null;
            limit = null;
            order = null;
        } else {
            PcapngWriter writer = PcapngWriter.create(
                    directory.resolve(RunFiles.CAPTURE), "Clockwire " + source.version(), source.command());
            int[] ids =
                    ports.stream().mapToInt(p -> writer.addInterface(p.name())).toArray();
            CaptureLimit bounded = new CaptureLimit(writer, most);
            capture = writer;
            limit = bounded;
            order = FrameOrder.watch(
                    stack.sim()::now,
                    ports.stream().map(BuiltStack.Port::end).toList(),
                    f -> bounded.write(ids[f.port()], f));
        }
        if (choice == null) {
            waves = null;
            waveFile = null;
        } else {
            waves = new Waves(stack.sim(), choice.scope());
            waveFile = new AtomicFile(directory.resolve("waves.vcd"));
            waves.writeTo(waveFile.writer(), choice.fromPs(), choice.toPs());
        }
    }

    /** Completes the files after the run. */
    public void finish(PerfResults results) {
        if (capture != null && order != null) {
            order.flush();
            capture.commit();
        }
        Histogram h = results.latency();
        if (h != null) {
            AtomicFile.write(directory.resolve("latency.hgrm"), HgrmText.of(h, PS_PER_NS));
        }
        AtomicFile.write(
                directory.resolve(RunFiles.STATS),
                RunFiles.stats(stack.sim().stats(), stack.sim().now(), source));
        if (waves != null && waveFile != null) {
            waves.finish();
            waveFile.commit();
        }
    }

    /** Returns what the capture lacks, empty if it is whole or there is none. */
    public String remark() {
        return limit == null ? "" : limit.remark();
    }

    @Override
    public void close() {
        if (capture != null) {
            capture.close();
        }
        if (waveFile != null) {
            waveFile.close();
        }
    }
}
