package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkRate;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 16);
    private static final HostSpec HOST = HostSpec.server();

    private static Rig rig(KernelMode mode) {
        return new Rig(SimSpec.of(1).withMode(mode), LINK);
    }

    @ParameterizedTest
    @EnumSource
    void aReadTakesTheSumOfItsParts(KernelMode mode) {
        Rig rig = rig(mode);
        DmaRead r = rig.read(1_000, rig.real.address(), 4, 0, 1);
        rig.sim.run(10_000_000);
        LinkRate rate = LinkRate.of(LINK);
        long parts = HOST.roundTripPs(LINK, Placement.cache(0), 0);
        long data = 24 * rate.num() / rate.den();
        assertThat(r.issuedPs).isEqualTo(1_000);
        assertThat(r.donePs - r.issuedPs).isEqualTo(parts + data);
        assertThat(r.into.length()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void aReadReturnsWhatMemoryHoldsAndAWriteArrivesThere(KernelMode mode) {
        Rig rig = rig(mode);
        rig.host.memory().fill(rig.bulk.address(), 10_000, 7, 3);
        byte[] expected = new byte[5_000];
        rig.host.memory().getBytes(rig.bulk.address() + 123, expected, 0, expected.length);
        DmaRead r = rig.read(1, rig.bulk.address() + 123, expected.length, 0, 4);
        rig.sim.run(5_000_000);
        byte[] got = new byte[expected.length];
        r.into.copyTo(0, got, 0, got.length);
        assertThat(got).isEqualTo(expected);

        DmaWrite w = rig.write(5_000_001, rig.bulk.address() + 20_001, expected);
        rig.sim.run(9_000_000);
        assertThat(rig.device.done).containsExactly(r, w);
        rig.host.memory().getBytes(rig.bulk.address() + 20_001, got, 0, got.length);
        assertThat(got).isEqualTo(expected);
        assertThat(w.leftPs).isGreaterThan(5_000_001);
    }

    @ParameterizedTest
    @EnumSource
    void aWriteIsSeenAfterItsCommitAndNotBefore(KernelMode mode) {
        Rig rig = rig(mode);
        List<Long> seen = new ArrayList<>();
        rig.core.run(core -> {
            if (core.memory().getInt(rig.real.address()) == 0) {
                core.charge(7);
                core.idle(rig.real.address(), 64);
            } else {
                seen.add(core.now());
            }
        });
        rig.write(100_000, rig.real.address(), new byte[] {1, 0, 0, 0});
        rig.sim.run(2_000_000);
        LinkRate rate = LinkRate.of(LINK);
        long wire = LINK.wireBytes(true, 1) * rate.num() / rate.den();
        long commit = 100_000 + wire + LINK.upPs() + HOST.writePs(Placement.cache(0), 0);
        long firstPoll = 1;
        long polls = Math.floorDiv(commit - firstPoll, 7) + 1;
        assertThat(seen).containsExactly(firstPoll + 7 * polls);
        assertThat(rig.core.steps()).isEqualTo(polls + 1);
        assertThat(rig.core.idleSteps()).isEqualTo(polls);
        assertThat(rig.core.busyPs()).isEqualTo(7 * polls);
    }

    @ParameterizedTest
    @EnumSource
    void storesReachTheDeviceInProgramOrderWithTheirCosts(KernelMode mode) {
        Rig rig = rig(mode);
        long bar = rig.endpoint.barAddress(0);
        rig.core.run(core -> {
            core.charge(1_000);
            core.mmioWrite(bar + 0x18, 0x0102_0304, 4);
            core.mmioWrite(bar + 0x840, new byte[128], 0, 128);
        });
        rig.sim.run(3_000_000);
        assertThat(rig.stores.taken).extracting(w -> w.offset).containsExactly(0x18L, 0x840L, 0x880L);
        assertThat(rig.stores.taken).extracting(w -> w.length).containsExactly(4, 64, 64);
        MmioWrite first = rig.stores.taken.get(0);
        assertThat(first.value(0, 4)).isEqualTo(0x0102_0304);
        LinkRate rate = LinkRate.of(LINK);
        CpuSpec cpu = CpuSpec.server();
        long left = 1 + 1_000 + cpu.mmioStorePs();
        assertThat(first.arrivedPs)
                .isEqualTo(left + HOST.storePs() + LINK.wireBytes(true, 1) * rate.num() / rate.den() + LINK.downPs());
        assertThat(rig.stores.taken.get(1).arrivedPs - first.arrivedPs)
                .isEqualTo(cpu.combinedStorePs()
                        + LINK.wireBytes(true, 16) * rate.num() / rate.den()
                        - LINK.wireBytes(true, 1) * rate.num() / rate.den());
        assertThat(rig.core.busyPs()).isEqualTo(1_000 + cpu.mmioStorePs() + 2 * cpu.combinedStorePs());
    }

    @ParameterizedTest
    @EnumSource
    void aDeviceThatTakesNoStoresHoldsTheHostBack(KernelMode mode) {
        Rig rig = rig(mode);
        rig.stores.from = 1_000;
        long bar = rig.endpoint.barAddress(0);
        rig.core.run(core -> {
            for (int i = 0; i < 200; i++) {
                core.mmioWrite(bar, i, 4);
            }
        });
        rig.sim.run(3_900_000);
        assertThat(rig.stores.taken).isEmpty();
        assertThat(rig.port.transmitter().waiting())
                .isEqualTo(200 - 4 - LINK.downCredits().postedHeaders());
        rig.sim.run(20_000_000);
        assertThat(rig.stores.taken).hasSize(200);
        assertThat(rig.stores.taken).extracting(w -> w.value(0, 4)).isSorted();
        assertThat(rig.port.transmitter().stalledPs()).isPositive();
    }

    /** With one header credit the next write starts when the credit of the last one is back: both ways and the root port's buffer. */
    @ParameterizedTest
    @EnumSource
    void theRootPortKeepsAPacketAsLongAsTheHostSays(KernelMode mode) {
        FlowCredits one = new FlowCredits(1, 0, 0, 0, 0, 0);
        PcieLinkSpec link = LINK.withCredits(one, FlowCredits.INFINITE);
        for (long hold : new long[] {0, 5_000, 70_000}) {
            HostSpec host = new HostSpec(90_000, 0, 60_000, 130_000, 100_000, 80_000, 60_000, hold, 80_000, 2);
            Rig rig = new Rig(SimSpec.of(1).withMode(mode), link, host, CpuSpec.server(), PayloadMode.BYTES);
            DmaWrite first = rig.write(1_000, rig.real.address(), new byte[64]);
            DmaWrite second = rig.write(1_001, rig.real.address() + 64, new byte[64]);
            rig.sim.run(5_000_000);
            LinkRate rate = LinkRate.of(link);
            long wire = link.wireBytes(true, 16) * rate.num() / rate.den();
            assertThat(second.leftPs - first.leftPs)
                    .as("hold %d", hold)
                    .isBetween(
                            link.upPs() + link.downPs() + hold + wire, link.upPs() + link.downPs() + hold + wire + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLoadWaitsForTheDevice(KernelMode mode) {
        Rig rig = rig(mode);
        List<Long> values = new ArrayList<>();
        rig.core.run(core -> {
            if (core.steps() == 0) {
                core.mmioRead(rig.endpoint.barAddress(0) + 0x40, 8);
            } else {
                values.add(core.loaded());
                values.add(core.now());
            }
        });
        rig.sim.run(3_000_000);
        assertThat(values.get(0)).isEqualTo(0x1122_3344_0000_0040L);
        assertThat(values.get(1)).isBetween(1L + 80_000 + 100_000 + 30_000, 220_000L);
    }

    @Test
    void mistakesAreNamed() {
        Rig rig = rig(KernelMode.ACTIVITY);
        assertThatThrownBy(() -> rig.core.mmioWrite(0x1234, 1, 4))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("0x1234");
        assertThatThrownBy(() -> rig.core.mmioRead(rig.endpoint.barAddress(0), 9))
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> rig.core.idle(rig.real.address(), 4)).isInstanceOf(ConfigurationException.class);
        DmaRead nowhere = rig.read(1_000, 0x77, 4, 0, 1);
        rig.sim.run(1_000_000);
        assertThat(nowhere.status).as("no memory is there").isEqualTo(CompletionStatus.UR);
        assertThat(rig.port.errors().refused()).isEqualTo(1);
    }
}
