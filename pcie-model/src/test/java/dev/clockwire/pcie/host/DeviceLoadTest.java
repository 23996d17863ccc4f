package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Loads of a core that cross pages: no request may cross 4 KB (base specification, 2.2.7). */
class DeviceLoadTest {
    /** The device answers a load with its offset, whatever its length, below this. */
    private static final long CONTENT = 0x1122_3344_0000_0000L;

    private static Rig rig(KernelMode mode) {
        return new Rig(SimSpec.of(1).withMode(mode), PcieLinkSpec.of(4, 16));
    }

    /** What went to the device, as "offset of the first byte enabled : bytes enabled". */
    private static List<String> requests(Rig rig) {
        List<String> seen = new ArrayList<>();
        long bar = rig.endpoint.barAddress(0);
        rig.port.transmitter().tap((ps, up, h, data, off, n) -> {
            int first = Integer.numberOfTrailingZeros(h.firstBe);
            seen.add(Long.toHexString(h.address - bar + first) + ":" + enabled(h));
        });
        return seen;
    }

    private static int enabled(TlpHeader h) {
        int inner = Math.max(0, h.lengthDw - 2) * 4;
        return Integer.bitCount(h.firstBe) + inner + Integer.bitCount(h.lastBe);
    }

    private static long loadPs(Rig rig, long address, int size) {
        long[] times = new long[2];
        rig.core.run(core -> {
            if (times[0] == 0) {
                times[0] = core.now();
                core.mmioRead(address, size);
            } else {
                times[1] = core.now();
            }
        });
        rig.sim.run(rig.sim.now() + 3_000_000);
        return times[1] - times[0];
    }

    @ParameterizedTest
    @CsvSource({
        "ff8, 8, ff8:8",
        "ffc, 8, 'ffc:4,1000:4'",
        "fff, 2, 'fff:1,1000:1'",
        "ffd, 4, 'ffd:3,1000:1'",
        "3e, 4, 3e:4",
        "3d, 3, 3d:3",
        "41, 7, 41:7",
        "ff9, 8, 'ff9:7,1000:1'",
    })
    void noRequestOfALoadLeavesItsPage(String offset, int size, String wanted) {
        long from = Long.parseLong(offset, 16);
        for (KernelMode mode : KernelMode.values()) {
            Rig rig = rig(mode);
            List<String> seen = requests(rig);
            rig.core.mmioRead(rig.endpoint.barAddress(0) + from, size);
            rig.sim.run(3_000_000);
            assertThat(String.join(",", seen)).isEqualTo(wanted);
        }
    }

    @Test
    void theHalvesArePutTogetherAndTakeTwiceTheTime() {
        Rig rig = rig(KernelMode.ACTIVITY);
        long bar = rig.endpoint.barAddress(0);
        long one = loadPs(rig, bar + 0xFFC, 4);
        assertThat(rig.core.loaded()).isEqualTo(0xFFC);
        long two = loadPs(rig, bar + 0xFFC, 8);
        assertThat(rig.core.loaded()).isEqualTo(0x0000_1000_0000_0FFCL);
        assertThat(two).isBetween(2 * one - 10, 2 * one + 10);
        loadPs(rig, bar + 0xFFF, 8);
        assertThat(rig.core.loaded()).isEqualTo(0x2233_4400_0010_00FFL);
    }

    @Test
    void aHalfThatNobodyAnswersIsAllOnes() {
        DeviceLoad load = new DeviceLoad();
        load.begin(0x1FFD, 8);
        assertThat(load.bytes()).isEqualTo(3);
        assertThat(load.take(-1)).isFalse();
        assertThat(load.waits()).isTrue();
        assertThat(load.address()).isEqualTo(0x2000);
        assertThat(load.bytes()).isEqualTo(5);
        assertThat(load.take(0x12)).isTrue();
        assertThat(load.waits()).isFalse();
        assertThat(load.value()).isEqualTo(0x12FF_FFFFL);
        load.begin(0x1FFD, 4);
        load.take(0x34);
        load.take(-1);
        assertThat(load.value()).as("as a load that is refused whole").isEqualTo(0xFFFF_FFFF_FF00_0034L);
    }

    @ParameterizedTest
    @EnumSource
    void aSnapshotBetweenTheHalvesHoldsTheFirst(KernelMode mode) {
        Rig rig = rig(mode);
        long bar = rig.endpoint.barAddress(0);
        List<String> seen = requests(rig);
        rig.core.mmioRead(bar + 0xFFC, 8);
        assertThat(rig.sim.runUntil(() -> seen.size() == 2, 5_000_000)).isTrue();
        Snapshot half = rig.sim.save();
        rig.sim.run(5_000_000);
        long hash = rig.sim.traceHash();
        rig.core.mmioRead(bar, 4);
        rig.sim.run(10_000_000);
        rig.sim.restore(half);
        rig.sim.run(5_000_000);
        assertThat(rig.core.loaded()).isEqualTo(0x0000_1000_0000_0FFCL);
        assertThat(rig.sim.traceHash()).isEqualTo(hash);
    }

    @Test
    void noPacketOfAStoreLeavesItsPageEither() {
        Rig rig = rig(KernelMode.ACTIVITY);
        List<String> seen = requests(rig);
        rig.core.mmioWrite(rig.endpoint.barAddress(0) + 0xFFE, 0x8877_6655_4433_2211L, 8);
        rig.sim.run(3_000_000);
        assertThat(seen).containsExactly("ffe:2", "1000:6");
        assertThat(rig.stores.taken).extracting(w -> w.value(0, w.length)).containsExactly(0x2211L, 0x8877_6655_4433L);
    }

    @Test
    void whatLiesBehindTheWindowIsRefusedByTheDevice() {
        Rig rig = rig(KernelMode.ACTIVITY);
        long end = rig.port.barAddress(0) + Rig.WINDOW;
        rig.core.mmioRead(end - 3, 8);
        rig.sim.run(3_000_000);
        assertThat(rig.core.loaded()).isEqualTo(-1L << 24 | Rig.WINDOW - 3);
        assertThat(rig.endpoint.unsupportedRequests()).isEqualTo(1);
        rig.core.mmioRead(end - 8, 8);
        rig.sim.run(6_000_000);
        assertThat(rig.core.loaded()).isEqualTo(CONTENT + Rig.WINDOW - 8);
        assertThat(rig.endpoint.unsupportedRequests()).isEqualTo(1);
        assertThatThrownBy(() -> rig.core.mmioRead(end, 8))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no device has a window at 0x" + Long.toHexString(end));
        assertThatThrownBy(() -> rig.core.mmioRead(end - 4, 0)).hasMessageContaining("load of 0 bytes");
        assertThatThrownBy(() -> rig.core.mmioRead(end - 16, 9)).hasMessageContaining("load of 9 bytes");
    }
}
