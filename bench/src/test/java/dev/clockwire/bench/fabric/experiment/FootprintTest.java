package dev.clockwire.bench.fabric.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.net.Network;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a fabric takes: nothing for a frame once it is under way, little for a flow that waits. */
class FootprintTest {
    private static final int HOSTS = 64;

    private static final class Run {
        final Sim sim = new Sim(SimSpec.of(1));
        final Network network;

        Run(NetworkSpec spec) {
            network = new Network(sim.root(), spec);
            sim.elaborate();
            network.start();
        }
    }

    /** Pools, queues and the kernel's wheel grow in the beginning; marks, pauses and cuts go on all the time. */
    @Test
    void aFrameAllocatesNothingOnceAllHasGrown() {
        assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        NetworkSpec spec = SetUp.fabric(Topology.star(9, SetUp.KBPS, SetUp.US), 4, SetUp.vendor(), SetUp.VENDOR_MARKS)
                .withFlows(SetUp.incast(8, 500_000_000));
        Run run = new Run(spec);
        run.sim.run(20 * SetUp.MS);
        long frames = run.network.wiring().framesSent();
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);
        run.sim.run(40 * SetUp.MS);
        long bytes = threads.getThreadAllocatedBytes(id) - before;
        long sent = run.network.wiring().framesSent() - frames;
        assertThat(sent).isGreaterThan(500_000);
        assertThat((double) bytes / sent).as("bytes a frame").isLessThan(0.05);
    }

    @Test
    void aFlowThatWaitsTakesLessThanTwoKilobytesAtBothEnds() {
        Run few = new Run(idle(HOSTS));
        long base = used();
        Run many = new Run(idle(HOSTS + 20_000));
        long each = (used() - base) / 20_000;
        assertThat(few.network.flows()).hasSize(HOSTS);
        assertThat(many.network.flows()).hasSize(HOSTS + 20_000);
        assertThat(each).as("bytes a flow: two queue pairs").isBetween(100L, 2048L);
    }

    private static NetworkSpec idle(int flows) {
        List<FlowSpec> all = new ArrayList<>();
        for (int i = 0; i < flows; i++) {
            all.add(new FlowSpec("f" + i, i % HOSTS, (i + 1) % HOSTS, 1000, 1L << 50, -1));
        }
        return SetUp.fabric(Topology.star(HOSTS, SetUp.KBPS, SetUp.US), 4, SetUp.vendor(), SetUp.VENDOR_MARKS)
                .withFlows(all);
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
