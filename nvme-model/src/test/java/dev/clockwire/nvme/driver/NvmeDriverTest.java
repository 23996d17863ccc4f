package dev.clockwire.nvme.driver;

import static dev.clockwire.nvme.driver.DriverRig.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Attaching, reading and writing, from the program to the medium and back. */
class NvmeDriverTest {
    @Test
    void aControllerIsFoundAndDescribed() {
        List<NamespaceSpec> two = List.of(new NamespaceSpec(512, 1L << 20), new NamespaceSpec(4096, 1000));
        DriverRig rig = new DriverRig(NvmeSpec.of("p5800x").withNamespaces(two), SimSpec.of(1), PayloadMode.BYTES);
        rig.ready(64, true);
        assertThat(rig.driver.failure()).isEmpty();
        assertThat(rig.driver.namespaces())
                .containsExactly(new NvmeDriver.Namespace(1, 1L << 20, 512), new NvmeDriver.Namespace(2, 1000, 4096));
        assertThat(rig.driver.ioQueues()).isEqualTo(8);
        assertThat(rig.driver.maxEntries()).isEqualTo(1024);
        assertThat(new String(rig.driver.identity(), 24, 16, StandardCharsets.US_ASCII))
                .isEqualTo("Clockwire p5800x");
        assertThat(rig.ssd.registers().isReady()).isTrue();
    }

    /** Entries stored into the controller need not be fetched: one MRd less for a read, and its round trip; rings that do not fit lie in the host. */
    @Test
    void submissionRingsMayLieInTheController() {
        long[] packets = new long[3];
        long[] took = new long[3];
        for (int i = 0; i < 3; i++) {
            NvmeSpec spec = NvmeSpec.of("null")
                    .withNamespaces(List.of(new NamespaceSpec(512, 4096)))
                    .withControllerMemory(1 << 16);
            DriverRig rig = new DriverRig(spec, SimSpec.of(1), PayloadMode.BYTES);
            rig.driver.mapCmb(rig.ssd.endpoint().barAddress(2), i == 0 ? 0 : i == 1 ? 4096 : 4095);
            rig.ready(64, false);
            long buffer = rig.memory("buffer", 4096);
            long[] times = new long[2];
            int[] left = {70};
            rig.done = (tag, status, result) -> {
                assertThat(status).isZero();
                times[1] = rig.core.now();
            };
            rig.work = () -> {
                if (left[0] == 0 || rig.queue().outstanding() > 0) {
                    return false;
                }
                left[0]--;
                times[0] = rig.core.now();
                return rig.queue().transfer(Opcodes.READ, 1, left[0] * 8L, 8, buffer, 4096, 0);
            };
            long before = rig.sim.stats().value("ssd.pcie.up.tlps");
            rig.core.wakeFrom(rig.sim.now() + 1);
            rig.sim.run(rig.sim.now() + MS);
            assertThat(left[0]).isZero();
            packets[i] = rig.sim.stats().value("ssd.pcie.up.tlps") - before;
            took[i] = times[1] - times[0];
        }
        assertThat(packets).containsExactly(70 * 18, 70 * 17, 70 * 18);
        assertThat(took[0] - took[1]).as("a round trip less").isBetween(200_000L, 700_000L);
        assertThat(took[2]).isEqualTo(took[0]);
    }

    /** A block goes by way of both memories of the controller, which move it without a packet. */
    @Test
    void dataPassThroughMemoryOfTheController() {
        NvmeSpec spec = NvmeSpec.of("ram")
                .withNamespaces(List.of(new NamespaceSpec(512, 4096)))
                .withControllerMemory(1 << 16)
                .withPersistentMemory(1 << 16);
        DriverRig rig = new DriverRig(spec, SimSpec.of(1), PayloadMode.BYTES);
        rig.ready(64, true);
        long cmb = rig.ssd.endpoint().barAddress(2);
        long pmr = rig.ssd.endpoint().barAddress(4);
        long buffer = rig.memory("buffer", 4096);
        long other = rig.memory("other", 4096);
        byte[] data = new byte[4096];
        new Random(5).nextBytes(data);
        rig.host.memory().putBytes(buffer, data, 0, data.length);
        long[][] moves = {
            {Opcodes.WRITE, 0, buffer}, {Opcodes.READ, 0, cmb}, {Opcodes.WRITE, 8, cmb},
            {Opcodes.READ, 8, pmr}, {Opcodes.WRITE, 16, pmr}, {Opcodes.READ, 16, other}
        };
        int[] next = {0};
        boolean[] busy = {false};
        List<Integer> ends = new ArrayList<>();
        rig.work = () -> {
            rig.driver.mapCmb(cmb);
            rig.driver.enablePmr(pmr);
            rig.work = () -> false;
            return true;
        };
        rig.core.wakeFrom(rig.sim.now() + 1);
        rig.sim.run(rig.sim.now() + 5 * MS);
        rig.done = (tag, status, result) -> {
            ends.add(status);
            busy[0] = false;
        };
        rig.work = () -> {
            if (busy[0] || next[0] == moves.length) {
                return false;
            }
            long[] m = moves[next[0]++];
            busy[0] = true;
            return rig.queue().transfer((int) m[0], 1, m[1], 8, m[2], 4096, 0);
        };
        long up = rig.sim.stats().value("ssd.pcie.up.data_bytes");
        rig.core.wakeFrom(rig.sim.now() + 1);
        rig.sim.run(rig.sim.now() + MS);
        assertThat(ends).containsExactly(0, 0, 0, 0, 0, 0);
        byte[] back = new byte[4096];
        rig.host.memory().getBytes(other, back, 0, 4096);
        assertThat(back).isEqualTo(data);
        // six completions, and the data of the last read
        assertThat(rig.sim.stats().value("ssd.pcie.up.data_bytes") - up).isEqualTo(6 * 16 + 4096);
        rig.driver.disablePmr();
        rig.sim.run(rig.sim.now() + MS);
        assertThat(rig.ssd.registers().memory().pmrEnabled()).isFalse();
    }

    /** Writes and reads at random, against an array; odd offsets in memory, PRP pairs, lists, and rings that wrap. */
    @ParameterizedTest
    @EnumSource
    void whatIsWrittenIsRead(KernelMode mode) {
        DriverRig rig = new DriverRig(
                NvmeSpec.of("p5800x").withNamespaces(List.of(new NamespaceSpec(512, 4096))),
                SimSpec.of(3).withMode(mode),
                PayloadMode.BYTES);
        byte[] oracle = new byte[4096 * 512];
        long buffer = rig.memory("buffer", 1 << 20);
        Random random = new Random(11);
        int[] left = {120};
        int[] bad = {0};
        int[] at = new int[3]; // block, count, offset in memory
        boolean[] busy = {false, false};
        rig.work = () -> {
            if (busy[0] || left[0] == 0) {
                return false;
            }
            at[1] = 1 + random.nextInt(random.nextBoolean() ? 16 : 256);
            at[0] = random.nextInt(4096 - at[1] + 1);
            at[2] = random.nextInt(2000) * 4;
            busy[0] = true;
            busy[1] = random.nextBoolean();
            int bytes = at[1] * 512;
            if (busy[1]) {
                byte[] data = new byte[bytes];
                random.nextBytes(data);
                rig.host.memory().putBytes(buffer + at[2], data, 0, bytes);
                System.arraycopy(data, 0, oracle, at[0] * 512, bytes);
            }
            int op = busy[1] ? Opcodes.WRITE : Opcodes.READ;
            assertThat(rig.queue().transfer(op, 1, at[0], at[1], buffer + at[2], bytes, left[0] % 7))
                    .isTrue();
            return true;
        };
        rig.done = (tag, status, result) -> {
            assertThat(status).isZero();
            if (!busy[1]) {
                byte[] got = new byte[at[1] * 512];
                rig.host.memory().getBytes(buffer + at[2], got, 0, got.length);
                bad[0] += Arrays.equals(got, 0, got.length, oracle, at[0] * 512, at[0] * 512 + got.length) ? 0 : 1;
            }
            busy[0] = false;
            left[0]--;
        };
        rig.ready(8, false);
        rig.sim.runUntil(() -> left[0] == 0, rig.sim.now() + 100 * MS);
        assertThat(left[0]).isZero();
        assertThat(bad[0]).isZero();
        assertThat(rig.queue().unknown()).isZero();
        assertThat(rig.ssd.active()).isZero();
    }

    /** Figures: published, with driver, PCIe and host around the medium. */
    @ParameterizedTest
    @CsvSource({
        "p4800x, 1, 4096, 8.9",
        "p4800x, 16, 4096, 27.3",
        "p5800x, 1, 4096, 5.9",
        "p5800x, 128, 4096, 83.5",
        "pm9a3, 128, 4096, 130"
    })
    void manyReadsTakeWhatTheMediumAndTheWayTake(String media, int depth, int bytes, double us) {
        DriverRig rig = new DriverRig(media);
        long buffer = rig.memory("buffer", depth * bytes);
        Random random = new Random(5);
        List<Integer> free = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            free.add(i);
        }
        long[] begun = new long[depth];
        long[] sum = {0};
        int[] count = {0};
        rig.work = () -> {
            boolean any = !free.isEmpty();
            while (!free.isEmpty()) {
                int tag = free.remove(free.size() - 1);
                begun[tag] = rig.core.now();
                long slba = random.nextInt(1 << 20) * (bytes / 512L);
                rig.queue().transfer(Opcodes.READ, 1, slba, bytes / 512, buffer + (long) tag * bytes, bytes, tag);
            }
            return any;
        };
        rig.done = (tag, status, result) -> {
            sum[0] += rig.core.now() - begun[tag];
            count[0]++;
            free.add(tag);
        };
        rig.ready(256, true);
        long from = rig.sim.now();
        rig.sim.run(from + 10 * MS);
        double mean = (double) sum[0] / count[0] / 1e6;
        assertThat(mean).isCloseTo(us, within(0.08 * us));
        double iops = count[0] / 10e-3;
        assertThat(iops * mean / 1e6).as("Little").isCloseTo(depth, within(0.02 * depth));
    }
}
