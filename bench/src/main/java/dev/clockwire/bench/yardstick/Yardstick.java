package dev.clockwire.bench.yardstick;

import com.sun.management.OperatingSystemMXBean;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** Measures the kernel with workloads that exist, cycle for cycle and event for event, in other simulators too. */
public final class Yardstick {
    /** The names of the workloads. */
    public static final List<String> WORKLOADS =
            List.of("pipeline", "pipeline-idle", "hold-64", "hold-1000", "hold-100000");

    private static final long WARM_CYCLES = 3_000_000;
    private static final long WARM_IDLE_CYCLES = 100_000_000;
    private static final long WARM_EVENTS = 2_000_000;
    private static final long WARM_CHECK = 10_000;
    private static final String HOLD = "hold-";

    private Yardstick() {}

    /**
     * What a run gave.
     *
     * @param workload its name
     * @param figure its speed
     * @param unit of the figure
     * @param tokens that arrived
     * @param checksum over them, 16 hexadecimal digits
     */
    public record Result(String workload, double figure, String unit, long tokens, String checksum) {
        /** Returns the line {@code clockwire WORKLOAD FIGURE UNIT TOKENS CHECKSUM}, as the other simulators' programs print it. */
        public String line() {
            return String.format(Locale.ROOT, "clockwire %s %.0f %s %d %s", workload, figure, unit, tokens, checksum);
        }
    }

    /**
     * Runs a workload. The figure is cycles or events a CPU
     * second of this process, without a warm-up by a run of its own and without the first quarter.
     *
     * @param n cycles or events, at least 1
     */
    public static Result run(String name, long n, LoopKind loop) {
        if (n < 1) {
            throw new ConfigurationException("-n " + n + " is not at least 1");
        }
        build(name, loop).warmTo(warmUp(name));
        Workload w = build(name, loop);
        long skipped = n < 4 * WARM_CHECK ? 0 : n / 4;
        w.warmTo(skipped);
        OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = os.getProcessCpuTime();
        w.runTo(n);
        double seconds = Math.max(1, os.getProcessCpuTime() - before) / 1e9;
        return new Result(
                name,
                (n - skipped) / seconds,
                (name.startsWith(HOLD) ? "events" : "cycles") + "/cpu_s",
                w.tokens(),
                String.format(Locale.ROOT, "%016x", w.checksum()));
    }

    /** Returns the workload of a name, in the default kernel mode. */
    public static Workload build(String name, LoopKind loop) {
        return build(name, SimSpec.of(1).withLoop(loop));
    }

    static Workload build(String name, SimSpec spec) {
        return switch (name) {
            case "pipeline" -> new Pipeline(spec, false);
            case "pipeline-idle" -> new Pipeline(spec, true);
            case "hold-64", "hold-1000", "hold-100000" ->
                new Hold(spec, Integer.parseInt(name.substring(HOLD.length())));
            default -> throw new ConfigurationException("workload " + name + " is not one of " + WORKLOADS);
        };
    }

    private static long warmUp(String name) {
        return switch (name) {
            case "pipeline" -> WARM_CYCLES;
            case "pipeline-idle" -> WARM_IDLE_CYCLES;
            default -> WARM_EVENTS;
        };
    }
}
