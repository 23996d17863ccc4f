package dev.clockwire.bench.nvmf;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.LocalStack;
import dev.clockwire.storage.perf.PerfLoop;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An I/O on a local SSD allocates nothing, from the program to the medium and back, once everything has its size. */
class SteadyIoTest {
    private static final long MS = 1_000_000_000L;
    /** What asking and a call of the kernel take: less than 5 bytes for each of the fewest I/Os here. */
    private static final long OWN = 1000;

    @ParameterizedTest
    @CsvSource({"p5800x, 128, 4096, 100", "p4800x, 1, 4096, 100", "p5800x, 32, 512, 50", "pm9a3, 64, 131072, 100"})
    void anIoAllocatesNothing(String media, int depth, int bytes, int reads) {
        LocalStack stack = new LocalStack(new LocalSpec(
                SimSpec.of(1),
                PayloadMode.SIZES,
                HostSpec.server(),
                CpuSpec.server(),
                CoreMask.first(1),
                List.of(NvmeSpec.of(media)),
                List.of(),
                LocalSpec.Use.of(depth)));
        stack.connect();
        PerfQueue queue = stack.queues().get(0);
        PerfSpec load = new PerfSpec(depth, bytes, false, reads, 0, 1000 * MS);
        long data = queue.allocate("data", (long) depth * bytes);
        PerfLoop loop = new PerfLoop(load, queue, data, RandomStream.named(1, "loop"));
        loop.start();
        long most = Long.MAX_VALUE;
        for (int i = 0; i < 4 && most > OWN; i++) {
            stack.sim().run(stack.sim().now() + 4 * MS);
            long before = allocated();
            stack.sim().run(stack.sim().now() + 2 * MS);
            most = Math.min(most, allocated() - before);
        }
        assertThat(most).as("bytes in 2 ms").isLessThanOrEqualTo(OWN);
        assertThat(loop.result().latency().count()).isGreaterThan(500);
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
