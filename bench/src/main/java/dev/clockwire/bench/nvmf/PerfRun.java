package dev.clockwire.bench.nvmf;

import dev.clockwire.bench.artefact.LinkSeries;
import dev.clockwire.bench.text.Patience;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.perf.PerfLoop;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.perf.PerfResult;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.perf.PerfStack;
import dev.clockwire.storage.perf.StageTimes;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A load over all queues of a stack, from connecting to the last I/O. */
public final class PerfRun {
    /** Stretches of simulated time between two looks at what the user wants. */
    private static final int STRETCHES = 50;
    /** Who wants to stop does not wait for the fiftieth part of an hour. */
    private static final long LONGEST_STEP_PS = 1_000_000_000L;

    private static final long PATIENCE_PS = 60_000_000_000_000L;
    /** What is outstanding at the end may take as long as this, and as twice the time of the run. */
    private static final long LEAST_DRAIN_PS = 250_000_000_000L;

    private static final double PS_PER_S = 1e12;
    private static final long PS_PER_US = 1_000_000L;

    private final NvmfSpec spec;
    private final BuiltStack built;
    private final PerfStack stack;
    private final List<PerfLoop> loops = new ArrayList<>();
    private long startedPs;
    private List<PerfStack.CoreUse> before = List.of();
    private List<PerfStack.CoreUse> after = List.of();
    private List<PerfStack.Tally> talliesBefore = List.of();
    private List<PerfStack.Tally> talliesAfter = List.of();
    private long measuredPs;
    private final Patience patience = new Patience();
    private boolean interrupted;
    private long undrained;
    private double wallS;
    private double cpuS;
    private @Nullable LinkSeries series;

    /** Builds the stack. */
    public PerfRun(NvmfSpec spec) {
        this(spec, Stacks.build(spec));
    }

    /** Takes a stack that is built. */
    public PerfRun(NvmfSpec spec, BuiltStack built) {
        this.spec = spec;
        this.built = built;
        stack = built.stack();
    }

    /** Has somebody told how far it is, if it takes long, and what it did not wait for. */
    public void tell(Consumer<String> notes) {
        patience.tell(notes);
    }

    /** Has the load looked at over time, too. */
    public void observed(LinkSeries looks) {
        series = looks;
        stack.ssds().forEach(s -> looks.level(s.path(), "commands", s::active));
    }

    private void observe(PerfQueue queue, PerfLoop loop) {
        LinkSeries looks = series;
        if (looks != null) {
            looks.load(
                    queue.name() + " from core " + queue.lcore(),
                    loop::ended,
                    () -> loop.ended() * spec.load().ioBytes(),
                    loop::outstanding);
        }
    }

    /** Returns when the first I/O was submitted, in ps. */
    public long startedPs() {
        return startedPs;
    }

    /** Returns the stack with its ports. */
    public BuiltStack built() {
        return built;
    }

    /** Returns the stack. */
    public PerfStack stack() {
        return stack;
    }

    /**
     * Runs the load.
     *
     * @param stop asked now and then whether to end early
     */
    public PerfResults run(BooleanSupplier stop) {
        long wall = System.nanoTime();
        long cpu = cpuNanos();
        stack.connect();
        Sim sim = stack.sim();
        PerfSpec load = spec.load();
        for (PerfQueue q : stack.queues()) {
            long base = q.allocate("perf.data" + loops.size(), (long) load.queueDepth() * load.ioBytes());
            PerfLoop loop =
                    new PerfLoop(load, q, base, RandomStream.named(spec.kernel().seed(), "perf." + loops.size()));
            observe(q, loop);
            loops.add(loop);
        }
        startedPs = sim.now();
        loops.forEach(PerfLoop::start);
        advance(startedPs + load.warmupPs(), stop);
        before = stack.cores();
        talliesBefore = stack.tallies();
        long from = sim.now();
        advance(startedPs + load.warmupPs() + load.timePs(), stop);
        after = stack.cores();
        talliesAfter = stack.tallies();
        measuredPs = sim.now() - from;
        if (!drain(stop)) {
            throw new InvariantViolation(stack.sim().root().path(), sim.now(), "I/Os of the load never end");
        }
        wallS = (System.nanoTime() - wall) / 1e9;
        cpuS = (cpuNanos() - cpu) / 1e9;
        return results();
    }

    /**
     * Lets what is outstanding end, unless somebody wants to stop or it takes much longer than the run; no figure depends on it. Returns false if
     * nothing ends.
     */
    private boolean drain(BooleanSupplier stop) {
        Sim sim = stack.sim();
        PerfSpec load = spec.load();
        long began = sim.now();
        long enough = began + Math.max(LEAST_DRAIN_PS, 2 * (load.warmupPs() + load.timePs()));
        long first = outstanding();
        boolean done = false;
        while (!done && !interrupted && sim.now() < began + PATIENCE_PS) {
            done = sim.runUntil(this::isDone, sim.now() + LONGEST_STEP_PS);
            interrupted = !done && stop.getAsBoolean();
            long left = done ? 0 : outstanding();
            if (left > 0 && left < first && sim.now() >= enough) {
                undrained = left;
                patience.say(left + " I/Os of " + first + " are still outstanding " + (enough - began) / PS_PER_S
                        + " s after the end: not waited for; no figure depends on them");
                return true;
            }
            patience.look(() -> "the time is over, " + left + " I/Os of " + first + " are still outstanding");
        }
        return done || interrupted;
    }

    private long outstanding() {
        return loops.stream().mapToLong(PerfLoop::outstanding).sum();
    }

    private boolean isDone() {
        for (int i = 0; i < loops.size(); i++) {
            if (!loops.get(i).isDone()) {
                return false;
            }
        }
        return true;
    }

    private void advance(long to, BooleanSupplier stop) {
        Sim sim = stack.sim();
        long step = Math.max(1, Math.min(LONGEST_STEP_PS, (to - sim.now()) / STRETCHES));
        while (sim.now() < to && !interrupted) {
            sim.run(Math.min(to, sim.now() + step));
            interrupted = stop.getAsBoolean();
            patience.look(() -> (sim.now() - startedPs) / PS_PER_US + " us of "
                    + (spec.load().warmupPs() + spec.load().timePs()) / PS_PER_US + " us are simulated");
            if (spec.load().mostIos() > 0 && isDone()) {
                return;
            }
        }
    }

    private PerfResults results() {
        List<PerfResults.Row> rows = new ArrayList<>();
        Histogram all = null;
        StageTimes stages = null;
        for (int i = 0; i < loops.size(); i++) {
            PerfResult r = loops.get(i).result();
            PerfQueue q = stack.queues().get(i);
            rows.add(new PerfResults.Row(q.name(), q.lcore(), r));
            if (all == null) {
                all = new Histogram(
                        "latency", "ps", "Latency of an I/O", r.latency().bits());
            }
            all.add(r.latency());
            stages = add(stages, q.stages());
        }
        long ios = rows.stream().mapToLong(r -> r.result().latency().count()).sum();
        return new PerfResults(
                rows,
                all,
                stages,
                cores(),
                perIo(ios),
                new PerfResults.Cost(wallS, cpuS),
                stack.sim().now() - startedPs,
                undrained,
                interrupted);
    }

    private static @Nullable StageTimes add(@Nullable StageTimes sum, @Nullable StageTimes one) {
        if (one == null) {
            return sum;
        }
        StageTimes into = sum == null ? new StageTimes(0, one.names()) : sum;
        into.add(one);
        return into;
    }

    private Map<String, Double> perIo(long ios) {
        Map<String, Double> each = new LinkedHashMap<>();
        for (int i = 0; i < talliesAfter.size() && ios > 0; i++) {
            long n = talliesAfter.get(i).value() - talliesBefore.get(i).value();
            each.put(talliesAfter.get(i).name(), Math.round((double) n / ios * 1e4) / 1e4);
        }
        return each;
    }

    private List<PerfResults.Core> cores() {
        List<PerfResults.Core> list = new ArrayList<>();
        for (int i = 0; i < after.size(); i++) {
            double busy = after.get(i).busyPs() - before.get(i).busyPs();
            double polling = after.get(i).pollingPs() - before.get(i).pollingPs();
            list.add(new PerfResults.Core(after.get(i).name(), after.get(i).path(), share(busy), share(polling)));
        }
        return list;
    }

    /** A step that begins in time counts whole, so that it may be a little more than there was. */
    private double share(double ps) {
        return measuredPs == 0 ? 0 : Math.min(1, Math.round(ps / measuredPs * 1e6) / 1e6);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
