package dev.clockwire.storage.bdev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.perf.PerfLoop;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.reactor.Poller;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An SSD behind PCIe as a block device, its queue pair polled by a reactor. */
class NvmeBdevTest {
    private static final long MS = 1_000_000_000L;

    private static final class Rig {
        private final Disk disk;
        private final NvmeSsd ssd;

        Rig(KernelMode mode, int entries) {
            disk = new Disk(mode, Disk.SPEC);
            NvmeSpec spec = NvmeSpec.of("p5800x").withNamespaces(List.of(new NamespaceSpec(512, 4096)));
            MemoryStore store =
                    new MemoryStore("ns", 512, 4096, disk.host.memory().mode());
            NvmeController c = new NvmeController(disk.sim.root(), "ssd", spec, 0x100, List.of(store));
            disk.host.attach(c.endpoint(), 0);
            ssd = new NvmeSsd(
                    disk.bdevs,
                    "Nvme0",
                    disk.thread,
                    c.endpoint().barAddress(0),
                    new NvmeSsd.Spec(1, entries, 10 * MS));
            disk.sim.elaborate();
            ssd.attach(() -> disk.log.add("attached"));
            assertThat(disk.sim.runUntil(() -> !disk.log.isEmpty(), 5_000 * MS)).isTrue();
        }

        private BdevChannel open() {
            assertThat(ssd.failure()).isEmpty();
            assertThat(ssd.devices()).hasSize(1);
            assertThat(ssd.devices().get(0).name()).isEqualTo("Nvme0n1");
            assertThat(ssd.devices().get(0).blocks()).isEqualTo(4096);
            disk.log.clear();
            return disk.open(disk.bdevs.bdev("Nvme0n1"));
        }
    }

    @Test
    void dataGoThereAndBack() {
        Rig rig = new Rig(KernelMode.ACTIVITY, 256);
        Disk disk = rig.disk;
        BdevChannel c = rig.open();
        disk.fill(0, 16, 7);
        // the queue pair is still being made: what comes now waits at the channel
        disk.on(
                100 * MS,
                () -> assertThat(c.write(100, 16, disk.va(0), disk::done, 1)).isZero());
        disk.on(MS, () -> c.read(100, 16, disk.va(32), disk::done, 2));
        disk.on(MS, () -> c.compare(100, 16, disk.va(0), disk::done, 3));
        disk.on(MS, () -> c.compare(101, 15, disk.va(0), disk::done, 4));
        disk.on(MS, () -> c.writeZeroes(104, 2, disk::done, 5));
        disk.on(MS, () -> c.unmap(110, 3, disk::done, 6));
        disk.on(MS, () -> c.flush(0, 4096, disk::done, 7));
        disk.on(MS, () -> c.read(100, 16, disk.va(64), disk::done, 8));
        assertThat(disk.log)
                .containsExactly(
                        "1 SUCCESS",
                        "2 SUCCESS",
                        "3 SUCCESS",
                        "4 MISCOMPARE",
                        "5 SUCCESS",
                        "6 SUCCESS",
                        "7 SUCCESS",
                        "8 SUCCESS");
        assertThat(disk.bytes(32, 16)).isEqualTo(disk.bytes(0, 16));
        assertThat(disk.bytes(64, 4)).isEqualTo(disk.bytes(0, 4));
        assertThat(disk.bytes(68, 2)).containsOnly(0);
        assertThat(disk.bytes(74, 3)).containsOnly(0);
        assertThat(disk.bytes(77, 3)).isEqualTo(disk.bytes(13, 3));
        disk.on(MS, () -> assertThat(c.read(4090, 7, disk.va(0), disk::done, 9)).isEqualTo(-Errno.EINVAL));
    }

    /** More than there are trackers: the rest waits, in order, and both kernels agree in time and doorbells. */
    @ParameterizedTest
    @EnumSource(KernelMode.class)
    void moreThanTheQueuePairHolds(KernelMode mode) {
        Rig t = new Rig(mode, 8);
        BdevChannel c = t.open();
        t.disk.on(MS, () -> {});
        t.disk.on(MS, () -> {
            for (int i = 0; i < 40; i++) {
                assertThat(c.read(i, 1, t.disk.va(i), t.disk::done, i)).isZero();
            }
            assertThat(c.outstanding()).isEqualTo(6);
            assertThat(c.waiting()).isEqualTo(34);
        });
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(i + " SUCCESS");
        }
        assertThat(t.disk.log).containsExactlyInAnyOrderElementsOf(all);
        assertThat(c.bdev().iostat().errors()).isZero();
        assertThat(t.ssd.queuePairs().get(0).completed()).isEqualTo(40);
    }

    /** Polls of the queue pair that find nothing are skipped, and nobody can tell: figures, counters of poller and core, trace. */
    @ParameterizedTest
    @CsvSource({"1, 100", "5, 60", "20, 0"})
    void skippedPollsAreEveryPoll(int depth, int reads) {
        List<List<Object>> seen = new ArrayList<>();
        for (KernelMode mode : KernelMode.values()) {
            Rig t = new Rig(mode, 16);
            BdevChannel c = t.open();
            t.disk.on(MS, () -> {});
            PerfSpec spec = new PerfSpec(depth, 4096, true, reads, 0, MS / 4);
            long data = t.disk.host
                    .memory()
                    .allocate("load", 1 << 17, Allocation.Kind.BULK, 4096)
                    .address();
            PerfLoop loop = new PerfLoop(spec, c, data, RandomStream.named(5, "load"));
            t.disk.on(MS / 2 + 123_457, loop::start);
            List<Object> all = new ArrayList<>();
            assertThat(loop.isDone()).isTrue();
            all.add(loop.result().latency().count());
            all.add(loop.result().latency().mean());
            for (Poller p : t.disk.thread.pollers()) {
                all.add(p.name() + " " + p.runCount() + " " + p.busyCount() + " " + p.idlePs());
            }
            all.add(t.disk.thread.reactor().core().busyPs());
            all.add(t.disk.thread.reactor().idlePs());
            all.add(t.ssd.queuePairs().get(0).sqDoorbells());
            all.add(t.disk.sim.traceHash());
            seen.add(all);
        }
        assertThat(seen.get(0)).isEqualTo(seen.get(1));
    }
}
