package dev.clockwire.bench.cli;

import dev.clockwire.bench.yardstick.Yardstick;
import dev.clockwire.sim.LoopKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench NAME}: the kernel's speed on a workload that other simulators run too. */
@Command(name = "bench", description = "Measure the kernel: prints 'clockwire WORKLOAD FIGURE UNIT TOKENS CHECKSUM'.")
final class BenchCommand extends ClockwireTask {
    private static final long LARGEST = 1_000_000_000_000L;

    @Parameters(paramLabel = "NAME", description = "One of pipeline, pipeline-idle, hold-64, hold-1000, hold-100000.")
    private String workload = "";

    @Option(
            names = "-n",
            paramLabel = "N",
            defaultValue = "20000000",
            description = "Cycles or events (default: ${DEFAULT-VALUE}).")
    private long n;

    @Option(
            names = "--loop",
            paramLabel = "LOOP",
            defaultValue = "auto",
            converter = LoopConverter.class,
            description = "How modules are called: plain, specialised or auto (default: ${DEFAULT-VALUE}).")
    private LoopKind loop = LoopKind.AUTO;

    @Mixin
    private JsonOption json = new JsonOption();

    BenchCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() {
        if (!Yardstick.WORKLOADS.contains(workload)) {
            throw CliException.unknown("workload", workload, Yardstick.WORKLOADS);
        }
        Range.check("-n", n, 1, LARGEST, "");
        Yardstick.Result result = Yardstick.run(workload, n, loop);
        if (json.wanted()) {
            console().json(new JsonDocument("bench").withAll(result));
        } else {
            console().line(result.line());
        }
        return ExitCode.OK;
    }

    /** Reads the kind of loop. */
    private static final class LoopConverter extends EnumConverter<LoopKind> {
        LoopConverter() {
            super("loop", LoopKind.values());
        }
    }
}
