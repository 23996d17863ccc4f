package dev.clockwire.storage.hoststack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.perf.PerfLoop;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.perf.PerfResult;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.perf.PerfStack;
import java.util.List;

/** What tests of both stacks in the kernel load them with. */
final class HostLoad {
    /** An SSD without a medium. */
    static final NvmeSpec NULL = NvmeSpec.of("null").withNamespaces(List.of(new NamespaceSpec(512, 1 << 20)));

    private static final long SECOND = 1_000_000_000_000L;

    private HostLoad() {}

    /** Runs a number of I/Os. */
    static PerfResult load(KernelStack s, int depth, int bytes, int reads, int ios) {
        PerfQueue q = s.queues().get(0);
        PerfSpec load = new PerfSpec(depth, bytes, true, reads, 0, SECOND, ios, 0);
        PerfLoop loop = new PerfLoop(load, q, q.allocate("data", (long) depth * bytes), RandomStream.named(1, "load"));
        loop.start();
        assertThat(s.sim().runUntil(loop::isDone, s.sim().now() + SECOND)).isTrue();
        return loop.result();
    }

    static long tally(PerfStack s, String name) {
        return s.tallies().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
