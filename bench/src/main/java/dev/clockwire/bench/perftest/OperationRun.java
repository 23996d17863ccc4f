package dev.clockwire.bench.perftest;

import dev.clockwire.bench.artefact.FrameOrder;
import dev.clockwire.bench.artefact.Operation;
import dev.clockwire.bench.explain.Excess;
import dev.clockwire.bench.explain.PercentileWaterfall;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.Waterfall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs operations one at a time on otherwise idle hosts and explains one of them: the first, or the slowest. */
public final class OperationRun {
    private static final int STAMPS = 1 << 22;
    private static final long STRETCH_PS = 20_000_000;

    private final PerftestSpec spec;
    private @Nullable Program server;
    private final Testbed bed;
    private final Recorder recorder;
    private final OneAtATime client;
    private final FrameOrder order;
    private final List<FrameOrder.Frame> frames = new ArrayList<>();
    private final @Nullable TailChoice tail;
    private final int wanted;

    /**
     * Builds hosts and programs for a specification of one queue pair and one message in flight. Of several operations those to be
     * explained are looked for first, in a run of its own: then only their stamps and frames need to be kept.
     */
    public OperationRun(PerftestSpec spec) {
        this(spec, spec.iterations() > 1 ? new OperationRun(spec, null, 0).choose() : null, STAMPS);
    }

    private OperationRun(PerftestSpec spec, @Nullable TailChoice tail, int stamps) {
        this.spec = spec;
        this.tail = tail;
        wanted = tail == null ? 0 : tail.slowest();
        bed = new Testbed(spec, stamps);
        recorder = new Recorder(spec);
        client = new OneAtATime(spec, bed.client, bed.server, recorder);
        if (spec.tool().verb() == Verb.SEND) {
            server = new StreamReceiver(spec, bed.server, bed.client);
            bed.server.lab.core().run(server);
        }
        JourneyLog log = bed.lab.sim().journeys();
        if (log != null && tail != null) {
            // of one after the other, operation i is the client's post i + 1
            log.follow(tail.all().stream()
                    .mapToLong(i -> MedianOperation.FIRST_JOURNEY + i + 1)
                    .toArray());
        }
        order = FrameOrder.watch(bed.lab, this::keep);
    }

    /** Frames of the operation before may still be held back when it is done. */
    private void keep(FrameOrder.Frame frame) {
        int done = recorder.flights.count();
        if (done >= wanted && done <= wanted + 1) {
            frames.add(frame);
        }
    }

    /** Returns the simulated hosts, for observers. */
    public Lab lab() {
        return bed.lab;
    }

    /** Returns the latency of each operation that was run, in ps. */
    public long[] latenciesPs() {
        return recorder.flights.latencies();
    }

    /** Returns where the time of the slowest operation went, and of several that of the median one. */
    public List<PercentileWaterfall> waterfalls() {
        PercentileWaterfall slowest = PercentileWaterfall.of(100, 1, List.of(path(wanted)));
        return tail == null
                ? List.of(slowest)
                : List.of(PercentileWaterfall.of(50, 1, List.of(path(tail.median))), slowest);
    }

    /** Returns the operations; after the run. */
    public List<Operation> operations() {
        return MedianOperation.kept(recorder.flights, bed.lab.sim().journeys(), 1);
    }

    private TailChoice choose() {
        runTo(() -> false);
        return new TailChoice(latenciesPs());
    }

    /**
     * Runs the operations and explains the slowest, the first of several.
     *
     * @throws ConfigurationException if the operation leaves more stamps than can be kept
     */
    public OperationResult run() {
        return run(() -> false);
    }

    /**
     * Runs the same.
     *
     * @param stop asked now and then
     * @throws CancellationException when it holds
     */
    public OperationResult run(BooleanSupplier stop) {
        runTo(stop);
        return explain(wanted);
    }

    private void runTo(BooleanSupplier stop) {
        bed.client.lab.core().run(client);
        Sim sim = bed.lab.sim();
        JourneyLog log = sim.journeys();
        long at = sim.now();
        Progress progress = new Progress(at, spec);
        Ending ending = new Ending(bed.lab, client, server);
        while (client.endPs() < 0) {
            if (stop.getAsBoolean()) {
                throw new CancellationException("interrupted");
            }
            ending.check();
            progress.check(recorder.flights.count(), at);
            at += STRETCH_PS;
            sim.run(at);
            if (log != null && log.lost() > 0) {
                throw new ConfigurationException("explain -s " + spec.size() + " -m " + spec.mtu() + ": more than the "
                        + log.size() + " stamps that are kept; take a smaller size or a larger path MTU");
            }
        }
        sim.run(at + STRETCH_PS);
        order.flush();
    }

    private OperationResult explain(int i) {
        long total = recorder.flights.done(i) - recorder.flights.posted(i);
        double cyclePs = 1e6 / spec.profile().integer("nic.core_mhz");
        TailChoice choice = tail;
        return new OperationResult(
                spec.tool().verb().name().toLowerCase(Locale.ROOT),
                spec.size(),
                total / 1000.0,
                Math.round(total / cyclePs * 1000) / 1000.0,
                MedianOperation.stages(path(i), cyclePs),
                wire(i),
                choice == null
                        ? null
                        : Tail.of(
                                choice,
                                recorder.flights.count(),
                                1,
                                k -> new Excess.Waterfalls(List.of(path(k))),
                                null));
    }

    private Waterfall path(int i) {
        Flights flights = recorder.flights;
        Sim sim = bed.lab.sim();
        return MedianOperation.path(
                sim,
                Objects.requireNonNull(sim.journeys()),
                Paths.toCompletion(spec.tool().verb(), spec.connection()),
                MedianOperation.FIRST_JOURNEY + flights.id(i),
                flights.posted(i),
                flights.done(i),
                1e6 / spec.profile().integer("nic.core_mhz"));
    }

    private List<OperationResult.WireFrame> wire(int i) {
        Flights flights = recorder.flights;
        long from = flights.posted(i);
        long next = i + 1 < flights.count() ? flights.posted(i + 1) : Long.MAX_VALUE;
        List<OperationResult.WireFrame> wire = new ArrayList<>();
        for (FrameOrder.Frame f : frames) {
            if (f.ps() >= from && f.ps() < next) {
                Opcode opcode = Opcode.find(f.opcode());
                wire.add(new OperationResult.WireFrame(
                        wire.size() + 1,
                        opcode == null ? String.format(Locale.ROOT, "0x%02x", f.opcode()) : opcode.name(),
                        String.format(Locale.ROOT, "0x%06x", f.psn()),
                        f.bytes(),
                        (f.ps() - from) / 1000.0,
                        "host" + f.port()));
            }
        }
        return wire;
    }
}
