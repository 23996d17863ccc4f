package dev.clockwire.bench.jmh;

import dev.clockwire.bench.perftest.AtomicKind;
import dev.clockwire.bench.perftest.BufferKind;
import dev.clockwire.bench.perftest.OperationLoop;
import dev.clockwire.bench.perftest.PerftestSpec;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.bench.perftest.Rounds;
import dev.clockwire.bench.perftest.Tool;
import dev.clockwire.bench.perftest.Tuning;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time that the simulator takes for one unloaded RC operation, end to end: both hosts, PCIe, both NICs and the wire of
 * profile {@code cx7-400g}. The distribution counts, so single operations are sampled.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class VerbsBench {
    private static final int MTU = 4096;
    private static final int DEPTH = 16;

    /** Operation and message size in bytes. */
    @Param({"write 64", "write 65536", "read 64", "read 65536", "send 64", "send 65536", "atomic 8"})
    private String operation = "";

    /** Whether payload travels as bytes or as extents. */
    @Param({"BYTES", "SIZES"})
    private PayloadMode payload = PayloadMode.BYTES;

    /** What stands behind the verbs. */
    @Param({"HW", "SOFT"})
    private Provider provider = Provider.HW;

    private OperationLoop loop;

    /** Created by JMH. */
    public VerbsBench() {}

    /** Builds and connects the hosts. */
    @Setup
    public void build() {
        String[] words = operation.split(" ", 2);
        Tool tool = Tool.valueOf(words[0].toUpperCase(Locale.ROOT) + "_BW");
        loop = new OperationLoop(new PerftestSpec(
                tool,
                Profiles.named("cx7-400g"),
                provider,
                QpType.RC,
                Long.parseLong(words[1]),
                1,
                0,
                true,
                1,
                DEPTH,
                DEPTH,
                1,
                1,
                MTU,
                0,
                DEPTH,
                AtomicKind.FETCH_AND_ADD,
                0,
                RateLimit.NONE,
                false,
                1,
                KernelMode.ACTIVITY,
                payload,
                false,
                FaultPlan.NONE,
                false,
                BufferKind.POOLED,
                Rounds.SPREAD,
                Tuning.NONE));
    }

    /** One operation; returns its simulated time in ps. */
    @Benchmark
    public long operation() {
        return loop.next();
    }
}
