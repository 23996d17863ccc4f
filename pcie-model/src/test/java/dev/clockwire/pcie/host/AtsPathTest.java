package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.Iommu;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device that keeps translations: what they spare, what a missing one costs, and how they are taken back. */
class AtsPathTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 16);
    private static final IommuSpec XEON = IommuSpec.xeon();
    private static final long WALK = 330_000;
    private static final long GAP = 5_000_000;
    private static final int PAGE = 4096;

    private final List<String> packets = new ArrayList<>();

    private Rig rig(HugePages pages, KernelMode mode, AtsSpec ats, PcieLinkSpec link) {
        HostSpec host = HostSpec.server().withDepth(HostDepth.NONE.withIommu(XEON, pages));
        Rig rig = new Rig(SimSpec.of(1).withMode(mode), link, host, CpuSpec.free(), PayloadMode.BYTES, ats);
        rig.endpoint.transmitter().tap((ps, up, h, data, off, n) -> packets.add(h.type.label() + h.addressType));
        return rig;
    }

    private Rig rig(HugePages pages, KernelMode mode, AtsSpec ats) {
        return rig(pages, mode, ats, LINK);
    }

    private static long readPs(Rig rig, long address, int bytes) {
        long at = rig.sim.now() + 1;
        DmaRead r = rig.read(at, address, bytes, 0, 1);
        rig.sim.run(rig.sim.now() + GAP);
        assertThat(r.status).isEqualTo(CompletionStatus.SC);
        return r.donePs - at;
    }

    private static Iommu mmu(Rig rig) {
        return Objects.requireNonNull(rig.host.iommu());
    }

    private static long stat(Rig rig, String name) {
        return rig.sim.stats().value("nic0.ats." + name);
    }

    @ParameterizedTest
    @EnumSource
    void aKnownPageCostsNothingAndAnUnknownOneARoundTripAndTheWalk(KernelMode mode) {
        Rig plain = new Rig(SimSpec.of(1).withMode(mode), LINK, HostSpec.server(), CpuSpec.free(), PayloadMode.BYTES);
        long free = readPs(plain, plain.bulk.address(), 64);
        Rig rig = rig(HugePages.NEVER, mode, new AtsSpec(64, 4));
        long first = readPs(rig, rig.bulk.address(), 64);
        long second = readPs(rig, rig.bulk.address() + 128, 64);
        assertThat(second).isEqualTo(free);
        // 24 B there and 28 B back at 31.5 GB/s, two link delays, the root complex both ways, and the walk
        HostSpec host = HostSpec.server();
        double trip = 24 / 0.0315 + 28 / 0.0315 + 100_000 + host.requestPs() + host.responsePs() + WALK;
        assertThat((double) (first - free)).isEqualTo(trip, within(40.0));
        assertThat(packets).containsExactly("MRd1", "MRd2", "MRd2");
        assertThat(stat(rig, "misses")).isEqualTo(1);
        assertThat(mmu(rig).walks()).isEqualTo(1);
        assertThat(mmu(rig).hits())
                .as("translated requests do not ask the IOTLB")
                .isZero();
    }

    @Test
    void theKneeLiesAtTheDevicesCapacity() {
        for (int pages : new int[] {16, 17}) {
            Rig rig = rig(HugePages.NEVER, KernelMode.ACTIVITY, new AtsSpec(16, 16));
            for (int i = 0; i < 3 * pages; i++) {
                readPs(rig, rig.bulk.address() + (long) i % pages * PAGE, 64);
            }
            // round and round over one page more than fits misses always; the IOTLB still spares the walk
            assertThat(stat(rig, "misses")).isEqualTo(pages == 16 ? 16 : 51);
            assertThat(mmu(rig).walks()).isEqualTo(pages);
        }
    }

    @Test
    void oneTranslationCoversALargePage() {
        Rig rig = rig(HugePages.POOL_2M, KernelMode.ACTIVITY, new AtsSpec(16, 4));
        long from = rig.bulk.address() + (2 << 20) - 1 & -(2L << 20);
        for (int i = 0; i < 20; i++) {
            readPs(rig, from + i * 100_000L, 3_000);
        }
        assertThat(stat(rig, "misses")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void writesKeepTheirOrderThoughTheFirstWaits(KernelMode mode) {
        Rig rig = rig(HugePages.NEVER, mode, new AtsSpec(64, 4));
        long known = rig.real.address();
        readPs(rig, known, 4);
        packets.clear();
        byte[] ones = new byte[64];
        Arrays.fill(ones, (byte) 1);
        long at = rig.sim.now();
        rig.write(at + 1, rig.bulk.address(), ones);
        rig.write(at + 2, known, ones);
        rig.sim.run(at + 300_000);
        assertThat(rig.host.memory().getByte(known)).isZero();
        rig.sim.run(at + GAP);
        assertThat(rig.host.memory().getByte(known)).isEqualTo((byte) 1);
        assertThat(packets).containsExactly("MRd1", "MWr2", "MWr2");
    }

    @ParameterizedTest
    @EnumSource
    void aReadSeesTheWriteBeforeItThoughThatWaits(KernelMode mode) {
        Rig rig = rig(HugePages.NEVER, mode, new AtsSpec(1, 1));
        readPs(rig, rig.real.address(), 4); // the only translation kept is that of another page
        byte[] ones = new byte[8];
        Arrays.fill(ones, (byte) 1);
        long at = rig.sim.now();
        rig.write(at + 1, rig.bulk.address(), ones);
        DmaRead other = rig.read(at + 2, rig.real.address(), 8, 0, 1);
        DmaRead same = rig.read(at + 3, rig.bulk.address(), 8, 1, 1);
        rig.sim.run(at + GAP);
        byte[] seen = new byte[8];
        same.into.copyTo(0, seen, 0, 8);
        assertThat(seen).isEqualTo(ones);
        assertThat(other.donePs).isGreaterThan(at + WALK);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsTakenBackIsForgottenWhenTheLastReadHasEnded(KernelMode mode) {
        Rig rig = rig(HugePages.NEVER, mode, new AtsSpec(64, 4));
        long va = rig.bulk.address();
        readPs(rig, va, 64);
        packets.clear();
        long at = rig.sim.now();
        rig.host.unmap(va, PAGE);
        assertThat(rig.port.invalidationsPending()).isEqualTo(1);
        DmaRead before = rig.read(at + 1, va, 64, 0, 1); // the device does not know yet
        DmaRead after = rig.read(at + 1_000_000, va, 64, 0, 1);
        rig.sim.runUntil(() -> rig.port.invalidationsPending() == 0, at + GAP);
        assertThat(before.donePs).isPositive();
        assertThat(rig.sim.now()).isGreaterThan(before.donePs);
        assertThat(before.status).isEqualTo(CompletionStatus.SC);
        rig.sim.run(at + GAP);
        assertThat(after.status).isEqualTo(CompletionStatus.UR);
        // it asks, learns that there is nothing, and is refused as anybody else
        assertThat(packets).containsExactly("MRd2", "Msg0", "MRd1", "MRd0");
        assertThat(stat(rig, "invalidations")).isEqualTo(1);
        mmu(rig).map(va, PAGE);
        readPs(rig, va, 64);
        assertThat(packets).endsWith("MRd1", "MRd2");
    }

    /** The answer to a translation request is under way when the page goes: it is of no use. */
    @ParameterizedTest
    @EnumSource
    void aPageThatGoesWhileItIsAskedForIsNotUsed(KernelMode mode) {
        for (long when : new long[] {50_000, 300_000, 520_000, 560_000}) {
            packets.clear();
            Rig rig = rig(HugePages.NEVER, mode, new AtsSpec(64, 4));
            DmaRead r = rig.read(1, rig.bulk.address(), 64, 0, 1);
            rig.sim.run(when);
            rig.host.unmap(rig.bulk.address(), PAGE);
            rig.sim.run(GAP);
            assertThat(rig.port.invalidationsPending()).isZero();
            assertThat(r.donePs).isPositive();
            DmaRead late = rig.read(GAP + 1, rig.bulk.address(), 64, 0, 1);
            rig.sim.run(2 * GAP);
            assertThat(late.status).as("page gone at %d", when).isEqualTo(CompletionStatus.UR);
        }
    }

    @Test
    void aTranslationThatIsRefusedOrLostLeavesTheRequestUntranslated() {
        for (TlpFault.What what : new TlpFault.What[] {TlpFault.What.LOSE, TlpFault.What.ABORT, TlpFault.What.REFUSE}) {
            packets.clear();
            PcieLinkSpec link = LINK.withTroubles(
                    LinkTroubles.of(TlpFault.of(true, TlpType.MRD, 1, what)).withTimeout(100_000_000));
            Rig rig = rig(HugePages.NEVER, KernelMode.ACTIVITY, new AtsSpec(64, 4), link);
            DmaRead r = rig.read(1, rig.bulk.address(), 64, 0, 1);
            rig.sim.run(200_000_000);
            assertThat(r.status).isEqualTo(CompletionStatus.SC);
            assertThat(r.into.length()).isEqualTo(64);
            assertThat(packets).containsExactly("MRd1", "MRd0");
        }
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> new Rig(
                        SimSpec.of(1), LINK, HostSpec.server(), CpuSpec.free(), PayloadMode.BYTES, new AtsSpec(4, 4)))
                .hasMessageContaining("ATS")
                .hasMessageContaining("no IOMMU");
        assertThatThrownBy(() -> new AtsSpec(12, 4)).hasMessageContaining("12 translations in 4 ways");
        assertThatThrownBy(() -> new AtsSpec(4, 0)).hasMessageContaining("0 ways");
        Rig rig = rig(HugePages.NEVER, KernelMode.ACTIVITY, new AtsSpec(4, 4));
        for (int i = 0; i < 32; i++) {
            rig.host.unmap(rig.bulk.address() + (long) i * PAGE, PAGE);
        }
        assertThatThrownBy(() -> rig.host.unmap(rig.bulk.address() + 32 * PAGE, PAGE))
                .hasMessageContaining("one more must wait");
        rig.sim.run(GAP);
        assertThat(rig.port.invalidationsPending()).isZero();
    }
}
