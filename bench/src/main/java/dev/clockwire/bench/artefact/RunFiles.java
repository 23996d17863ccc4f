package dev.clockwire.bench.artefact;

import dev.clockwire.bench.explain.PercentileWaterfall;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.capture.PcapngWriter;
import dev.clockwire.sim.error.SimException;
import dev.clockwire.sim.export.AtomicFile;
import dev.clockwire.sim.export.JsonWriter;
import dev.clockwire.sim.export.StatsFile;
import dev.clockwire.sim.export.TimelineSlice;
import dev.clockwire.sim.stats.HgrmText;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.wave.ChannelWaits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of one run: capture, statistics, latencies, timeline and, if asked for, waves. What stands in them follows from the trace and the command that made
 * it, so equal traces leave equal files: no date, host, path or wall clock. Only where a value of the profile was given stands there as it was given.
 */
public final class RunFiles implements AutoCloseable {
    /** Every frame, once. */
    public static final String CAPTURE = "capture.pcapng";

    /** All statistics. */
    public static final String STATS = "stats.json";
    /** Rates and queues of a fabric over time. */
    public static final String SERIES = "series.csv";
    /** The same, drawn. */
    public static final String PLOT = "series.svg";
    /** Some operations stage by stage. */
    public static final String OPERATIONS = "operations.json";
    /** First field of {@link #OPERATIONS}. */
    public static final String OPERATIONS_SCHEMA = OperationWindows.SCHEMA;
    /** Latency over percentile. */
    public static final String LATENCY = "latency.hgrm";
    /** The page of all this, made later. */
    public static final String REPORT = "report.html";
    /** The page of this run beside others. */
    public static final String COMPARISON = "comparison.html";
    /** First field of {@link #STATS}. */
    public static final String SCHEMA = "clockwire.stats/1";

    static final String TIMELINE = "timeline.perfetto-trace";
    static final String WAVES = "waves.vcd";
    private static final List<String> ALL =
            List.of(STATS, LATENCY, TIMELINE, WAVES, CAPTURE, SERIES, PLOT, OPERATIONS, REPORT, COMPARISON);
    /** Time between looks at links at first, of runs of many operations. */
    public static final long LOOK_PS = 1_000_000;

    private static final int HEAD_BYTES = 256;
    private static final double PS_PER_NS = 1000;
    private static final double PS_PER_US = 1e6;

    private final Sim sim;
    private final Path directory;
    private final Provenance source;
    private final @Nullable PcapngWriter capture;
    private final @Nullable CaptureLimit limit;
    private final @Nullable FrameOrder order;
    private final @Nullable WaveFile waves;
    private @Nullable OperationTimeline timeline;
    private final ChannelWaits waits;
    private final List<String> remarks = new ArrayList<>();
    private @Nullable SampledLinks links;
    private long beganPs;

    /** A port that sends frames, by its name in the capture. */
    public record Port(String name, LinkEnd end) {}

    /** Starts to watch frames, and hands them on in order. */
    @FunctionalInterface
    private interface Watching {
        FrameOrder begin(FrameOrder.Sink sink);
    }

    /**
     * Starts to record a lab; the directory exists.
     *
     * @param choice null for no waves
     */
    public RunFiles(Lab lab, Path directory, Provenance source, @Nullable WaveChoice choice) {
        this(lab, directory, source, choice, FrameOrder.View.LINE);
    }

    /** Starts to record a lab whose frames are looked at somewhere. */
    public RunFiles(Lab lab, Path directory, Provenance source, @Nullable WaveChoice choice, FrameOrder.View view) {
        this(
                lab.sim(),
                List.of(lab.a(), lab.b()),
                List.of("host0.nic", "host1.nic"),
                sink -> FrameOrder.watch(lab, view, sink),
                directory,
                source,
                choice,
                0);
    }

    /**
     * Starts to record a simulation before it runs; the directory exists.
     *
     * @param ports whose frames are captured, each of which has no other observer; none for no capture
     * @param most bytes of the capture, 0 = as many as come
     */
    public RunFiles(
            Sim sim, List<Port> ports, Path directory, Provenance source, @Nullable WaveChoice choice, long most) {
        this(sim, List.of(), ports, directory, source, choice, most);
    }

    /**
     * Does the same.
     *
     * @param hosts whose operations are shown in the timeline, in the order of the numbers of their devices
     */
    public RunFiles(
            Sim sim,
            List<LabHost> hosts,
            List<Port> ports,
            Path directory,
            Provenance source,
            @Nullable WaveChoice choice,
            long most) {
        this(
                sim,
                hosts,
                ports.stream().map(Port::name).toList(),
                sink -> FrameOrder.watch(sim::now, ports.stream().map(Port::end).toList(), sink),
                directory,
                source,
                choice,
                most);
    }

    private RunFiles(
            Sim sim,
            List<LabHost> hosts,
            List<String> ports,
            Watching watching,
            Path directory,
            Provenance source,
            @Nullable WaveChoice choice,
            long most) {
        this.sim = sim;
        this.directory = directory;
        this.source = source;
        timeline = sim.journeys() == null ? null : new OperationTimeline(sim, hosts);
        waits = new ChannelWaits(sim);
        if (ports.isEmpty()) {
            capture = null;
            limit = null;
            order = null;
        } else {
            PcapngWriter writer =
                    PcapngWriter.create(directory.resolve(CAPTURE), "Clockwire " + source.version(), source.line());
            int[] ids = ports.stream().mapToInt(writer::addInterface).toArray();
            CaptureLimit bounded = new CaptureLimit(writer, most);
            capture = writer;
            limit = bounded;
            order = watching.begin(f -> bounded.write(ids[f.port()], f));
        }
        if (choice == null) {
            waves = null;
        } else {
            waves = new WaveFile(sim, directory.resolve(WAVES), choice, source.line());
        }
    }

    /**
     * Completes the files after the run.
     *
     * @param latenciesPs one for each message
     * @param unitPs what a latency counts in ps, 0.5 for half round trips
     * @param waterfalls of the operations at some percentiles
     * @param operations whose stamps are all kept; none if there are no operations but journeys
     */
    public void finish(
            long[] latenciesPs, double unitPs, List<PercentileWaterfall> waterfalls, List<Operation> operations) {
        Histogram latency = new Histogram("latency", "ps", "Latency of a message");
        for (long value : latenciesPs) {
            latency.record((long) (value * unitPs));
        }
        finish(latency, waterfalls, operations);
    }

    /**
     * Completes the files after the run.
     *
     * @param latency in ps, null if there is none
     */
    public void finish(@Nullable Histogram latency) {
        finish(latency, List.of(), List.of());
    }

    /**
     * Completes the files after the run.
     *
     * @param latency in ps, null if there is none
     * @param waterfalls of the operations at some percentiles
     */
    public void finish(@Nullable Histogram latency, List<PercentileWaterfall> waterfalls) {
        finish(latency, waterfalls, List.of());
    }

    private void finish(@Nullable Histogram latency, List<PercentileWaterfall> waterfalls, List<Operation> operations) {
        capture();
        if (latency != null) {
            AtomicFile.write(
                    directory.resolve(LATENCY), HgrmText.of(latency, PS_PER_NS) + "#[" + source.line() + "]\n");
        }
        AtomicFile.write(
                directory.resolve(STATS), stats(sim.stats(), sim.now(), source, waterfalls, table(sim, waits)));
        series();
        timeline();
        journeys(sim, directory, source, latency == null ? 0 : latency.count(), operations, beganPs);
        if (waves != null) {
            waves.finish();
        }
    }

    private void capture() {
        if (capture != null && order != null) {
            order.flush();
            capture.commit();
        }
    }

    /**
     * After a run that failed: completes the ring of waves, and of the other files those that can be made in the state in which it stopped.
     *
     * @return whether there was a ring; without one nothing is completed
     */
    public boolean salvage() {
        if (waves == null || !waves.isRing()) {
            return false;
        }
        waves.finish();
        String stats = stats(sim.stats(), sim.now(), source, List.of(), table(sim, waits));
        AtomicFile.write(directory.resolve(STATS), stats);
        for (Runnable file : List.<Runnable>of(
                this::capture, this::series, this::timeline, () -> journeys(sim, directory, source))) {
            try {
                file.run();
            } catch (SimException e) { // what broke the run may break them: the failure itself is what counts
                remarks.add("not all files could be written: " + e.getMessage());
            }
        }
        return true;
    }

    /** Returns what capture and waves lack, nothing if they are whole. */
    public List<String> remarks() {
        List<String> all = new ArrayList<>(remarks);
        all.add(limit == null ? "" : limit.remark());
        all.add(waves == null ? "" : waves.remark());
        all.removeIf(String::isEmpty);
        return all;
    }

    /** Begins to look at the links in the statistics over time, for {@link #SERIES}; at first each us, in which a few packets go. */
    public LinkSeries sampled() {
        return sampled(LOOK_PS, List.of());
    }

    /**
     * Begins to look at links over time, for {@link #SERIES}.
     *
     * @param everyPs time between looks at first, see {@link SampledLinks}
     * @param ends of Ethernet links that are not in the statistics
     * @return what is looked at; more may be added
     */
    public LinkSeries sampled(long everyPs, List<LinkEnd> ends) {
        SampledLinks looks = new SampledLinks(new LinkSeries(sim.stats(), ends), everyPs);
        links = looks;
        sim.look(looks);
        return looks.links();
    }

    /** Says when the load of the run began: {@link #OPERATIONS} shows nothing of what was before, such as connecting. */
    public void began(long ps) {
        beganPs = ps;
    }

    /** Has more shown in the timeline: what lies above the operations of NICs. */
    public void show(List<TimelineSlice> slices) {
        if (timeline == null && !slices.isEmpty()) {
            timeline = new OperationTimeline(sim, List.of());
        }
        if (timeline != null) {
            timeline.add(slices);
        }
    }

    private void series() {
        if (links != null) {
            links.finish(sim.now());
            AtomicFile.write(directory.resolve(SERIES), links.csv());
        }
    }

    private void timeline() {
        if (timeline != null) {
            try (AtomicFile file = new AtomicFile(directory.resolve(TIMELINE))) {
                timeline.write(source.line(), file.stream());
                file.commit();
            }
        }
    }

    private static void journeys(
            Sim sim, Path directory, Provenance source, long count, List<Operation> operations, long fromPs) {
        OperationWindows windows = new OperationWindows(index(sim), sim.stages(), operations, fromPs);
        if (!windows.isEmpty() && source.hardware() != null) {
            double cyclePs = PS_PER_US / source.hardware().integer("nic.core_mhz");
            AtomicFile.write(
                    directory.resolve(OPERATIONS),
                    windows.json(source, operations.isEmpty() ? windows.count() : count, cyclePs));
        }
    }

    private static JourneyIndex index(Sim sim) {
        JourneyLog journeys = sim.journeys();
        return journeys == null ? new JourneyIndex() : new JourneyIndex(journeys);
    }

    /** Writes some journeys of a run as operations into a directory, if there are any. */
    public static void journeys(Sim sim, Path directory, Provenance source) {
        journeys(sim, directory, source, 0, List.of(), 0);
    }

    /**
     * Returns the statistics of a run as a document.
     *
     * @param sim whose operations were followed and whose channels were watched, null if none is
     * @param waits of its channels, null if nobody watched them
     */
    public static String stats(
            StatRegistry stats, long now, Provenance source, @Nullable Sim sim, @Nullable ChannelWaits waits) {
        return stats(stats, now, source, List.of(), sim == null || waits == null ? null : table(sim, waits));
    }

    private static WaitTable table(Sim sim, ChannelWaits waits) {
        return new WaitTable(waits, index(sim), sim.stages());
    }

    private static String stats(
            StatRegistry stats,
            long now,
            Provenance source,
            List<PercentileWaterfall> waterfalls,
            @Nullable WaitTable waits) {
        StringBuilder text = new StringBuilder();
        JsonWriter json = new JsonWriter(text);
        json.beginObject().field("schema", SCHEMA);
        source.write(json);
        json.field("simulated_ps", now);
        if (!waterfalls.isEmpty()) {
            write(waterfalls, json.name("waterfalls"));
        }
        if (waits != null) {
            waits.write(json.name("waits"));
        }
        StatsFile.json(stats, now, json.name("stats"));
        json.endObject().finish();
        return text.toString();
    }

    private static void write(List<PercentileWaterfall> waterfalls, JsonWriter json) {
        json.beginArray();
        for (PercentileWaterfall w : waterfalls) {
            json.beginObject();
            if (!w.op().isEmpty()) {
                json.field("op", w.op());
            }
            json.field("percentile", w.percentile()).field("latency_ns", w.latencyNs());
            json.name("stages").beginArray();
            for (PercentileWaterfall.Share share : w.stages()) {
                json.beginObject().field("stage", share.stage()).field("ns", share.ns());
                if (!Double.isNaN(share.waitNs())) {
                    json.field("wait_ns", share.waitNs());
                }
                json.endObject();
            }
            json.endArray().endObject();
        }
        json.endArray();
    }

    /**
     * Returns the files that an earlier run has left in a directory. Its statistics tell a run's files from others of the same names;
     * without them there is no run.
     */
    public static List<Path> left(Path directory) throws IOException {
        Path stats = directory.resolve(STATS);
        if (!Files.isRegularFile(stats)) {
            return List.of();
        }
        try (InputStream in = Files.newInputStream(stats)) {
            String head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
            return head.contains('"' + SCHEMA + '"')
                    ? ALL.stream()
                            .map(directory::resolve)
                            .filter(Files::isRegularFile)
                            .toList()
                    : List.of();
        }
    }

    /** Gives up what was not finished. */
    @Override
    public void close() {
        if (capture != null) {
            capture.close();
        }
        if (waves != null) {
            waves.close();
        }
    }
}
