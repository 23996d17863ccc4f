package dev.clockwire.bench.perftest;

import dev.clockwire.bench.artefact.Operation;
import dev.clockwire.bench.explain.Excess;
import dev.clockwire.bench.explain.PercentileWaterfall;
import dev.clockwire.bench.explain.StageReport;
import dev.clockwire.bench.explain.TailReport;
import dev.clockwire.bench.fault.FaultReport;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.stats.Percentiles;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.Losses;
import dev.clockwire.sim.trace.StageChain;
import dev.clockwire.sim.trace.Waterfall;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** One run of one tool and one size: two hosts, their programs, what was measured. */
public final class PerftestRun {
    /** Stamps that are kept: the stages of the last few thousand operations. */
    private static final int STAMPS = 1 << 18;

    /** The run is looked at after so much simulated time; an end inside does not cut it short, so traces do not depend on it. */
    private static final long STRETCH_PS = 20_000_000;

    private static final int HASH_PIECE = 1 << 20;
    private static final double PS_PER_US = 1e6;

    private final PerftestSpec spec;
    private final Testbed bed;
    private final Recorder recorder;
    private final Program client;
    private @Nullable LongList seenByPeer;
    private @Nullable Program server;
    private boolean interrupted;
    private double wallS;
    private double cpuS;
    private List<CoreShare> cores = List.of();

    /** Builds hosts and programs; nothing has happened on the wire then. */
    public PerftestRun(PerftestSpec spec) {
        this(spec, false);
    }

    /** Builds the same; with a sanitizer {@code lab().sanitizer()} says who touched memory that was somebody else's. */
    public PerftestRun(PerftestSpec spec, boolean sanitizer) {
        this.spec = spec;
        bed = new Testbed(spec, spec.provider() == Provider.HW ? STAMPS : 0, sanitizer);
        recorder = new Recorder(spec);
        client = programs();
    }

    private Program programs() {
        Tool tool = spec.tool();
        if (tool == Tool.WRITE_LAT) {
            WritePingPong answer = new WritePingPong(spec, bed.server, bed.client, null);
            seenByPeer = answer.seen;
            serve(answer);
            return new WritePingPong(spec, bed.client, bed.server, recorder);
        }
        if (tool == Tool.SEND_LAT) {
            SendPingPong answer = new SendPingPong(spec, bed.server, bed.client, null);
            seenByPeer = answer.seen;
            serve(answer);
            return new SendPingPong(spec, bed.client, bed.server, recorder);
        }
        if (tool.isLatency()) {
            return new OneAtATime(spec, bed.client, bed.server, recorder);
        }
        if (tool == Tool.SEND_BW) {
            serve(new StreamReceiver(spec, bed.server, bed.client));
        }
        return new StreamSender(spec, bed.client, bed.server, recorder);
    }

    private void serve(Program program) {
        server = program;
        bed.server.lab.core().run(program);
    }

    /** Returns the simulated hosts, for observers. */
    public Lab lab() {
        return bed.lab;
    }

    /** Returns the client's end of each queue pair. */
    public List<EndPoint> local() {
        return endPoints(bed.client);
    }

    /** Returns the server's end of each queue pair. */
    public List<EndPoint> remote() {
        return endPoints(bed.server);
    }

    /** Returns the queue pairs of the client or the server. */
    public List<QueuePair> queuePairs(boolean ofServer) {
        return List.copyOf((ofServer ? bed.server : bed.client).qps);
    }

    private List<EndPoint> endPoints(Side side) {
        return IntStream.range(0, spec.qps())
                .mapToObj(q -> side.endPoint(q, spec.ipv6()))
                .toList();
    }

    /**
     * Runs to the end and returns what was measured.
     *
     * @param stop asked now and then; when it holds the run ends early and says so
     */
    public PerftestResult run(BooleanSupplier stop) {
        long wall = System.nanoTime();
        long cpu = cpuNanos();
        var sim = bed.lab.sim();
        bed.client.lab.core().run(client);
        long at = sim.now();
        CoreShare.Mark ofClient = CoreShare.Mark.of(bed.client.lab);
        CoreShare.Mark ofServer = CoreShare.Mark.of(bed.server.lab);
        client.atEnd(() -> cores = List.of(ofClient.until(bed.client.lab), ofServer.until(bed.server.lab)));
        Progress progress = new Progress(at, spec);
        Ending ending = new Ending(bed.lab, client, server);
        while (!client.isDone()) {
            if (stop.getAsBoolean() && !interrupted) {
                interrupted = true;
                recorder.stop();
            }
            at += STRETCH_PS;
            sim.run(at);
            ending.check();
            progress.check(recorder.flights.count(), at);
        }
        // what is still on its way arrives: last acknowledgements, retired work requests
        sim.run(at + STRETCH_PS);
        wallS = (System.nanoTime() - wall) / 1e9;
        cpuS = (cpuNanos() - cpu) / 1e9;
        return result();
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private PerftestResult result() {
        Flights flights = recorder.flights;
        long[] latencies = flights.latencies();
        long span = Math.max(1, flights.spanPs());
        double unit = spec.tool().isPingPong() ? 0.5 : 1;
        int ways = spec.tool().isPingPong() ? 2 : 1;
        double rate = (double) ways * flights.count() / span;
        long endPs = Math.max(client.endPs(), flights.lastPs());
        return new PerftestResult(
                spec.tool().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                spec.size(),
                spec.iterations() > 0 && !interrupted ? spec.iterations() : flights.count() / spec.qps(),
                spec.qps(),
                spec.txDepth(),
                spec.mtu(),
                LatencyFigures.of(latencies, unit),
                rate * spec.size() * 8 * 1000,
                rate * PS_PER_US,
                flights.inFlightAverage(),
                endPs / 1000.0,
                (long) (endPs / cyclePs()),
                bed.lab.sim().events(),
                bed.lab.sim().evaluations(),
                wallS,
                cpuS,
                hex(bed.lab.sim().traceHash()),
                hex(contentHash()),
                stages(flights, latencies),
                recorder.endedEarly(),
                interrupted ? Boolean.TRUE : null,
                null,
                spec.faults().isEmpty() ? null : FaultReport.of(bed.lab.faults()),
                client instanceof StreamSender sender && sender.outOfOrder() > 0 ? sender.outOfOrder() : null,
                null,
                cores,
                flights.peakRate(),
                spec.iterations() > 0 && !interrupted ? spec.iterations() * spec.qps() : flights.count());
    }

    /** Returns all latencies in ps in the order of completion; of ping-pong tools whole round trips. */
    public long[] latenciesPs() {
        return recorder.flights.latencies();
    }

    /**
     * Returns where the time went of the operations at some percentiles; after the run. A percentile is left out if no operation near it has
     * all its stamps in the log still.
     */
    public List<PercentileWaterfall> waterfalls() {
        JourneyLog log = bed.lab.sim().journeys();
        Flights flights = recorder.flights;
        if (log == null || flights.count() == 0 || spec.provider() == Provider.SOFT) {
            return List.of();
        }
        long[] sorted = flights.latencies().clone();
        Arrays.sort(sorted);
        int ways = spec.tool().isPingPong() ? 2 : 1;
        List<PercentileWaterfall> all = new ArrayList<>();
        for (double percentile : PercentileWaterfall.PERCENTILES) {
            long latency = Percentiles.of(sorted, sorted.length, percentile);
            int i = MedianOperation.nearest(flights, log, latency);
            if (i >= 0
                    && Math.abs(flights.done(i) - flights.posted(i) - latency) <= latency * PercentileWaterfall.NEAR) {
                all.add(PercentileWaterfall.of(
                        percentile,
                        1.0 / ways,
                        IntStream.range(0, ways).mapToObj(way -> path(i, way)).toList()));
            }
        }
        return all;
    }

    /** Returns the operations whose stamps are all kept; after the run. */
    public List<Operation> operations() {
        return MedianOperation.kept(
                recorder.flights, bed.lab.sim().journeys(), spec.tool().isPingPong() ? 2 : 1);
    }

    /** Returns the period of the NIC's core clock in ps. */
    public double cyclePs() {
        return 1e6 / spec.profile().integer("nic.core_mhz");
    }

    private static String hex(long hash) {
        return String.format(Locale.ROOT, "0x%016x", hash);
    }

    private List<StageReport> stages(Flights flights, long[] latencies) {
        JourneyLog log = bed.lab.sim().journeys();
        if (log == null || latencies.length == 0 || spec.provider() == Provider.SOFT) {
            return List.of();
        }
        long[] sorted = latencies.clone();
        Arrays.sort(sorted);
        int i = MedianOperation.nearest(flights, log, Percentiles.of(sorted, sorted.length, 50));
        return i < 0 ? List.of() : MedianOperation.stages(path(i, 0), cyclePs());
    }

    /**
     * Finds the way of a message, or of the peer's answer to it.
     *
     * @param way 0 from the post to its completion, of ping-pong tools to where the peer saw it; 1 from there back
     */
    private Waterfall path(int i, int way) {
        Sim sim = bed.lab.sim();
        Flights flights = recorder.flights;
        LongList seen = seenByPeer;
        long first = (1 + way) * MedianOperation.FIRST_JOURNEY;
        StageChain chain = seen == null ? Paths.toCompletion(spec.tool().verb(), spec.connection()) : Paths.toPeer();
        if (spec.buffers() == BufferKind.EACH) {
            chain.waits("the registration", "post");
        }
        long turn = seen == null ? flights.done(i) : seen.get(i);
        return MedianOperation.path(
                sim,
                Objects.requireNonNull(sim.journeys()),
                chain,
                first + flights.id(i),
                way == 0 ? flights.posted(i) : turn,
                way == 0 ? turn : flights.done(i),
                cyclePs());
    }

    /**
     * Runs all this again and explains why its slowest messages were slow; to be called after the run, which was not interrupted. Of a
     * ping-pong it is the round trip that is explained, at half its length as its latency.
     */
    public TailReport tail() {
        Flights flights = recorder.flights;
        if (spec.provider() == Provider.SOFT || flights.count() == 0 || interrupted) {
            throw new ConfigurationException(
                    "the tail is explained of messages on simulated hardware that have arrived");
        }
        int ways = spec.tool().isPingPong() ? 2 : 1;
        TailChoice choice = new TailChoice(flights.latencies());
        PerftestRun again = new PerftestRun(spec);
        Objects.requireNonNull(again.bed.lab.sim().journeys())
                .follow(
                        choice.all().stream()
                                .flatMapToLong(i -> LongStream.rangeClosed(1, ways)
                                        .map(device -> device * MedianOperation.FIRST_JOURNEY + flights.id(i)))
                                .toArray(),
                        choice.all().stream().mapToLong(flights::posted).toArray(),
                        choice.all().stream().mapToLong(flights::done).toArray());
        again.run(() -> false);
        return Tail.of(
                choice,
                flights.count(),
                1.0 / ways,
                i -> new Excess.Waterfalls(IntStream.range(0, ways)
                        .mapToObj(way -> again.path(i, way))
                        .toList()),
                new Losses(
                        Objects.requireNonNull(bed.lab.sim().journeys()),
                        bed.lab.sim().stages()));
    }

    /** Folds what has arrived on both sides; in mode {@code sizes} that is who wrote what where. */
    private long contentHash() {
        long hash = 0;
        Payload piece = new Payload();
        for (Side side : List.of(bed.client, bed.server)) {
            long length = side.recvRegion.length();
            for (long at = 0; at < length; at += HASH_PIECE) {
                piece.clear();
                side.memory().look(side.recvRegion.address() + at, (int) Math.min(HASH_PIECE, length - at), piece);
                hash = RandomStream.mix(hash * 31 + piece.digest());
            }
        }
        return hash;
    }
}
