package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** NUMA, the cache ways of device writes, stalls: closed forms of what they add. */
class MemoryPathTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 16);
    private static final HostSpec HOST = HostSpec.server();
    private static final long GAP = 3_000_000;

    private static Rig rig(HostDepth depth, KernelMode mode) {
        HostSpec host = HOST.withDepth(depth);
        return new Rig(SimSpec.of(1).withMode(mode), LINK, host, CpuSpec.server(), PayloadMode.BYTES);
    }

    private static long readPs(Rig rig, long address, int bytes) {
        DmaRead r = rig.read(rig.sim.now() + 1, address, bytes, 0, 1);
        rig.sim.run(rig.sim.now() + GAP);
        return r.donePs - r.issuedPs;
    }

    @ParameterizedTest
    @EnumSource
    void memoryOfTheOtherNodeIsAHopAway(KernelMode mode) {
        Rig near = rig(HostDepth.NONE, mode);
        Rig far = rig(HostDepth.NONE.withNuma(new NumaSpec(1, 0)), mode);
        assertThat(readPs(far, far.bulk.address(), 64) - readPs(near, near.bulk.address(), 64))
                .isEqualTo(HOST.nodeHopPs());
        assertThat(visibleAfter(far) - visibleAfter(near)).isBetween(HOST.nodeHopPs(), HOST.nodeHopPs() + 1_000);
        // a core of the other node: its stores cross too, and what a device wrote is far away
        Rig core = rig(HostDepth.NONE.withNuma(new NumaSpec(0, 1)), mode);
        assertThat(storeArrives(core) - storeArrives(near)).isEqualTo(HOST.nodeHopPs());
        CpuSpec remote = CpuSpec.server().withRemoteMemory(HOST.nodeHopPs());
        assertThat(remote.completionPs() - CpuSpec.server().completionPs()).isEqualTo(HOST.nodeHopPs());
        assertThat(CpuSpec.server().withRemoteMemory(0)).isEqualTo(CpuSpec.server());
    }

    private static long visibleAfter(Rig rig) {
        long start = rig.sim.now();
        byte old = rig.host.memory().getByte(rig.real.address());
        rig.write(start + 1, rig.real.address(), new byte[] {(byte) (old + 1)});
        while (rig.host.memory().getByte(rig.real.address()) == old) {
            rig.sim.run(rig.sim.now() + 500);
        }
        return rig.sim.now() - start;
    }

    private static long storeArrives(Rig rig) {
        long start = rig.sim.now();
        rig.core.mmioWrite(rig.endpoint.barAddress(0), 1, 4);
        rig.sim.run(start + GAP);
        return rig.stores.taken.get(rig.stores.taken.size() - 1).arrivedPs - start;
    }

    /** 4 ways of 64 sets, two for devices: 8 KB of device writes fit. */
    private static final DdioSpec SMALL = new DdioSpec(64L * 64 * 4, 4, 2);

    @ParameterizedTest
    @ValueSource(ints = {4_096, 8_192, 8_256, 16_384})
    void aReadOfWhatADeviceWroteIsFasterWhileTheWaysHoldIt(int written) {
        Rig rig = rig(HostDepth.NONE.withDdio(SMALL), KernelMode.ACTIVITY);
        long dram = readPs(rig, rig.bulk.address() + 100_000, 64);
        for (int at = 0; at < written; at += 64) {
            rig.write(rig.sim.now() + 1 + at, rig.bulk.address() + at, new byte[64]);
        }
        rig.sim.run(rig.sim.now() + GAP);
        long first = readPs(rig, rig.bulk.address(), 64);
        long last = readPs(rig, rig.bulk.address() + written - 64, 64);
        long gain = HOST.dramReadPs() - HOST.cacheReadPs(); // 70 ns, as measured
        assertThat(gain).isEqualTo(70_000);
        assertThat(dram - last).isEqualTo(gain);
        assertThat(dram - first).isEqualTo(written <= SMALL.bytes() ? gain : 0);
    }

    @Test
    void withoutWaysWhatADeviceWritesIsInMemory() {
        Rig rig = rig(HostDepth.NONE.withDdio(new DdioSpec(64L * 64 * 4, 4, 0)), KernelMode.ACTIVITY);
        long dram = readPs(rig, rig.bulk.address() + 100_000, 64);
        rig.write(rig.sim.now() + 1, rig.bulk.address(), new byte[64]);
        rig.sim.run(rig.sim.now() + GAP);
        assertThat(readPs(rig, rig.bulk.address(), 64)).isEqualTo(dram);
    }

    @ParameterizedTest
    @EnumSource
    void aStallThatBeginsWithAnAccessHoldsUpAllOthersUntilItsEnd(KernelMode mode) {
        Rig rig = rig(HostDepth.NONE.withStalls(new StallSpec(12_800_000, 1_000_000, 1, true, 0, 0)), mode);
        Rig free = rig(HostDepth.NONE, mode);
        for (Rig r : new Rig[] {rig, free}) {
            for (int i = 0; i < 4; i++) {
                r.read(13_000_000 + i * 200_000L, r.real.address() + i * 64L, 4, i, 1);
            }
            r.read(14_500_000, r.real.address(), 4, 0, 1);
            r.sim.run(20_000_000);
        }
        for (int i = 0; i < 5; i++) {
            long late = ((DmaRead) rig.device.done.get(i)).donePs - ((DmaRead) free.device.done.get(i)).donePs;
            assertThat(late)
                    .isBetween(
                            i == 4 ? 0 : 1_000_000L - i * 200_000L - 1, i == 4 ? 0 : 1_000_000L - i * 200_000L + 9_000);
        }
    }

    @Test
    void stallsAnywhereStrikeTheirShareOfTime() {
        RandomStream chance = RandomStream.named(1, "stalls");
        Stalls s = new Stalls(new StallSpec(1_000_000, 100_000, 0.25, false, 0, 0), chance, chance);
        long stalled = 0;
        int looks = 400_000;
        for (int i = 0; i < looks; i++) {
            stalled += s.begin(i * 997L) > i * 997L ? 1 : 0;
        }
        assertThat((double) stalled / looks).isCloseTo(0.25 * 0.1, within(0.004));
        assertThat(chance.counter()).isZero(); // who looks, and how often, changes nothing
    }

    @Test
    void jitterIsLognormal() {
        Stalls s = new Stalls(
                new StallSpec(0, 0, 0, false, 50_000, 0.5), RandomStream.named(1, "a"), RandomStream.named(1, "b"));
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            all.add(s.begin(0));
        }
        Collections.sort(all);
        assertThat((double) all.get(50_000)).isCloseTo(50_000, within(500.0));
        // one and two standard deviations of the logarithm
        assertThat((double) all.get(84_134)).isCloseTo(50_000 * Math.exp(0.5), within(1_000.0));
        assertThat((double) all.get(2_275)).isCloseTo(50_000 * Math.exp(-1), within(600.0));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsReadComesTogetherInWhateverOrderMemoryAnswers(KernelMode mode) {
        Rig rig = rig(HostDepth.NONE.withStalls(new StallSpec(0, 0, 0, false, 50_000, 2)), mode);
        int bytes = 1 << 16;
        rig.host.memory().fill(rig.bulk.address(), bytes, 7, 3);
        byte[] expected = new byte[bytes];
        rig.host.memory().getBytes(rig.bulk.address(), expected, 0, bytes);
        RandomStream random = RandomStream.named(1, "test");
        List<DmaRead> reads = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            int length = random.below(6_000);
            long from = rig.bulk.address() + random.below(bytes - length);
            reads.add(rig.read(1 + i * 10_000L, from, length, random.below(3), 1 + random.below(12)));
        }
        rig.sim.run(2_000_000_000L);
        assertThat(rig.device.done).hasSize(300).isNotEqualTo(reads);
        for (DmaRead r : reads) {
            byte[] got = new byte[r.length];
            r.into.copyTo(0, got, 0, r.length);
            int at = (int) (r.address - rig.bulk.address());
            assertThat(got).isEqualTo(Arrays.copyOfRange(expected, at, at + r.length));
        }
    }

    @Test
    void whatCannotBeBuiltIsRefused() {
        assertThatThrownBy(() -> HOST.withDepth(HostDepth.NONE.withNuma(new NumaSpec(2, 0))))
                .hasMessageContaining("NUMA node of memory 2 is not in 0..1");
        assertThatThrownBy(() -> new NumaSpec(0, -1)).hasMessageContaining("core -1");
        assertThatThrownBy(() -> new DdioSpec(1 << 20, 11, 2)).hasMessageContaining("power of two");
        assertThatThrownBy(() -> new DdioSpec(22 << 20, 11, 12))
                .hasMessageContaining("ways for device writes 12 is not in 0..11");
        assertThatThrownBy(() -> new StallSpec(100, 101, 0.5, false, 0, 0))
                .hasMessageContaining("duration ps 101 is not in 0..100, the period");
        assertThatThrownBy(() -> new StallSpec(100, 10, 1.5, false, 0, 0)).hasMessageContaining("probability 1.5");
    }
}
