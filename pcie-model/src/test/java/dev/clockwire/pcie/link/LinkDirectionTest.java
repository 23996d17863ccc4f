package dev.clockwire.pcie.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LinkDirectionTest {
    private static final PcieLinkSpec LINK =
            PcieLinkSpec.of(3, 8).withDllpMode(DllpMode.FRAMING).withDelays(20_000, 30_000);
    private static final long ADDRESS = 1L << 36;

    private static OneWay way(KernelMode mode, FlowCredits credits) {
        return new OneWay(SimSpec.of(1).withMode(mode), LINK.withCredits(credits, credits), true);
    }

    /** Gen3 x8 moves 8 bytes in 130/128 ns: the n-th packet of 280 bytes ends at the rounded-down exact time, without drift. */
    @ParameterizedTest
    @EnumSource
    void timesAreExact(KernelMode mode) {
        OneWay way = way(mode, FlowCredits.INFINITE);
        way.at(7, OneWay.write(ADDRESS, 64 * 256));
        way.at(9, OneWay.write(ADDRESS, 64 * 256));
        way.sim.run(100_000_000);
        assertThat(way.arrived).hasSize(128);
        for (int n = 1; n <= 128; n++) {
            long exact = n * 280L * 130_000 / (8 * 128);
            assertThat(OneWay.time(way.arrived.get(n - 1))).isEqualTo(7 + exact + 20_000);
        }
        way.direction.settle(way.sim.now());
        assertThat(way.direction.packets()).isEqualTo(128);
        assertThat(way.direction.payloadBytes()).isEqualTo(128 * 256);
        assertThat(way.direction.wireBytes()).isEqualTo(128 * 280);
    }

    @ParameterizedTest
    @EnumSource
    void aTrainIsOneEventAndSinglesAreMany(KernelMode mode) {
        OneWay way = way(mode, FlowCredits.INFINITE);
        way.at(1, OneWay.write(ADDRESS, 4096));
        way.sim.run(10_000_000);
        assertThat(way.headersInUse).hasSize(mode == KernelMode.ACTIVITY ? 1 : 16);
    }

    /** With one posted credit a write waits a whole credit loop; reads behind it wait too, and they may pass nothing. */
    @ParameterizedTest
    @EnumSource
    void readsStayBehindAWriteWithoutCredits(KernelMode mode) {
        OneWay way = way(mode, new FlowCredits(1, 16, 0, 0, 0, 0));
        way.at(1, OneWay.write(ADDRESS, 512));
        way.at(2, OneWay.read(ADDRESS + 0x1000, 64, 0));
        way.sim.run(10_000_000);
        assertThat(way.order()).containsExactly("MWR 1000000000", "MWR 1000000100", "MRD 1000001000");
        long loop = 20_000 + 30_000 + 10_000;
        long first = OneWay.time(way.arrived.get(0));
        assertThat(OneWay.time(way.arrived.get(1)) - first).isEqualTo(loop + 280L * 130_000 / 1024);
        assertThat(way.direction.stalledPs()).isEqualTo(loop);
    }

    @ParameterizedTest
    @EnumSource
    void writesAndCompletionsPassAReadWithoutCredits(KernelMode mode) {
        OneWay way = way(mode, new FlowCredits(0, 0, 1, 0, 0, 0));
        way.at(1, OneWay.read(ADDRESS, 64, 0));
        way.at(2, OneWay.read(ADDRESS + 64, 64, 1));
        way.at(3, OneWay.write(ADDRESS + 0x1000, 64));
        way.at(4, OneWay.completion(ADDRESS + 0x2000, 64, 5));
        way.sim.run(10_000_000);
        assertThat(way.order())
                .containsExactly("MRD 1000000000", "MWR 1000001000", "CPLD 1000002000", "MRD 1000000040");
    }

    @ParameterizedTest
    @EnumSource
    void aCompletionStaysBehindAWriteUnlessItIsRelaxed(KernelMode mode) {
        for (boolean relaxed : new boolean[] {false, true}) {
            OneWay way = way(mode, new FlowCredits(1, 0, 0, 0, 0, 0));
            way.at(1, OneWay.write(ADDRESS, 64));
            way.at(2, OneWay.write(ADDRESS + 64, 64));
            TlpTrain completion = OneWay.completion(ADDRESS + 0x2000, 64, 5);
            completion.relaxed = relaxed;
            way.at(3, completion);
            way.sim.run(10_000_000);
            assertThat(way.order().indexOf("CPLD 1000002000")).isEqualTo(relaxed ? 1 : 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dataCreditsAreUnitsOf16Bytes(KernelMode mode) {
        OneWay way = way(mode, new FlowCredits(0, 17, 0, 0, 0, 0));
        way.at(1, OneWay.write(ADDRESS, 250)); // 16 units
        way.at(2, OneWay.write(ADDRESS + 0x1000, 16)); // the 17th
        way.at(3, OneWay.write(ADDRESS + 0x2000, 4)); // waits
        way.sim.run(60_000);
        assertThat(way.direction.waiting()).isEqualTo(1);
        assertThat(way.direction.dataInUse(FlowClass.POSTED)).isEqualTo(17);
        assertThat(way.direction.waitsFor()).contains("1 trains wait");
        way.sim.run(10_000_000);
        assertThat(way.arrived).hasSize(3);
        assertThat(way.direction.waiting()).isZero();
        assertThat(way.direction.waitsFor()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void creditsReturnedByEventsStartWhatWaits(KernelMode mode) {
        OneWay way = way(mode, new FlowCredits(1, 0, 0, 0, 0, 0));
        way.direction.returnByEvent(FlowClass.POSTED);
        way.at(1, OneWay.write(ADDRESS, 64));
        way.at(2, OneWay.write(ADDRESS + 64, 64));
        way.direction.creditPort().send(500_000, FlowClass.POSTED.index(), 1, 4);
        way.sim.run(10_000_000);
        assertThat(way.arrived).hasSize(2);
        assertThat(OneWay.time(way.arrived.get(1))).isEqualTo(500_000 + 88L * 130_000 / 1024 + 20_000);
        assertThat(way.direction.headersInUse(FlowClass.POSTED)).isEqualTo(1);
    }

    @Test
    void refusalsCarryNoData() {
        OneWay way = way(KernelMode.ACTIVITY, FlowCredits.INFINITE);
        way.at(1, OneWay.refusal(3));
        way.sim.run(1_000_000);
        assertThat(OneWay.time(way.arrived.get(0))).isEqualTo(1 + 20L * 130_000 / 1024 + 20_000);
    }

    @ParameterizedTest
    @EnumSource
    void countersAndTraceKnowOnlyWhatHasHappened(KernelMode mode) {
        OneWay way = way(mode, FlowCredits.INFINITE);
        way.at(1, OneWay.write(ADDRESS, 4096));
        long hash = 0;
        for (int n = 0; n <= 16; n++) {
            way.sim.run(2 + n * 280L * 130_000 / 1024);
            assertThat(way.direction.packets()).isEqualTo(n);
            assertThat(way.direction.payloadBytes()).isEqualTo(256L * n);
            assertThat(way.direction.wireBytes()).isEqualTo(280L * n);
            assertThat(way.sim.stats().value("sender.link.tlps")).isEqualTo(n);
            assertThat(way.sim.traceHash()).isNotEqualTo(hash);
            hash = way.sim.traceHash();
        }
    }

    /** A run is stopped while packets wait for credits, and goes on from the snapshot as before. */
    @ParameterizedTest
    @EnumSource
    void whatWaitsIsInTheSnapshot(KernelMode mode) {
        OneWay way = way(mode, new FlowCredits(2, 40, 1, 0, 3, 0));
        for (int i = 0; i < 12; i++) {
            way.at(1 + 100L * i, OneWay.write(ADDRESS + 0x1000L * i, 700));
            way.at(30 + 100L * i, OneWay.read(ADDRESS + 0x1000L * i, 64, i));
            way.at(60 + 100L * i, OneWay.completion(ADDRESS + 0x1000L * i, 600, i));
        }
        way.sim.run(300_000);
        assertThat(way.direction.waiting()).isGreaterThan(8);
        Snapshot half = way.sim.save();
        way.arrived.clear();
        way.sim.run(20_000_000);
        List<String> rest = List.copyOf(way.arrived);
        long hash = way.sim.traceHash();
        long stalled = way.direction.stalledPs();
        way.sim.restore(half);
        way.arrived.clear();
        way.sim.run(20_000_000);
        assertThat(way.arrived).isEqualTo(rest).hasSizeGreaterThan(30);
        assertThat(way.sim.traceHash()).isEqualTo(hash);
        assertThat(way.direction.stalledPs()).isEqualTo(stalled).isPositive();
        assertThat(way.direction.packets()).isEqualTo(12 * (3 + 1 + 3));
    }

    @Test
    void anObserverSeesEveryPacketWhenItLeaves() {
        OneWay way = way(KernelMode.ACTIVITY, FlowCredits.INFINITE);
        List<String> seen = new ArrayList<>();
        way.direction.tap((ps, up, h, data, off, n) -> seen.add(ps + " " + up + " " + h.type + " " + off + " " + n));
        way.at(1, OneWay.write(ADDRESS, 512));
        way.at(2, OneWay.read(ADDRESS, 64, 9));
        way.sim.run(1_000_000);
        long one = 280L * 130_000 / 1024;
        long two = 560L * 130_000 / 1024;
        long three = 584L * 130_000 / 1024;
        assertThat(seen)
                .containsExactly(
                        1 + one + " true MWR 0 256", 1 + two + " true MWR 256 256", 1 + three + " true MRD 0 0");
        way.direction.tap(null);
        way.at(2_000_000, OneWay.write(ADDRESS, 64));
        way.sim.run(3_000_000);
        assertThat(seen).hasSize(3);
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> way(KernelMode.ACTIVITY, new FlowCredits(1, 15, 0, 0, 0, 0)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("15");
    }
}
