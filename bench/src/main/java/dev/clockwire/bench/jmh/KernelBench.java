package dev.clockwire.bench.jmh;

import dev.clockwire.bench.yardstick.Workload;
import dev.clockwire.bench.yardstick.Yardstick;
import dev.clockwire.sim.LoopKind;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Time of the kernel for one clock cycle of a pipeline, or one event of the hold model. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class KernelBench {
    private static final int CYCLES = 100_000;
    private static final int EVENTS = 100_000;

    /** Created by JMH. */
    public KernelBench() {}

    /** Eight skid buffers between a source and a sink. */
    @State(Scope.Benchmark)
    public static class Clocked {
        /** Always busy, or busy for 1 % of the time. */
        @Param({"pipeline", "pipeline-idle"})
        private String workload = "";

        /** How modules are called. */
        @Param({"PLAIN", "SPECIALISED"})
        private LoopKind loop = LoopKind.AUTO;

        private Run run;

        /** Created by JMH. */
        public Clocked() {}

        /** Builds the design. */
        @Setup
        public void build() {
            run = new Run(workload, loop);
        }
    }

    /** Events that each send one event. */
    @State(Scope.Benchmark)
    public static class Hold {
        /** With how many pending events. */
        @Param({"hold-64", "hold-1000", "hold-100000"})
        private String workload = "";

        private Run run;

        /** Created by JMH. */
        public Hold() {}

        /** Builds the design. */
        @Setup
        public void build() {
            run = new Run(workload, LoopKind.PLAIN);
        }
    }

    /** One clock cycle. */
    @Benchmark
    @OperationsPerInvocation(CYCLES)
    public long cycle(Clocked design) {
        return design.run.on(CYCLES);
    }

    /** One event. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long event(Hold design) {
        return design.run.on(EVENTS);
    }

    private static final class Run {
        private final Workload workload;
        private long done;

        private Run(String name, LoopKind loop) {
            workload = Yardstick.build(name, loop);
        }

        private long on(int steps) {
            done += steps;
            workload.warmTo(done);
            return workload.checksum();
        }
    }
}
