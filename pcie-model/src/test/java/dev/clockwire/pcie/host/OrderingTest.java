package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.PcieOrdering;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the order of writes costs on platforms where it costs something, and the attributes and tags that configuration allows. */
class OrderingTest {
    private static final int CONTROL = ConfigSpace.EXPRESS + 8;
    private static final int CONTROL2 = ConfigSpace.EXPRESS + 0x28;
    private static final int ALL = 0b1111;

    /** Rate at which writes of 4 KB that come at a line's rate get into memory, in Gb/s. */
    private static double rate(PcieLinkSpec link, double lineGbps, boolean relaxed) {
        Rig rig = new Rig(SimSpec.of(1), link, HostSpec.server(), CpuSpec.free(), PayloadMode.SIZES);
        int writes = 2_000;
        for (int i = 0; i < writes; i++) {
            DmaWrite w = rig.write(1 + Math.round(i * 4096.0 * 8_000 / lineGbps), rig.bulk.address(), new byte[4096]);
            w.relaxed = relaxed;
        }
        rig.sim.run(1);
        rig.sim.runUntil(() -> rig.device.done.size() == writes, 10_000_000_000L);
        return writes * 4096.0 * 8_000 / rig.sim.now();
    }

    @Test
    void epycTakesThreeQuartersOfTheLineUnlessOrderIsRelaxed() { // target P15
        PcieLinkSpec link = PcieLinkSpec.of(4, 16).withOrdering(PcieOrdering.EPYC);
        double strict = rate(link, 200, false);
        double relaxed = rate(link, 200, true);
        assertThat(strict).isBetween(148.0, 152.0);
        assertThat(relaxed).isBetween(198.0, 201.0);
        assertThat(strict / relaxed).isBetween(0.65, 0.85);
    }

    @Test
    void emeraldRapidsTakesLessThanHalf() { // target P15
        PcieLinkSpec link = PcieLinkSpec.of(5, 16).withOrdering(PcieOrdering.EMERALD_RAPIDS);
        double strict = rate(link, 400, false);
        double relaxed = rate(link, 400, true);
        assertThat(strict / 8).isBetween(15.5, 16.5);
        assertThat(relaxed / 8).isGreaterThan(40);
        assertThat(strict / relaxed).isLessThan(0.45);
    }

    @Test
    void whereOrderCostsNothingTheAttributeChangesNothing() { // NVIDIA/nccl issue 1205
        PcieLinkSpec link = PcieLinkSpec.of(4, 16);
        assertThat(rate(link, 200, false)).isEqualTo(rate(link, 200, true));
    }

    @Test
    void aStrictWriteStaysBehindRelaxedOnes() {
        PcieLinkSpec link = PcieLinkSpec.of(4, 16).withOrdering(PcieOrdering.EPYC);
        Rig rig = new Rig(SimSpec.of(1), link);
        long[] payload = {0};
        long[] entry = {0};
        rig.host.memory().watch(rig.bulk.address(), 4096, (va, n) -> payload[0] = rig.sim.now());
        rig.host.memory().watch(rig.real.address(), 64, (va, n) -> entry[0] = rig.sim.now());
        rig.write(1, rig.bulk.address(), new byte[4096]).relaxed = true;
        rig.write(2, rig.real.address(), new byte[64]);
        rig.sim.run(5_000_000);
        assertThat(entry[0]).isGreaterThanOrEqualTo(payload[0]);
        assertThat(payload[0]).isPositive();
    }

    private static PcieLinkSpec ordered(PcieLinkSpec link) {
        return link.withOrdering(PcieOrdering.EPYC);
    }

    @Property(tries = 30)
    void trainsAndSinglePacketsGiveTheSameTimes(@ForAll long seed) {
        Traffic trains = new Traffic(SimSpec.of(1), seed, true, OrderingTest::ordered);
        Traffic singles = new Traffic(SimSpec.of(1).withMode(KernelMode.EXHAUSTIVE), seed, true, OrderingTest::ordered);
        trains.run(40_000_000);
        singles.run(40_000_000);
        assertThat(trains.packets).isEqualTo(singles.packets);
        assertThat(trains.results()).isEqualTo(singles.results());
    }

    @ParameterizedTest
    @CsvSource({"0", "13650"})
    void theSmallestBuffersMakeItSlowAndNotStuck(long strict) {
        PcieLinkSpec link = PcieLinkSpec.of(4, 16)
                .withOrdering(new PcieOrdering(strict, false))
                .withCredits(new FlowCredits(1, 16, 1, 2, 0, 0), new FlowCredits(1, 16, 1, 2, 0, 0));
        Rig rig = new Rig(SimSpec.of(1), link);
        DmaRead r = rig.read(1, rig.bulk.address(), 8192, 0, 64);
        rig.write(1, rig.bulk.address() + (1 << 20), new byte[8192]);
        int[] step = {0};
        rig.core.run(core -> {
            if (step[0]++ < 20) {
                core.mmioWrite(rig.endpoint.barAddress(0), step[0], 4);
                core.wake();
            }
        });
        rig.sim.run(100_000_000);
        assertThat(r.into.length()).isEqualTo(8192);
        assertThat(rig.device.done).hasSize(2);
        assertThat(rig.stores.taken).hasSize(20);
    }

    private static Rig configured(PcieLinkSpec link, List<TlpHeader> seen) {
        Rig rig = new Rig(SimSpec.of(1), link);
        rig.endpoint
                .configure(new ConfigSpec(
                        0x15b3, 0x1021, 1, 0x020000, 0, rig.endpoint.barSpecs(), 64, 0, 0, 0x8000, 512, link))
                .enumerated();
        rig.endpoint.transmitter().tap((ps, up, h, data, off, n) -> {
            TlpHeader copy = new TlpHeader();
            copy.type = h.type;
            copy.tag = h.tag;
            copy.attributes = h.attributes;
            seen.add(copy);
        });
        return rig;
    }

    private static ConfigSpace space(Rig rig) {
        return java.util.Objects.requireNonNull(rig.endpoint.config());
    }

    private static NavigableSet<Integer> tags(Rig rig, List<TlpHeader> seen) {
        seen.clear();
        long now = rig.sim.now();
        for (int i = 0; i < 4; i++) {
            rig.read(now + 1, rig.bulk.address(), 1 << 18, i, 1024);
        }
        rig.sim.run(now + 200_000_000);
        assertThat(rig.endpoint.readsOutstanding()).isZero();
        NavigableSet<Integer> all = new TreeSet<>();
        seen.forEach(h -> all.add(h.tag));
        return all;
    }

    @Test
    void tagsAreFiveEightOrTenBitsAsConfigurationSays() {
        List<TlpHeader> seen = new ArrayList<>();
        Rig rig = configured(PcieLinkSpec.of(4, 16).withReadLimits(768, 0), seen);
        NavigableSet<Integer> ten = tags(rig, seen);
        assertThat(ten.first()).isEqualTo(256);
        assertThat(ten.last()).isEqualTo(1023);
        assertThat(ten).hasSize(768);

        space(rig).write(CONTROL2, 0, ALL);
        NavigableSet<Integer> eight = tags(rig, seen);
        assertThat(eight.first()).isZero();
        assertThat(eight.last()).isEqualTo(255);

        space(rig).write(CONTROL, space(rig).read(CONTROL) & ~(1 << 8), 0b0011);
        NavigableSet<Integer> five = tags(rig, seen);
        assertThat(five).hasSize(32);
        assertThat(five.last()).isEqualTo(31);

        space(rig).write(CONTROL2, 1 << 12, ALL);
        assertThat(tags(rig, seen)).isEqualTo(ten);
    }

    @Test
    void tagsInUseKeepTheirMeaningWhileConfigurationChanges() {
        List<TlpHeader> seen = new ArrayList<>();
        Rig rig = configured(PcieLinkSpec.of(4, 16).withReadLimits(768, 0), seen);
        DmaRead first = rig.read(1, rig.bulk.address(), 1 << 16, 0, 64);
        rig.sim.run(100_000);
        space(rig).write(CONTROL2, 0, ALL);
        DmaRead second = rig.read(rig.sim.now() + 1, rig.bulk.address(), 1 << 16, 1, 64);
        rig.sim.run(100_000_000);
        assertThat(first.into.length() + second.into.length()).isEqualTo(2 << 16);
        assertThat(rig.endpoint.unexpectedCompletions()).isZero();
    }

    @Test
    void theIdBasedAttributeNeedsBothTheDeviceAndItsConfiguration() {
        for (int i = 0; i < 4; i++) {
            List<TlpHeader> seen = new ArrayList<>();
            Rig rig = configured(PcieLinkSpec.of(4, 16).withOrdering(new PcieOrdering(0, (i & 1) != 0)), seen);
            space(rig).write(CONTROL2, (i & 2) != 0 ? 1 << 8 : 0, ALL);
            rig.read(1, rig.bulk.address(), 64, 0, 1);
            rig.write(2, rig.bulk.address(), new byte[64]);
            rig.sim.run(5_000_000);
            boolean set = i == 3;
            assertThat(seen).hasSize(2).allMatch(h -> (h.attributes & TlpHeader.ATTR_IDO) != 0 == set);
        }
    }

    @Test
    void anOrderThatTakesTooLongIsRefused() {
        assertThatThrownBy(() -> new PcieOrdering(-1, false)).hasMessageContaining("-1 ps is not in 0..");
    }
}
