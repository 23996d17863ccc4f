package dev.clockwire.bench.perftest;

import dev.clockwire.bench.artefact.FrameOrder;
import dev.clockwire.bench.explain.StageReport;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs operations one at a time on otherwise idle hosts and explains one of them: the first, or the slowest. */
public final class OperationRun {
    private static final int STAMPS = 1 << 22;
    private static final long STRETCH_PS = 20_000_000;

    private final PerftestSpec spec;
    private final Testbed bed;
    private final Recorder recorder;
    private final OneAtATime client;
    private final FrameOrder order;
    private final List<FrameOrder.Frame> frames = new ArrayList<>();

    /** Builds hosts and programs for a specification of one queue pair and one message in flight. */
    public OperationRun(PerftestSpec spec) {
        this.spec = spec;
        bed = new Testbed(spec, STAMPS);
        recorder = new Recorder(spec);
        client = new OneAtATime(spec, bed.client, bed.server, recorder);
        if (spec.tool().verb() == Verb.SEND) {
            bed.server.lab.core().run(new StreamReceiver(spec, bed.server, bed.client));
        }
        order = FrameOrder.watch(bed.lab, frames::add);
    }

    /** Returns the simulated hosts, for observers. */
    public Lab lab() {
        return bed.lab;
    }

    /** Runs all operations and returns the slowest, the first of several. */
    public OperationResult run() {
        bed.client.lab.core().run(client);
        long at = bed.lab.sim().now();
        while (client.endPs() < 0) {
            at += STRETCH_PS;
            bed.lab.sim().run(at);
        }
        bed.lab.sim().run(at + STRETCH_PS);
        order.flush();
        int slowest = 0;
        long[] latencies = recorder.flights.latencies();
        for (int i = 1; i < latencies.length; i++) {
            slowest = latencies[i] > latencies[slowest] ? i : slowest;
        }
        return explain(slowest);
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
        long next = i + 1 < flights.count() ? flights.posted(i + 1) : Long.MAX_VALUE;
        return new OperationResult(
                spec.tool().verb().name().toLowerCase(Locale.ROOT),
                spec.size(),
                (end - start) / 1000.0,
                Math.round((end - start) / cyclePs * 1000) / 1000.0,
                stages,
                wire(start, next));
    }

    private List<OperationResult.WireFrame> wire(long from, long until) {
        List<OperationResult.WireFrame> wire = new ArrayList<>();
        for (FrameOrder.Frame f : frames) {
            if (f.ps() >= from && f.ps() < until) {
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
