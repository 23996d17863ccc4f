package dev.clockwire.bench.perftest;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs a set of small tests again and again in ways that must not matter: a second time, with a kernel that takes no shortcut,
 * with sizes instead of bytes. The trace hash covers every channel.
 */
public final class Selfcheck {
    private static final List<Case> CASES = List.of(
            new Case(Tool.WRITE_LAT, QpType.RC, 64, 20, 1, 1),
            new Case(Tool.WRITE_LAT, QpType.UC, 3000, 20, 1, 1),
            new Case(Tool.WRITE_BW, QpType.RC, 65_536, 20, 2, 8),
            new Case(Tool.READ_LAT, QpType.RC, 5000, 20, 1, 1),
            new Case(Tool.READ_BW, QpType.RC, 4096, 60, 2, 16),
            new Case(Tool.SEND_LAT, QpType.RC, 300, 20, 1, 1),
            new Case(Tool.SEND_LAT, QpType.UD, 100, 20, 1, 1),
            new Case(Tool.SEND_BW, QpType.RC, 9000, 40, 2, 8),
            new Case(Tool.ATOMIC_LAT, QpType.RC, 8, 20, 1, 1),
            new Case(Tool.ATOMIC_BW, QpType.RC, 8, 60, 2, 16));

    private Selfcheck() {}

    private record Case(Tool tool, QpType connection, long size, long iterations, int qps, int depth) {
        String text() {
            return tool.name().toLowerCase(Locale.ROOT).replace('_', '-') + " " + connection + " " + size + " B";
        }
    }

    /**
     * One comparison.
     *
     * @param name what was compared
     * @param ok whether the traces agree
     * @param detail the trace hash, or both if they differ
     */
    public record Check(String name, boolean ok, String detail) {}

    /** All comparisons. */
    public record Report(List<Check> checks, boolean ok) {}

    /** Runs everything. */
    public static Report run(Profile profile, long seed) {
        List<Check> checks = new ArrayList<>();
        for (Case c : CASES) {
            Outcome first = outcome(profile, seed, c, KernelMode.ACTIVITY, PayloadMode.BYTES);
            Outcome again = outcome(profile, seed, c, KernelMode.ACTIVITY, PayloadMode.BYTES);
            Outcome exhaustive = outcome(profile, seed, c, KernelMode.EXHAUSTIVE, PayloadMode.BYTES);
            Outcome sizes = outcome(profile, seed, c, KernelMode.ACTIVITY, PayloadMode.SIZES);
            checks.add(check(c.text() + ": twice", first.equals(again), first, again));
            checks.add(check(c.text() + ": activity = exhaustive", first.equals(exhaustive), first, exhaustive));
            checks.add(check(c.text() + ": bytes = sizes", first.sameTrace(sizes), first, sizes));
        }
        return new Report(checks, checks.stream().allMatch(Check::ok));
    }

    private static Check check(String name, boolean ok, Outcome a, Outcome b) {
        return new Check(name, ok, ok ? a.trace() : a + " and " + b);
    }

    private record Outcome(String trace, String content, long cycles, LatencyFigures latency) {
        boolean sameTrace(Outcome other) {
            return trace.equals(other.trace) && cycles == other.cycles && latency.equals(other.latency);
        }
    }

    private static Outcome outcome(Profile profile, long seed, Case c, KernelMode kernel, PayloadMode payload) {
        PerftestSpec spec = new PerftestSpec(
                c.tool(),
                profile,
                Provider.HW,
                c.connection(),
                c.size(),
                c.iterations(),
                0,
                true,
                c.qps(),
                c.depth(),
                64,
                1,
                Math.min(4, c.depth()),
                profile.integer("link.mtu"),
                c.tool().isPingPong() ? 220 : 0,
                profile.integer("nic.qp.max_rd_atomic"),
                AtomicKind.FETCH_AND_ADD,
                0,
                RateLimit.NONE,
                false,
                seed,
                kernel,
                payload,
                true,
                FaultPlan.NONE,
                false,
                BufferKind.POOLED,
                Rounds.SPREAD,
                Tuning.NONE);
        PerftestResult r = new PerftestRun(spec).run(() -> false);
        return new Outcome(r.traceHash(), r.contentHash(), r.cycles(), r.latencyUs());
    }
}
