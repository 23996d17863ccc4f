package dev.clockwire.bench.perftest;

import dev.clockwire.bench.artefact.FrameOrder;
import dev.clockwire.bench.explain.StageReport;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    private final int wanted;

    /**
     * Builds hosts and programs for a specification of one queue pair and one message in flight. Of several operations the slowest
     * is looked for first, in a run of its own: then only its own stamps and frames need to be kept.
     */
    public OperationRun(PerftestSpec spec) {
        this(spec.withIterations(spec.iterations() > 1 ? new OperationRun(spec, 0).slowest() + 1 : 1), STAMPS);
    }

    /** Explains the last operation of a specification. */
    private OperationRun(PerftestSpec spec, int stamps) {
        this.spec = spec;
        wanted = (int) spec.iterations() - 1;
        bed = new Testbed(spec, stamps);
        recorder = new Recorder(spec) {
            @Override
            void done(long postedPs, long donePs, long id) {
                super.done(postedPs, donePs, id);
                forgetOthers();
            }
        };
        client = new OneAtATime(spec, bed.client, bed.server, recorder);
        if (spec.tool().verb() == Verb.SEND) {
            server = new StreamReceiver(spec, bed.server, bed.client);
            bed.server.lab.core().run(server);
        }
        order = FrameOrder.watch(bed.lab, this::keep);
    }

    private void keep(FrameOrder.Frame frame) {
        if (recorder.flights.count() >= wanted) {
            frames.add(frame);
        }
    }

    private void forgetOthers() {
        JourneyLog log = bed.lab.sim().journeys();
        if (log != null && recorder.flights.count() == wanted) {
            log.clear();
        }
    }

    /** Returns the simulated hosts, for observers. */
    public Lab lab() {
        return bed.lab;
    }

    /** Returns the latency of each operation that was run, in ps; the last one is the one explained. */
    public long[] latenciesPs() {
        return recorder.flights.latencies();
    }

    private int slowest() {
        runTo();
        int slowest = 0;
        long[] latencies = recorder.flights.latencies();
        for (int i = 1; i < latencies.length; i++) {
            slowest = latencies[i] > latencies[slowest] ? i : slowest;
        }
        return slowest;
    }
    /**
     * Runs the operations and explains the slowest, the first of several.
     *
     * @throws ConfigurationException if the operation leaves more stamps than can be kept
     */
    public OperationResult run() {
        runTo();
        return explain(wanted);
    }

    private void runTo() {
        bed.client.lab.core().run(client);
        Sim sim = bed.lab.sim();
        JourneyLog log = sim.journeys();
        long at = sim.now();
        Progress progress = new Progress(at, spec);
        Ending ending = new Ending(bed.lab, client, server);
        while (client.endPs() < 0) {
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
        Flights flights = recorder.flights;
        JourneyLog log = bed.lab.sim().journeys();
        if (log == null) {
            throw new InvariantViolation("the operation was not followed");
        }
        long start = flights.posted(i);
        long end = flights.done(i);
        double cyclePs = 1e6 / spec.profile().integer("nic.core_mhz");
        List<StageReport> stages = MedianOperation.stages(
                bed.lab.sim(),
                log,
                Paths.toCompletion(spec.tool().verb(), spec.connection()),
                flights.id(i),
                start,
                end,
                cyclePs);
        return new OperationResult(
                spec.tool().verb().name().toLowerCase(Locale.ROOT),
                spec.size(),
                (end - start) / 1000.0,
                Math.round((end - start) / cyclePs * 1000) / 1000.0,
                stages,
                wire(start));
    }

    private List<OperationResult.WireFrame> wire(long from) {
        List<OperationResult.WireFrame> wire = new ArrayList<>();
        for (FrameOrder.Frame f : frames) {
            if (f.ps() >= from) {
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
