package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.Iommu;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the IOMMU costs a device: the published knee, the closed form of the walkers, and faults. */
class IommuPathTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(3, 8).withReadLimits(256, 0);
    private static final IommuSpec XEON = IommuSpec.xeon();
    private static final int PAGE = 4096;

    private static Rig rig(IommuSpec spec, HugePages pages, KernelMode mode) {
        HostSpec host = HostSpec.server().withDepth(HostDepth.NONE.withIommu(spec, pages));
        return new Rig(SimSpec.of(1).withMode(mode), LINK, host, CpuSpec.free(), PayloadMode.BYTES);
    }

    private static Iommu mmu(Rig rig) {
        return Objects.requireNonNull(rig.host.iommu());
    }

    /** Mean time of one read at a time, round and round over some pages, after one round. */
    private static double latency(Rig rig, int pages, int size) {
        long sum = 0;
        for (int i = 0; i < 2 * pages; i++) {
            DmaRead r = rig.read(rig.sim.now() + 1, rig.bulk.address() + (long) i % pages * PAGE, size, 0, 1);
            rig.sim.run(rig.sim.now() + 3_000_000);
            sum += i < pages ? 0 : r.donePs - r.issuedPs;
        }
        return (double) sum / pages;
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64, 65, 128})
    void theKneeLiesAtEntriesTimesPageAndAMissCostsAWalk(int pages) {
        double free = latency(rig(XEON, HugePages.POOL_2M, KernelMode.ACTIVITY), pages, 64);
        // fully associative: round and round over one page more than fits misses always
        double cost = latency(rig(XEON.withIotlb(64, 64), HugePages.NEVER, KernelMode.ACTIVITY), pages, 64) - free;
        assertThat(cost).isEqualTo(pages > 64 ? 330_000.0 : 0);
    }

    /** Reads a second, many at a time, each to another page. */
    private static double rate(HugePages size, int bytes) {
        Rig rig = rig(XEON, size, KernelMode.ACTIVITY);
        int reads = 4_000;
        for (int i = 0; i < reads; i++) {
            rig.read(1 + i, rig.bulk.address() + (long) i % 1_000 * PAGE, bytes, 0, 200);
        }
        rig.sim.run(10_000_000_000L);
        DmaRead last = (DmaRead) rig.device.done.get(reads - 1);
        assertThat(mmu(rig).walks()).isEqualTo(size == HugePages.NEVER ? reads : 2);
        return reads * 1e12 / last.donePs;
    }

    @Test
    void manySmallReadsAreBoundByTheWalkersAndLargeOnesByTheLink() {
        double walkers = 5 * 1e12 / 330_000;
        assertThat(rate(HugePages.NEVER, 64)).isBetween(0.97 * walkers, walkers);
        assertThat(rate(HugePages.POOL_2M, 64)).isGreaterThan(walkers / 0.3); // published: 70 % are lost
        double large = rate(HugePages.POOL_2M, 512);
        assertThat(rate(HugePages.NEVER, 512)).isGreaterThan(0.99 * large); // published: nothing is lost
        double page = rate(HugePages.POOL_2M, 4096);
        assertThat(rate(HugePages.NEVER, 4096)).isGreaterThan(0.99 * page);
    }

    @ParameterizedTest
    @EnumSource
    void fourThreeOrTwoLevelsAreWalked(KernelMode mode) {
        long[] walks = {330_000, 330_000 * 3 / 4, 330_000 / 2};
        HugePages[] sizes = {HugePages.NEVER, HugePages.POOL_2M, HugePages.POOL_1G};
        for (int i = 0; i < sizes.length; i++) {
            Rig rig = rig(XEON, sizes[i], mode);
            DmaRead first = rig.read(1_000, rig.bulk.address(), 64, 0, 1);
            DmaRead second = rig.read(5_000_000, rig.bulk.address() + 64, 64, 0, 1);
            rig.sim.run(9_000_000);
            assertThat(first.donePs - first.issuedPs).isEqualTo(second.donePs - second.issuedPs + walks[i]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesBehindOneThatWaitsKeepTheirOrderAndReadsBehindThemSeeThem(KernelMode mode) {
        Rig rig = rig(XEON, HugePages.NEVER, mode);
        long known = rig.bulk.address();
        long unknown = known + 64 * PAGE;
        rig.read(1, known, 4, 0, 1);
        byte[] data = new byte[64];
        data[0] = 5;
        rig.write(5_000_000, unknown, data);
        rig.write(5_000_100, known, data);
        DmaRead r = rig.read(5_000_200, known, 64, 0, 1);
        rig.sim.run(5_400_000);
        // the first write waits 330 ns for its page: the second one, whose page is known, is not in memory before it
        assertThat(rig.host.memory().getByte(known)).isZero();
        rig.sim.run(9_000_000);
        assertThat(rig.host.memory().getByte(known)).isEqualTo((byte) 5);
        byte[] got = new byte[64];
        r.into.copyTo(0, got, 0, 64);
        assertThat(got).isEqualTo(data);
        assertThat(r.donePs).isGreaterThan(5_400_000);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotMappedIsRefusedAndCounted(KernelMode mode) {
        IommuSpec aborts = new IommuSpec(64, 4, 0, 330_000, 4, CompletionStatus.CA);
        for (IommuSpec spec : new IommuSpec[] {XEON, aborts}) {
            Rig rig = rig(spec, HugePages.NEVER, mode);
            mmu(rig).unmap(rig.bulk.address() + PAGE, PAGE);
            DmaRead half = rig.read(1, rig.bulk.address() + PAGE - 512, 1_024, 0, 4);
            DmaRead nowhere = rig.read(2, 0x1234_5000, 64, 0, 4);
            rig.write(3, rig.bulk.address() + PAGE, new byte[] {9, 9});
            rig.sim.run(5_000_000);
            assertThat(half.status).isEqualTo(spec.refusal());
            assertThat(nowhere.status).isEqualTo(spec.refusal());
            assertThat(rig.host.memory().getByte(rig.bulk.address() + PAGE)).isZero();
            assertThat(mmu(rig).faults()).isEqualTo(3);
            mmu(rig).map(rig.bulk.address() + PAGE, PAGE);
            DmaRead again = rig.read(5_000_001, rig.bulk.address() + PAGE, 64, 0, 4);
            rig.sim.run(9_000_000);
            assertThat(again.status).isEqualTo(CompletionStatus.SC);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anIommuThatKnowsEverythingIsNotThere(KernelMode mode) {
        SimSpec kernel = SimSpec.of(1).withMode(mode);
        Rig with = rig(new IommuSpec(1, 1, 0, 4, 1, CompletionStatus.UR), HugePages.POOL_1G, mode);
        Rig without = new Rig(kernel, LINK, HostSpec.server(), CpuSpec.free(), PayloadMode.BYTES);
        for (Rig rig : new Rig[] {with, without}) {
            rig.read(1, rig.bulk.address(), 4, 0, 1);
            for (int i = 0; i < 50; i++) {
                rig.write(3_000_000 + i * 1_000L, rig.bulk.address() + i * 3_000L, new byte[2_500]);
                rig.read(3_000_500 + i * 1_000L, rig.bulk.address() + i * 5_000L, 3_500, i % 3, 3);
            }
            rig.sim.run(2_900_000);
        }
        long before = with.endpoint.transmitter().packets();
        with.sim.run(90_000_000);
        without.sim.run(90_000_000);
        assertThat(with.device.done).hasSize(101);
        for (int i = 1; i < 101; i++) {
            if (with.device.done.get(i) instanceof DmaRead r && without.device.done.get(i) instanceof DmaRead s) {
                assertThat(r.donePs).isEqualTo(s.donePs);
            }
        }
        assertThat(with.endpoint.transmitter().packets()).isGreaterThan(before);
    }
}
