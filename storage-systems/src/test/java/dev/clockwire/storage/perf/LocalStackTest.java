package dev.clockwire.storage.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A load on SSDs of the same host. */
class LocalStackTest {
    private static final long MS = 1_000_000_000;

    private static LocalSpec spec(KernelMode mode, String media, LocalSpec.Use use) {
        return new LocalSpec(
                SimSpec.of(1).withMode(mode),
                PayloadMode.SIZES,
                HostSpec.server(),
                CpuSpec.server(),
                CoreMask.first(1),
                List.of(NvmeSpec.of(media)),
                List.of(),
                use);
    }

    private static List<PerfLoop> run(LocalStack stack, PerfSpec load) {
        stack.connect();
        List<PerfLoop> loops = new ArrayList<>();
        for (PerfQueue q : stack.queues()) {
            long base = q.allocate("data", (long) load.queueDepth() * load.ioBytes());
            loops.add(new PerfLoop(load, q, base, RandomStream.named(1, "loop" + loops.size())));
        }
        loops.forEach(PerfLoop::start);
        assertThat(stack.sim()
                        .runUntil(
                                () -> loops.stream().allMatch(PerfLoop::isDone),
                                stack.sim().now() + 200 * MS))
                .isTrue();
        return loops;
    }

    /** Published: AnandTech (P4800X), spdk.io 2021 (P5800X); the reference allows 8 %. */
    @ParameterizedTest
    @CsvSource({
        "p4800x, 1, 4096, 108300, 8.9",
        "p4800x, 16, 4096, 584800, 27.3",
        "p5800x, 128, 512, 5000000, 25.54",
        "p5800x, 128, 4096, 1541000, 83.2"
    })
    void published(String media, int depth, int bytes, double iops, double us) {
        LocalStack stack = new LocalStack(spec(KernelMode.ACTIVITY, media, LocalSpec.Use.of(depth)));
        PerfLoop loop = run(
                        stack,
                        new PerfSpec(depth, bytes, true, 100, MS / 5, bytes == 4096 && depth == 128 ? 9 * MS : 3 * MS))
                .get(0);
        PerfResult r = loop.result();
        assertThat(r.iops()).isCloseTo(iops, within(0.08 * iops));
        assertThat(r.latency().mean() / 1e6).isCloseTo(us, within(0.08 * us));
        assertThat(r.checkLittle()).isTrue();
        assertThat(r.meanOutstanding()).isCloseTo(depth, within(0.01 * depth));
    }

    /** To the picosecond: stages are the latency, and each lasts at least as long as its mechanism. */
    @ParameterizedTest
    @CsvSource({"100", "0", "50"})
    void stagesAreTheLatency(int reads) {
        LocalStack stack = new LocalStack(spec(KernelMode.ACTIVITY, "p5800x", LocalSpec.Use.of(8)));
        PerfLoop loop =
                run(stack, new PerfSpec(8, 4096, true, reads, 0, 2 * MS)).get(0);
        StageTimes s = stack.queues().get(0).stages();
        assertThat(s).isNotNull();
        if (s == null) {
            return;
        }
        PerfResult r = loop.result();
        long sum = 0;
        for (int i = 0; i < s.names().size(); i++) {
            sum += s.sumPs(i);
        }
        assertThat(s.count()).isEqualTo(r.latency().count()).isGreaterThan(500);
        assertThat((double) sum / s.count()).isCloseTo(r.latency().mean(), within(1e-3));
        double each = 1e3 * s.count();
        assertThat(s.sumPs(s.names().indexOf("media")) / each).isGreaterThan(3_020 + 400);
        assertThat(s.sumPs(s.names().indexOf("sqe_fetch")) / each).isGreaterThan(250);
        assertThat(s.sumPs(s.names().indexOf("payload_dma")) > 0).isEqualTo(reads < 100);
        assertThat(s.sumPs(s.names().indexOf("rx_dma")) > 0).isEqualTo(reads > 0);
        assertThat(s.sumPs(s.names().indexOf("cqe_write")) / each).isGreaterThan(60);
    }

    /** Polls that find nothing are skipped, and nobody can tell: figures, counters of the core, trace. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1", "4, 2, 3, 2", "3, 1, 2, 4"})
    void skippedPollsAreEveryPoll(int depth, int pairs, int ssds, int cores) {
        List<List<Long>> seen = new ArrayList<>();
        for (KernelMode mode : KernelMode.values()) {
            LocalSpec.Use use = new LocalSpec.Use(depth, pairs, 1, 64, 0, false, true, true);
            LocalStack stack = new LocalStack(new LocalSpec(
                    SimSpec.of(1).withMode(mode),
                    PayloadMode.BYTES,
                    HostSpec.server(),
                    CpuSpec.server(),
                    CoreMask.first(cores),
                    Collections.nCopies(ssds, NvmeSpec.of("p4800x")),
                    List.of(),
                    use));
            List<PerfLoop> loops = run(stack, new PerfSpec(depth, 8192, true, 70, 0, MS / 10));
            stack.sim().run(stack.sim().now() + 12_345_678);
            List<Long> figures = new ArrayList<>();
            for (PerfLoop l : loops) {
                figures.add(l.result().latency().count());
                figures.add((long) l.result().latency().mean());
            }
            for (PerfStack.CoreUse c : stack.cores()) {
                figures.add(c.busyPs());
                figures.add(c.pollingPs());
            }
            figures.add(stack.sim().traceHash());
            seen.add(figures);
        }
        assertThat(seen.get(0)).isEqualTo(seen.get(1));
    }

    /** Two cores on three namespaces: core 0 has the first and the third; with four cores the first namespace has two. */
    @Test
    void namespacesAndCoresTakeTurns() {
        NamespaceSpec n = new NamespaceSpec(4096, 1000);
        for (int cores : new int[] {2, 4}) {
            LocalStack stack = new LocalStack(new LocalSpec(
                    SimSpec.of(1),
                    PayloadMode.SIZES,
                    HostSpec.server(),
                    CpuSpec.server(),
                    CoreMask.parse(cores == 2 ? "0x5" : "0xf"),
                    List.of(NvmeSpec.of("null").withNamespaces(List.of(n, n, n))),
                    List.of(),
                    LocalSpec.Use.of(4)));
            List<PerfLoop> loops = run(stack, new PerfSpec(4, 4096, false, 100, 0, MS / 10));
            List<String> ways = stack.queues().stream()
                    .map(q -> q.name().substring(q.name().length() - 1) + "@" + q.lcore())
                    .toList();
            assertThat(ways)
                    .containsExactlyElementsOf(
                            cores == 2 ? List.of("1@0", "3@0", "2@2") : List.of("1@0", "2@1", "3@2", "1@3"));
            assertThat(loops).extracting(l -> l.result().latency().count()).allMatch(c -> c > 20);
        }
    }

    /** 64 entries are 48 trackers: 100 I/Os of 3 commands each wait for them, and all end. */
    @Test
    void whatThereIsNoTrackerForWaits() {
        LocalSpec.Use use = new LocalSpec.Use(100, 1, 0, 64, 0, false, true, true);
        LocalStack stack = new LocalStack(spec(KernelMode.ACTIVITY, "p5800x", use));
        PerfLoop loop = run(stack, new PerfSpec(100, 3 * 131_072, false, 100, 0, 20 * MS))
                .get(0);
        assertThat(loop.result().checkLittle()).isFalse(); // 20 ms are not long for 39 MB
        assertThat(loop.result().mebibytesPerSecond() * (1 << 20)).isBetween(6.0e9, 6.31e9);
        assertThat(stack.ssds().get(0).active()).isZero();
    }

    /** A number of I/Os ends the run; its time is that of the last. */
    @Test
    void aNumberOfIosEndsIt() {
        LocalStack stack = new LocalStack(spec(KernelMode.ACTIVITY, "p4800x", LocalSpec.Use.of(4)));
        PerfResult r = run(stack, new PerfSpec(4, 4096, true, 100, 0, 100 * MS, 1000, 0))
                .get(0)
                .result();
        assertThat(r.latency().count()).isEqualTo(1000);
        assertThat(r.iops()).isBetween(300_000.0, 500_000.0);
        assertThat(r.checkLittle()).isTrue();
    }

    /** Each doorbell is a store: ringing once for each I/O costs the core its rate. */
    @Test
    void delayedDoorbellsAreFewer() {
        double[] iops = new double[2];
        for (int i = 0; i < 2; i++) {
            LocalSpec.Use use = new LocalSpec.Use(128, 1, 0, 1024, 0, false, i == 0, false);
            LocalStack stack = new LocalStack(spec(KernelMode.ACTIVITY, "null", use));
            iops[i] = run(stack, new PerfSpec(128, 512, true, 100, 0, MS / 2))
                    .get(0)
                    .result()
                    .iops();
        }
        assertThat(iops[0]).isGreaterThan(iops[1] * 1.02);
    }

    @Test
    void whatCannotBeIsRefused() {
        LocalSpec.Use many = new LocalSpec.Use(1, 128, 0, 64, 0, false, true, true);
        assertThatThrownBy(() -> new LocalStack(spec(KernelMode.ACTIVITY, "null", many)).connect())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("128 I/O queue pairs are wanted, the controller has 127");
        assertThatThrownBy(() -> new LocalSpec.Use(0, 1, 0, 64, 0, false, true, true))
                .hasMessage("queue depth (-q) 0 is not in 1..65536");
        assertThatThrownBy(() -> new PerfSpec(1, 512, true, 100, 0, 1, 0, 1)).hasMessageContaining("zipf");
        assertThatThrownBy(() -> new PerfSpec(4, 512, true, 100, 0, 1, 3, 0)).hasMessageContaining("less than");
    }
}
