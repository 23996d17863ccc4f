package dev.clockwire.storage.bdev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.storage.reactor.Errno;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BdevTest {
    private static final int BLOCKS = 64;
    private static final List<IoType> TYPES = List.of(IoType.values());
    private static final DelaySpec DELAY = new DelaySpec(20_000_000, 90_000_000, 30_000_000, 70_000_000);

    private final Disk disk = new Disk(KernelMode.ACTIVITY, Disk.SPEC);

    private static Bdev build(Disk disk, String what) {
        Bdev base = new MallocBdev(disk.bdevs, "Malloc0", Disk.BLOCK, BLOCKS);
        return switch (what) {
            case "malloc" -> base;
            case "delay" -> new DelayBdev(disk.bdevs, "Delay0", base, DELAY);
            case "error" -> new ErrorBdev(disk.bdevs, "Error0", base);
            default -> new DelayBdev(disk.bdevs, "Delay0", new ErrorBdev(disk.bdevs, "Error0", base), DELAY);
        };
    }

    /** Random I/Os one by one against an array. */
    @ParameterizedTest
    @ValueSource(strings = {"malloc", "delay", "error", "delay on error"})
    void whatIsWrittenIsRead(String what) {
        BdevChannel channel = disk.open(build(disk, what));
        byte[] model = new byte[BLOCKS * Disk.BLOCK];
        RandomStream random = RandomStream.named(3, what);
        for (int i = 0; i < 120; i++) {
            int n = 1 + random.below(8);
            int lba = random.below(BLOCKS - n + 1);
            IoType type = TYPES.get(random.below(TYPES.size()));
            disk.fill(0, n, random.below(256));
            if (type == IoType.COMPARE && random.below(2) == 0) {
                disk.host.memory().putBytes(disk.va(0), model, lba * Disk.BLOCK, n * Disk.BLOCK);
            }
            byte[] given = disk.bytes(0, n);
            byte[] there = Arrays.copyOfRange(model, lba * Disk.BLOCK, (lba + n) * Disk.BLOCK);
            int tag = i;
            disk.log.clear();
            disk.on(
                    200_000_000,
                    () -> assertThat(channel.submit(type, lba, n, disk.va(0), disk::done, tag))
                            .isZero());
            boolean differs = type == IoType.COMPARE && !Arrays.equals(given, there);
            assertThat(disk.log).containsExactly(i + (differs ? " MISCOMPARE" : " SUCCESS"));
            switch (type) {
                case READ -> assertThat(disk.bytes(0, n)).isEqualTo(there);
                case WRITE -> System.arraycopy(given, 0, model, lba * Disk.BLOCK, given.length);
                case UNMAP, WRITE_ZEROES -> Arrays.fill(model, lba * Disk.BLOCK, (lba + n) * Disk.BLOCK, (byte) 0);
                default -> {}
            }
        }
        assertThat(channel.outstanding()).isZero();
        IoStat s = channel.bdev().iostat();
        assertThat(s.read().ops() + s.write().ops() + s.unmap().ops()).isBetween(30L, 100L);
    }

    /** A read of the memory device: check, copy, the look of the poller behind it, and telling. */
    @ParameterizedTest
    @EnumSource
    void statisticsAreThoseOfIostat(KernelMode mode) {
        Disk d = new Disk(mode, Disk.SPEC);
        Bdev b = build(d, "malloc");
        BdevChannel channel = d.open(b);
        boolean[] inline = {false};
        d.on(5_000_000, () -> {
            channel.read(1, 2, d.va(0), d::done, 7);
            inline[0] = !d.log.isEmpty();
        });
        assertThat(inline[0]).isFalse();
        assertThat(d.log).containsExactly("7 SUCCESS");
        IoStat.Kind read = b.iostat().read();
        long copy = 2 * Disk.BLOCK * CpuSpec.server().copyBytePs();
        assertThat(read.latencyTicks()).isEqualTo(40_000 + copy + 4_000 + 30_000);
        d.on(5_000_000, () -> channel.read(0, 8, d.va(0), d::done, 8));
        d.on(5_000_000, () -> channel.write(0, 1, d.va(0), d::done, 9));
        d.on(5_000_000, () -> channel.unmap(3, 4, d::done, 10));
        d.on(5_000_000, () -> channel.flush(0, BLOCKS, d::done, 11));
        d.on(5_000_000, () -> channel.writeZeroes(0, 1, d::done, 12));
        IoStat s = b.iostat();
        assertThat(s.read().ops()).isEqualTo(2);
        assertThat(s.read().bytes()).isEqualTo(10 * Disk.BLOCK);
        assertThat(s.read().maxTicks() - s.read().minTicks()).isEqualTo(3 * copy);
        assertThat(s.read().latencyTicks())
                .isEqualTo(s.read().maxTicks() + s.read().minTicks());
        assertThat(s.write().ops()).isEqualTo(1);
        assertThat(s.unmap().bytes()).isEqualTo(4 * Disk.BLOCK);
        assertThat(s.errors()).isZero();
        d.on(
                1_000_000,
                () -> d.thread
                        .channels()
                        .put(Objects.requireNonNull(d.thread.channels().find(b))));
        assertThat(d.thread.channels().find(b)).isNull();
        assertThat(b.iostat().read().ops()).isEqualTo(2); // what ended with the channel still counts
        assertThat(d.bdevs.pool().free()).isEqualTo(65_535);
    }

    @Test
    void theNullDeviceMovesNothing() {
        Bdev b = new NullBdev(disk.bdevs, "Null0", 4096, 1000);
        BdevChannel channel = disk.open(b);
        disk.fill(0, 8, 5);
        byte[] before = disk.bytes(0, 8);
        disk.on(1_000_000, () -> {
            assertThat(channel.read(0, 1, disk.va(0), disk::done, 1)).isZero();
            assertThat(channel.write(999, 1, disk.va(0), disk::done, 2)).isZero();
            assertThat(channel.read(999, 2, disk.va(0), disk::done, 3)).isEqualTo(-Errno.EINVAL);
            assertThat(channel.read(-1, 1, disk.va(0), disk::done, 3)).isEqualTo(-Errno.EINVAL);
            assertThat(channel.read(0, 0, disk.va(0), disk::done, 3)).isEqualTo(-Errno.EINVAL);
            assertThat(channel.unmap(0, 1, disk::done, 3)).isEqualTo(-Errno.ENOTSUP);
            assertThat(channel.compare(0, 1, disk.va(0), disk::done, 3)).isEqualTo(-Errno.ENOTSUP);
        });
        assertThat(disk.log).containsExactly("1 SUCCESS", "2 SUCCESS");
        assertThat(disk.bytes(0, 8)).isEqualTo(before);
    }

    /** One of a hundred takes longer; others exactly the time, up to a round of the reactor, behind the device below. */
    @Test
    void delaysAreThoseTold() {
        Disk d = disk;
        BdevChannel channel = d.open(build(d, "delay"));
        for (int i = 0; i < 1_000; i++) {
            d.on(120_000_000, () -> channel.read(0, 1, d.va(0), d::done, 0));
        }
        IoStat.Kind read = channel.stat().read();
        long copy = Disk.BLOCK * CpuSpec.server().copyBytePs();
        long fixed = 2 * (40_000 + 30_000) + copy;
        assertThat(read.minTicks()).isBetween(20_000_000 + fixed, 20_000_000 + fixed + 60_000);
        assertThat(read.maxTicks()).isBetween(90_000_000 + fixed, 90_000_000 + fixed + 60_000);
        long slow = (read.latencyTicks() - 1_000 * (20_000_000 + fixed)) / 70_000_000;
        assertThat(slow).isBetween(3L, 20L);
    }

    @Test
    void theNthGoesWrong() {
        Bdev base = new MallocBdev(disk.bdevs, "Malloc0", Disk.BLOCK, BLOCKS);
        ErrorBdev b = new ErrorBdev(disk.bdevs, "Error0", base);
        BdevChannel channel = disk.open(b);
        b.inject(IoType.READ, ErrorBdev.Fault.FAILURE, 3, 2);
        b.inject(IoType.WRITE, ErrorBdev.Fault.CORRUPT_DATA, 1, 1);
        disk.on(5_000_000, () -> {
            for (int i = 1; i <= 5; i++) {
                channel.read(0, 1, disk.va(16), disk::done, i);
                assertThat(disk.log).isEmpty(); // an error is never told inside the call
            }
        });
        assertThat(disk.log).containsExactlyInAnyOrder("1 SUCCESS", "2 SUCCESS", "3 FAILED", "4 FAILED", "5 SUCCESS");
        assertThat(b.iostat().errors()).isEqualTo(2);
        assertThat(base.iostat().read().ops()).isEqualTo(3);
        disk.fill(0, 1, 9);
        byte[] given = disk.bytes(0, 1);
        disk.on(5_000_000, () -> channel.write(0, 1, disk.va(0), disk::done, 6));
        disk.on(5_000_000, () -> channel.read(0, 1, disk.va(1), disk::done, 7));
        assertThat(disk.bytes(0, 1)).isEqualTo(given);
        given[0] ^= (byte) 0xff;
        assertThat(disk.bytes(1, 1)).isEqualTo(given);
        b.inject(IoType.READ, ErrorBdev.Fault.CORRUPT_DATA, 1, 1);
        disk.on(5_000_000, () -> channel.read(0, 1, disk.va(1), disk::done, 8));
        given[0] ^= (byte) 0xff;
        assertThat(disk.bytes(1, 1)).isEqualTo(given);
        b.inject(IoType.FLUSH, ErrorBdev.Fault.NOMEM, 1, 2);
        disk.log.clear();
        disk.on(15_000_000, () -> channel.flush(0, 1, disk::done, 9));
        assertThat(disk.log).isEmpty(); // nothing is outstanding: a timer tries again, twice
        disk.on(20_000_000, () -> {});
        assertThat(disk.log).containsExactly("9 SUCCESS");
        assertThat(channel.retries()).isEqualTo(2);
        assertThatThrownBy(() -> b.inject(IoType.FLUSH, ErrorBdev.Fault.CORRUPT_DATA, 1, 1))
                .hasMessageContaining("FLUSH moves no data to corrupt");
        assertThatThrownBy(() -> b.inject(IoType.READ, ErrorBdev.Fault.FAILURE, 0, 1))
                .hasMessageContaining("1 errors from I/O 0");
    }

    @Test
    void namesAndClaims() {
        Bdev base = build(disk, "delay on error");
        assertThat(disk.bdevs.bdev("Malloc0").claimedBy()).isEqualTo("Error0");
        assertThat(disk.bdevs.all()).hasSize(3).contains(base);
        assertThatThrownBy(() -> disk.bdevs.bdev("Maloc0"))
                .hasMessageContaining("no bdev 'Maloc0'; did you mean Malloc0?");
        assertThatThrownBy(() -> new NullBdev(disk.bdevs, "Malloc0", 512, 1)).hasMessageContaining("exists already");
        assertThatThrownBy(() -> disk.bdevs.bdev("Malloc0").claim("me"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("bdev Malloc0 is claimed by Error0, not to be had by me");
        disk.bdevs.bdev("Malloc0").release();
        disk.bdevs.bdev("Malloc0").claim("me");
        assertThatThrownBy(() -> new NullBdev(disk.bdevs, "n", 1000, 1)).hasMessageContaining("blocks of 1000 B");
        assertThatThrownBy(() -> new NullBdev(disk.bdevs, "n", 512, 0)).hasMessageContaining("0 blocks: must be 1");
        assertThatThrownBy(() -> new DelaySpec(5, 4, 0, 0)).hasMessageContaining("delay.p99ReadPs 4 is not in 5..");
        assertThatThrownBy(() -> Disk.SPEC.withPool(10, 11)).hasMessageContaining("bdev.ioCache 11 is not in 1..10");
    }

    /** Blocks, counts and the next draw of the delay come back; what is under way is refused by name. */
    @Test
    void snapshots() {
        BdevChannel channel = disk.open(build(disk, "delay on error"));
        disk.fill(0, 1, 1);
        disk.on(100_000_000, () -> channel.write(5, 1, disk.va(0), disk::done, 1));
        Snapshot half = disk.sim.save();
        List<String> first = rest(channel);
        disk.sim.restore(half);
        assertThat(rest(channel)).isEqualTo(first);
        disk.on(1_000_000, () -> channel.write(5, 1, disk.va(0), disk::done, 1));
        assertThatThrownBy(disk.sim::save)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no snapshot while 1 I/Os of bdev");
    }

    private List<String> rest(BdevChannel channel) {
        disk.log.clear();
        for (int i = 0; i < 150; i++) {
            disk.on(
                    100_000_000,
                    () -> channel.read(
                            5, 1, disk.va(1), disk::done, channel.stat().read().latencyTicks()));
            disk.log.add(Arrays.toString(disk.bytes(1, 1)));
            disk.on(100_000_000, () -> channel.unmap(5, 1, disk::done, 2));
        }
        return List.copyOf(disk.log);
    }

    /** A closed loop on a delayed device: each poll simulated = skipped, in all times. */
    @Property(tries = 20)
    void skippedIsAsSimulated(@ForAll long seed) {
        assertThat(loop(KernelMode.ACTIVITY, seed)).isEqualTo(loop(KernelMode.EXHAUSTIVE, seed));
    }

    private static List<String> loop(KernelMode mode, long seed) {
        Disk d = new Disk(mode, Disk.SPEC);
        BdevChannel channel = d.open(build(d, "delay"));
        RandomStream random = RandomStream.named(seed, "loop");
        BdevDone[] again = new BdevDone[1];
        again[0] = (tag, status) -> {
            d.log.add(tag + " " + status + "@" + d.reactors.now());
            channel.submit(
                    random.below(2) == 0 ? IoType.READ : IoType.WRITE, random.below(BLOCKS), 1, d.va(0), again[0], tag);
        };
        d.on(200_000_000, () -> {
            for (int i = 0; i < 4; i++) {
                channel.read(i, 1, d.va(i), again[0], i);
            }
        });
        d.log.add(d.thread.idlePs() + " " + d.thread.busyPs() + " "
                + channel.cpu().steps());
        return d.log;
    }
}
