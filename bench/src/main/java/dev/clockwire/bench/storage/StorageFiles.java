package dev.clockwire.bench.storage;

import dev.clockwire.bench.artefact.LinkSeries;
import dev.clockwire.bench.artefact.Provenance;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.artefact.WaveChoice;
import dev.clockwire.bench.explain.PercentileWaterfall;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.load.KeptOperations;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.OperationSteps;
import dev.clockwire.storage.load.OperationTrail;
import dev.clockwire.storage.load.StepOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a run of a storage system, from its first start on: every frame once, at the port that sends it. */
public final class StorageFiles implements Consumer<Cluster>, AutoCloseable {
    /** Stamps that are kept: the last few thousand messages. */
    public static final int STAMPS = 1 << 18;

    private final Path directory;
    private final Provenance source;
    private final @Nullable WaveChoice choice;
    private final long most;
    private final OperationTrail trail = new OperationTrail();
    private @Nullable RunFiles files;
    private @Nullable LinkSeries series;

    /**
     * Prepares for a directory that exists.
     *
     * @param choice null for no waves
     * @param most bytes of the capture, 0 = as many as come
     */
    public StorageFiles(Path directory, Provenance source, @Nullable WaveChoice choice, long most) {
        this.directory = directory;
        this.source = source;
        this.choice = choice;
        this.most = most;
    }

    /** Starts to record a cluster on which nothing runs yet. */
    @Override
    public void accept(Cluster cluster) {
        List<RunFiles.Port> ports = new ArrayList<>();
        List<LabHost> hosts = cluster.lab().hosts();
        for (int i = 0; i < hosts.size(); i++) {
            LinkEnd own = cluster.lab().wiring().hostEnd(i);
            Link line = cluster.lab().wiring().hostLink(i);
            ports.add(new RunFiles.Port(hosts.get(i).name(), own));
            ports.add(new RunFiles.Port("switch." + hosts.get(i).name(), line.a() == own ? line.b() : line.a()));
        }
        cluster.follow(trail);
        RunFiles made = new RunFiles(cluster.sim(), hosts, ports, directory, source, choice, most);
        List<LinkEnd> ends = cluster.lab().wiring().links().stream()
                .flatMap(line -> Stream.of(line.a(), line.b()))
                .toList();
        LinkSeries looks = made.sampled(RunFiles.LOOK_PS, ends);
        looks.ports(cluster.lab().wiring());
        files = made;
        series = looks;
    }

    /** Has a load looked at over time, too. */
    public void observe(Load load) {
        LinkSeries looks = series;
        if (looks != null) {
            for (int i = 0; i < load.clients(); i++) {
                int client = i;
                looks.load(
                        "client" + i, () -> load.ended(client), () -> load.bytes(client), () -> load.underWay(client));
            }
        }
    }

    /**
     * Completes the files.
     *
     * @param order how steps of the system follow each other
     * @return what they lack
     */
    public List<String> finish(LoadResult result, StepOrder order) {
        RunFiles made = files;
        if (made == null) {
            return List.of();
        }
        List<PercentileWaterfall> falls = new ArrayList<>(falls("write", trail.writes(), order));
        falls.addAll(falls("read", trail.reads(), order));
        made.finish(result.latency(), falls);
        return made.remarks();
    }

    private static List<PercentileWaterfall> falls(String op, KeptOperations known, StepOrder order) {
        return PercentileWaterfall.all(op, known.latency(), ps -> {
            OperationSteps near = known.nearest(ps);
            return near == null ? Map.of() : order.path(near).perStage();
        });
    }

    /** After a run that failed: see {@link RunFiles#salvage}. */
    public boolean salvage() {
        RunFiles made = files;
        return made != null && made.salvage();
    }

    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
    }
}
