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
    /** So many that what asking, starting and a compiler that gives up an assumption allocate is little beside them. */
    private static final int IOS = 20_000;
    /** An object, of 16 bytes at least, for one I/O in 64 would be seen. */
    private static final long FEW = IOS / 4;

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
        stack.sim().run(4 * MS);
        long windowPs = IOS * (4 * MS / loop.result().latency().count());
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4 && least > FEW; i++) {
            long before = allocated();
            stack.sim().run(stack.sim().now() + windowPs);
            least = Math.min(least, allocated() - before);
        }
        assertThat(least).as("bytes of %d I/Os", IOS).isLessThanOrEqualTo(FEW);
        assertThat(loop.result().latency().count()).isGreaterThan(IOS);
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
