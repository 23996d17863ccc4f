package dev.clockwire.storage.bdev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.perf.PerfLoop;
import dev.clockwire.storage.perf.PerfResult;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.reactor.Errno;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file behind the kernel as a block device. */
class AioBdevTest {
    private static final long MS = 1_000_000_000L;
    private static final AioSpec SPEC = new AioSpec(1_500_000, 80_000_000, 20_000_000, 500_000_000, 8);

    private static Bdev aio(Disk disk, AioSpec spec) {
        return new AioBdev(disk.bdevs, "aio0", new MemoryStore("file", 512, 4096, PayloadMode.BYTES), spec);
    }

    @Test
    void dataGoThereAndBack() {
        Disk disk = new Disk(KernelMode.ACTIVITY, Disk.SPEC);
        BdevChannel c = disk.open(aio(disk, SPEC));
        disk.fill(0, 16, 7);
        disk.on(
                MS,
                () -> assertThat(c.write(100, 16, disk.va(0), disk::done, 1)).isZero());
        disk.on(MS, () -> c.read(100, 16, disk.va(32), disk::done, 2));
        disk.on(2 * MS, () -> c.flush(0, 4096, disk::done, 3));
        assertThat(disk.log).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
        assertThat(disk.bytes(32, 16)).isEqualTo(disk.bytes(0, 16));
        disk.on(MS, () -> {
            assertThat(c.unmap(0, 1, disk::done, 4)).isEqualTo(-Errno.ENOTSUP);
            assertThat(c.compare(0, 1, disk.va(0), disk::done, 5)).isEqualTo(-Errno.ENOTSUP);
        });
    }

    /** More than the kernel takes waits at the channel, in order; nothing is lost. */
    @ParameterizedTest
    @EnumSource(KernelMode.class)
    void moreThanTheDepthWaits(KernelMode mode) {
        Disk disk = new Disk(mode, Disk.SPEC);
        BdevChannel c = disk.open(aio(disk, SPEC));
        disk.on(2 * MS, () -> {
            for (int i = 0; i < 30; i++) {
                assertThat(c.read(i, 1, disk.va(i), disk::done, i)).isZero();
            }
            assertThat(c.outstanding()).isEqualTo(8);
            assertThat(c.waiting()).isEqualTo(22);
        });
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(i + " SUCCESS");
        }
        assertThat(disk.log).containsExactlyElementsOf(all);
    }

    /** At depth 1 an I/O takes the layer, the call, the kernel and the device; at a great depth the core decides. */
    @Test
    void aCallForEachIoIsPaid() {
        CpuSpec cpu = CpuSpec.server();
        PerfResult one = load(1, AioSpec.usual());
        double whole = Disk.SPEC.submitPs() + cpu.syscallPs() + 1_500_000 + 80_000_000 + Disk.SPEC.completePs();
        assertThat(one.latency().mean()).isCloseTo(whole, within(0.01 * whole));
        PerfResult many = load(128, new AioSpec(1_500_000, 10_000_000, 10_000_000, 0, 128));
        double each = Disk.SPEC.submitPs() + cpu.syscallPs() + 1_500_000 + Disk.SPEC.completePs();
        assertThat(many.iops()).isCloseTo(1e12 / each, within(0.03e12 / each));
        assertThat(many.checkLittle()).isTrue();
    }

    private static PerfResult load(int depth, AioSpec spec) {
        Disk disk = new Disk(KernelMode.ACTIVITY, Disk.SPEC);
        BdevChannel c = disk.open(aio(disk, spec));
        PerfSpec load = new PerfSpec(depth, 512, true, 100, MS, 40 * MS);
        PerfLoop loop = new PerfLoop(load, c, disk.data.address(), RandomStream.named(2, "aio"));
        disk.on(50 * MS, loop::start);
        assertThat(loop.isDone()).isTrue();
        return loop.result();
    }

    @Test
    void timesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new AioSpec(0, 0, 1, 0, 1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("bdev aio: readPs 0 is not in 1..1000000000000");
    }
}
