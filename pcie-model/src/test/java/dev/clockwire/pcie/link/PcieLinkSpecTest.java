package dev.clockwire.pcie.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.sim.error.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PcieLinkSpecTest {
    @ParameterizedTest
    @CsvSource({
        "3, 8, FRAMING, 63.02", "3, 8, EXACT, 62.23", "3, 8, PCIE_BENCH, 57.88", "4, 16, FRAMING, 252.06",
        "4, 16, EXACT, 249.91", "4, 16, PCIE_BENCH, 227.40", "5, 16, FRAMING, 504.12", "5, 16, EXACT, 499.81",
        "5, 16, PCIE_BENCH, 454.80", "1, 1, FRAMING, 2.0", "2, 4, FRAMING, 16.0", "6, 16, FRAMING, 944.0"
    })
    void ratesOfTheLiterature(int generation, int lanes, DllpMode mode, double gigabits) {
        LinkRate rate = LinkRate.of(PcieLinkSpec.of(generation, lanes).withDllpMode(mode));
        assertThat(rate.gigabits()).isCloseTo(gigabits, within(0.005));
    }

    /** Published update guidelines. */
    @ParameterizedTest
    @CsvSource({
        "3, 256, 8, 203",
        "4, 256, 16, 168",
        "5, 256, 16, 168",
        "3, 256, 4, 214",
        "3, 512, 8, 182",
        "3, 512, 16, 182"
    })
    void acknowledgeLimits(int generation, int mps, int lanes, int symbols) {
        assertThat(PcieGeneration.of(generation).ackLimitSymbols(mps, lanes)).isEqualTo(symbols);
    }

    @ParameterizedTest
    @CsvSource({
        "3, 8, 63.008 Gb/s available PCIe bandwidth (8.0 GT/s PCIe x8 link)",
        "3, 16, 126.016 Gb/s available PCIe bandwidth (8.0 GT/s PCIe x16 link)",
        "4, 8, 126.024 Gb/s available PCIe bandwidth (16.0 GT/s PCIe x8 link)",
        "4, 16, 252.048 Gb/s available PCIe bandwidth (16.0 GT/s PCIe x16 link)",
        "1, 1, 2.000 Gb/s available PCIe bandwidth (2.5 GT/s PCIe x1 link)"
    })
    void linuxText(int generation, int lanes, String text) {
        assertThat(PcieLinkSpec.of(generation, lanes).linuxBandwidthText()).isEqualTo(text);
    }

    @Test
    void overheadOfAPacket() {
        PcieLinkSpec link = PcieLinkSpec.of(4, 16);
        assertThat(link.wireBytes(false, 0)).isEqualTo(20);
        assertThat(link.wireBytes(true, 0)).isEqualTo(24);
        assertThat(link.wireBytes(true, 64)).isEqualTo(280);
        assertThat(PcieLinkSpec.of(6, 16).wireBytes(true, 0)).isEqualTo(16);
    }

    @Test
    void copiesChangeWhatTheySay() {
        PcieLinkSpec link = PcieLinkSpec.of(5, 16);
        assertThat(link.withSizes(512, 4096).maxReadRequest()).isEqualTo(4096);
        assertThat(link.withCompletions(128, false).completionChunk()).isEqualTo(128);
        assertThat(link.completionChunk()).isEqualTo(256);
        assertThat(link.withSwitches(2, 115_000).upPs()).isEqualTo(50_000 + 230_000);
        assertThat(link.withDelays(1, 2).downPs()).isEqualTo(2);
        assertThat(link.withDelays(1, 2).withSwitches(3, 10).downPs()).isEqualTo(32);
        assertThat(link.withSizes(128, 128).withSizes(4096, 4096).maxPayload()).isEqualTo(4096);
        assertThat(link.withSwitches(16, 0).withDelays(1, 1_000_000_000).upPs()).isEqualTo(1);
        assertThat(link.withReadLimits(768, 512).withReadLimits(1, 0).tags()).isEqualTo(1);
        assertThat(link.withReadLimits(32, 0).tags()).isEqualTo(32);
        assertThat(link.withCredits(FlowCredits.INFINITE, FlowCredits.INFINITE).upCredits())
                .isEqualTo(FlowCredits.INFINITE);
    }

    @Test
    void rangesAreChecked() {
        PcieLinkSpec link = PcieLinkSpec.of(5, 16);
        assertThatThrownBy(() -> PcieLinkSpec.of(7, 16))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("7");
        assertThatThrownBy(() -> PcieLinkSpec.of(4, 3))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("3");
        assertThatThrownBy(() -> link.withSizes(100, 512)).hasMessageContaining("pcie.mps 100");
        assertThatThrownBy(() -> link.withSizes(256, 8192)).hasMessageContaining("pcie.mrrs 8192");
        assertThatThrownBy(() -> link.withCompletions(32, true)).hasMessageContaining("pcie.rcb 32");
        assertThatThrownBy(() -> link.withDelays(0, 1)).hasMessageContaining("pcie.upDelayPs 0");
        assertThatThrownBy(() -> link.withDelays(1, -1)).hasMessageContaining("pcie.downDelayPs -1");
        assertThatThrownBy(() -> link.withSwitches(17, 1)).hasMessageContaining("17");
        assertThatThrownBy(() -> link.withReadLimits(0, 0)).hasMessageContaining("pcie.tags 0");
        assertThatThrownBy(() -> link.withReadLimits(8, 256)).hasMessageContaining("256");
        for (int i = 0; i < 6; i++) {
            int[] c = new int[6];
            c[i] = i % 2 == 0 ? -1 : (1 << 20) + 1;
            assertThatThrownBy(() -> new FlowCredits(c[0], c[1], c[2], c[3], c[4], c[5]))
                    .hasMessageContaining("not in 0..1048576");
        }
        new FlowCredits(0, 0, 0, 0, 0, 1 << 20);
    }
}
