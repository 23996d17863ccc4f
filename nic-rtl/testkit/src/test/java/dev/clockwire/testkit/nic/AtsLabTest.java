package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A NIC that keeps translations, on the root port and behind a switch. */
class AtsLabTest {
    private static final int BYTES = 60_000;

    private static Profile profile(String between) {
        return Profiles.named("cx7-400g")
                .with("host.iommu.enabled", "true")
                .with("host.iommu.iotlb_entries", "4")
                .with("pcie.switch", between);
    }

    private static long run(Lab lab, Pair pair, int times) {
        byte[] data = new byte[BYTES];
        new Random(1).nextBytes(data);
        pair.a.write(0, data);
        long from = lab.sim().now();
        for (int i = 0; i < times; i++) {
            new Posts(pair.a, pair.b).post(i % 2 == 0 ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_READ, BYTES);
            assertThat(pair.next(pair.a).status).isEqualTo(WcStatus.SUCCESS);
            assertThat(pair.b.read(0, BYTES)).isEqualTo(data);
        }
        return lab.sim().now() - from;
    }

    private static Pair pair(Lab lab) {
        return new Pair(lab, QpType.RC, Mtu.MTU_4096, Allocation.Kind.REAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gen5"})
    void aWarmDeviceWalksNoMoreAndIsAsFastAsWithoutTranslation(String between) {
        Lab plain = Lab.twoHosts(profile(between).with("host.iommu.enabled", "false"), LabSpec.of(1));
        Lab thrashes = Lab.twoHosts(profile(between), LabSpec.of(1));
        Lab keeps = Lab.twoHosts(profile(between).with("pcie.ats", "true"), LabSpec.of(1));
        long[] ps = new long[3];
        Lab[] labs = {plain, thrashes, keeps};
        long walks = 0;
        for (int i = 0; i < labs.length; i++) {
            Pair pair = pair(labs[i]);
            run(labs[i], pair, 2);
            walks = i == 2 ? walks(keeps) : 0;
            ps[i] = run(labs[i], pair, 6);
        }
        assertThat(walks(keeps)).as("all pages are known").isEqualTo(walks);
        assertThat(ps[1]).isGreaterThan(ps[0] + 1_000_000);
        assertThat(ps[2]).isEqualTo(ps[0]);
    }

    private static long walks(Lab lab) {
        return lab.sim().stats().value("host0.root.iommu.walks")
                + lab.sim().stats().value("host1.root.iommu.walks");
    }

    private static Lab lab(KernelMode mode) {
        return Lab.twoHosts(
                profile("none").with("pcie.ats", "true"),
                new LabSpec(1, mode, LoopKind.AUTO, PayloadMode.BYTES, true, 0));
    }

    private static long ats(Lab lab, String what) {
        return lab.sim().stats().value("host0.pcie.ats." + what);
    }

    /** Bits as in Linux's pci_regs.h: id 0x0F, control 6 into the capability, enable its bit 15. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "gen5"})
    void theCapabilityIsTheLastOfTheChainAndTheDriverHasSwitchedItOn(String between) {
        ConfigSpace with = Lab.twoHosts(profile(between).with("pcie.ats", "true"), LabSpec.of(1))
                .a()
                .nic()
                .config();
        assertThat(with.read(0x100) >>> 20).isEqualTo(0x140);
        assertThat(with.read(0x140)).isEqualTo(0x0001_000F);
        assertThat(with.read(0x144)).as("page aligned, enabled").isEqualTo(0x8000_0020);
        ConfigSpace without =
                Lab.twoHosts(profile(between), LabSpec.of(1)).a().nic().config();
        assertThat(without.read(0x100) >>> 20).isZero();
        assertThat(without.read(0x140)).isZero();
        without.write(0x144, -1, 0xF);
        assertThat(without.read(0x144)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotAllowedToTranslateLeavesItToTheHost(KernelMode mode) {
        Lab lab = lab(mode);
        Pair pair = pair(lab);
        run(lab, pair, 2);
        lab.a().nic().config().write(0x144, 0, 0b1000);
        long hits = ats(lab, "hits");
        long misses = ats(lab, "misses");
        long walks = lab.sim().stats().value("host0.root.iommu.walks");
        run(lab, pair, 2);
        assertThat(ats(lab, "hits")).isEqualTo(hits);
        assertThat(ats(lab, "misses")).isEqualTo(misses);
        assertThat(lab.sim().stats().value("host0.root.iommu.walks")).isGreaterThan(walks + 15);
        lab.a().host().unmap(pair.a.at(BYTES + 10_000), 4096);
        assertThat(lab.a().host().port(0).invalidationsPending()).isZero();
    }

    @Test
    void whatAFunctionKnewIsForgottenAfterItsReset() {
        Lab lab = lab(KernelMode.ACTIVITY);
        Pair pair = pair(lab);
        run(lab, pair, 2);
        long misses = ats(lab, "misses");
        run(lab, pair, 2);
        assertThat(ats(lab, "misses")).isEqualTo(misses);
        ConfigSpace config = lab.a().nic().config();
        long[] bars = {config.barAddress(0), config.barAddress(2), config.barAddress(4)};
        config.reset();
        assertThat(config.translates()).isFalse();
        for (int i = 0; i < bars.length; i++) {
            config.place(2 * i, bars[i]);
        }
        config.enumerated();
        config.setVectors(true, false);
        config.enableTranslation();
        run(lab, pair, 2);
        assertThat(ats(lab, "misses")).as("15 pages of payload at least").isGreaterThan(misses + 15);
    }

    /** The bit goes and comes while accesses wait for their translations: nothing is lost, and both kernels agree. */
    @Test
    void theBitMayGoAtAnyTime() {
        Set<List<Long>> ends = new LinkedHashSet<>();
        for (KernelMode mode : KernelMode.values()) {
            Lab lab = lab(mode);
            Pair pair = pair(lab);
            byte[] data = new byte[BYTES];
            new Random(2).nextBytes(data);
            pair.a.write(0, data);
            new Posts(pair.a, pair.b).post(WrOpcode.RDMA_WRITE, BYTES);
            new Posts(pair.a, pair.b).post(WrOpcode.RDMA_READ, BYTES);
            ConfigSpace config = lab.a().nic().config();
            for (int i = 0; i < 200; i++) {
                lab.sim().run(lab.sim().now() + 37_000);
                config.write(0x144, i % 2 == 0 ? 0 : 1 << 31, 0b1000);
            }
            assertThat(pair.next(pair.a).status).isEqualTo(WcStatus.SUCCESS);
            assertThat(pair.next(pair.a).status).isEqualTo(WcStatus.SUCCESS);
            assertThat(pair.b.read(0, BYTES)).isEqualTo(data);
            ends.add(List.of(ats(lab, "misses"), ats(lab, "hits")));
        }
        assertThat(ends).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gen5"})
    void memoryThatIsTakenAwayIsOutOfReachOnceTheDeviceHasSaidSo(String between) {
        Lab lab = Lab.twoHosts(profile(between).with("pcie.ats", "true"), LabSpec.of(1));
        Pair pair = pair(lab);
        run(lab, pair, 2);
        lab.b().host().unmap(pair.b.at(0), Pair.BUFFER);
        assertThat(lab.b().host().port(0).invalidationsPending()).isEqualTo(1);
        lab.sim().run(lab.sim().now() + 5_000_000);
        assertThat(lab.b().host().port(0).invalidationsPending()).isZero();
        byte[] before = pair.b.read(0, BYTES);
        pair.a.write(0, new byte[BYTES]);
        new Posts(pair.a, pair.b).post(WrOpcode.RDMA_READ, BYTES);
        assertThat(pair.next(pair.a, 100_000_000_000L).status).isEqualTo(WcStatus.REM_OP_ERR);
        assertThat(pair.b.read(0, BYTES)).isEqualTo(before);
    }
}
