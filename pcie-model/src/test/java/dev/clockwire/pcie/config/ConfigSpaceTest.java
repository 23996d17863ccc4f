package dev.clockwire.pcie.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The configuration space by itself, walked as system software walks it. */
class ConfigSpaceTest {
    private static final int ALL = 0b1111;

    static final List<BarSpec> BARS =
            List.of(new BarSpec(2, 64 << 20, true), new BarSpec(0, 4 << 20, false), new BarSpec(4, 64 << 10, false));

    private final List<PcieError> seen = new ArrayList<>();
    private final ConfigSpace c = space(spec(BARS, PcieLinkSpec.of(4, 16)));

    static ConfigSpec spec(List<BarSpec> bars, PcieLinkSpec link) {
        return new ConfigSpec(0x15b3, 0x1021, 0, 0x020000, 0x0023_15b3, bars, 64, 4, 0, 0x8000, 512, link);
    }

    private static ConfigSpace space(ConfigSpec spec) {
        Sim sim = new Sim(SimSpec.of(1));
        return new ConfigSpace(new SimNode(sim.root(), "dev") {}, spec, () -> false);
    }

    /** Size of a window as software finds it: all ones into both halves, read back, negate. */
    private long size(int bar, boolean wide) {
        int at = ConfigSpace.BAR0 + 4 * bar;
        c.write(at, -1, ALL);
        long x = c.read(at) & 0xFFFF_FFF0L;
        if (!wide) {
            return (~x & 0xFFFF_FFFFL) + 1;
        }
        c.write(at + 4, -1, ALL);
        return -(x | (long) c.read(at + 4) << 32);
    }

    @Test
    void sizingFindsTheSizes() {
        assertThat(size(0, true)).isEqualTo(4 << 20);
        assertThat(size(2, true)).isEqualTo(64 << 20);
        assertThat(size(4, true)).isEqualTo(64 << 10);
        assertThat(c.read(0x10) & 0xF).as("64 bit, not prefetchable").isEqualTo(0b0100);
        assertThat(c.read(0x18) & 0xF).as("64 bit, prefetchable").isEqualTo(0b1100);
    }

    @Test
    void aWindowAbove4GbIsSizedInItsUpperHalfAndANarrowOneInOneRegister() {
        ConfigSpace big = space(spec(
                List.of(new BarSpec(0, 1L << 34, true), new BarSpec(3, 1 << 21, false, false), BARS.get(2)),
                PcieLinkSpec.of(4, 16)));
        big.write(0x10, -1, ALL);
        big.write(0x14, -1, ALL);
        assertThat(big.read(0x10)).isEqualTo(0b1100);
        assertThat(big.read(0x14)).isEqualTo(-4);
        big.write(0x1C, -1, ALL);
        assertThat(big.read(0x1C)).isEqualTo(0xFFE0_0000);
        assertThat(big.read(0x18)).as("no register there").isZero();
    }

    @Test
    void theCapabilityListHasTheThreeAndEnds() {
        List<Integer> ids = new ArrayList<>();
        int at = c.read(0x34) & 0xFF;
        while (at != 0) {
            int word = c.read(at);
            ids.add(word & 0xFF);
            at = word >>> 8 & 0xFF;
        }
        assertThat(ids).containsExactly(0x10, 0x11, 0x01);
        assertThat(c.read(ConfigSpace.COMMAND) >>> 20 & 1)
                .as("list bit of the status")
                .isEqualTo(1);
        assertThat(c.read(0x100)).as("AER, version 2, the last one").isEqualTo(0x0002_0001);
        assertThat(c.read(0x2FC)).isZero();
    }

    @Test
    void aWriteOfTheCommandLeavesTheStatusAlone() {
        c.errors().refused(dev.clockwire.pcie.tlp.CompletionStatus.UR);
        assertThat(c.read(4) >>> 29 & 1).isEqualTo(1);
        c.write(4, 0xFFFF_0106, 0b0011);
        assertThat(c.read(4)).isEqualTo(0x2010_0106);
        c.write(4, 0x2000_0000, 0b1100);
        assertThat(c.read(4)).isEqualTo(0x0010_0106);
    }

    private TlpHeader write(long address) {
        return new TlpHeader().memory(TlpType.MWR, address, 4, 0, 0);
    }

    @Test
    void aPostedErrorIsNotFatalLoggedOnceAndReported() {
        c.enumerated();
        c.errors().observe(seen::add);
        c.errors().report(PcieError.UNSUPPORTED_REQUEST, write(0x80015000L), false);
        c.errors().report(PcieError.UNSUPPORTED_REQUEST, write(0x80016000L), false);
        assertThat(c.read(0x104)).isEqualTo(1 << 20);
        assertThat(c.read(0x118) & 0x1F).isEqualTo(20);
        assertThat(c.read(0x11C)).isEqualTo(0x4000_0001);
        assertThat(c.read(0x120)).isEqualTo(0x0000_000F);
        assertThat(c.read(0x124)).as("the first one stays").isEqualTo(0x8001_5000);
        assertThat(c.read(0x68) >>> 16 & 0xF).as("not fatal, unsupported").isEqualTo(0b1010);
        assertThat(c.read(4) >>> 30 & 1).as("system error signalled").isEqualTo(1);
        assertThat(c.errors().messages()).isEqualTo(2);
        assertThat(seen).hasSize(2);
        c.write(0x104, 1 << 20, ALL);
        assertThat(c.read(0x104)).isZero();
        c.errors().report(PcieError.MALFORMED, write(0x1000), false);
        assertThat(c.read(0x124)).as("after clearing the next one is logged").isEqualTo(0x1000);
        assertThat(c.read(0x68) >>> 18 & 1).as("fatal").isEqualTo(1);
    }

    @Test
    void anAnsweredErrorIsAdvisory() {
        c.enumerated();
        c.errors().report(PcieError.UNSUPPORTED_REQUEST, write(0x1000), true);
        assertThat(c.read(0x110)).isEqualTo(1 << 13);
        assertThat(c.read(0x68) >>> 16 & 0xF).as("correctable, unsupported").isEqualTo(0b1001);
        assertThat(c.errors().messages())
                .as("advisory errors are masked at first")
                .isZero();
    }

    @Test
    void aMaskedErrorIsNeitherLoggedNorReported() {
        c.enumerated();
        c.write(0x108, 1 << 12, ALL);
        c.errors().report(PcieError.POISONED, write(0x1000), false);
        assertThat(c.read(0x104)).isEqualTo(1 << 12);
        assertThat(c.read(0x124)).isZero();
        assertThat(c.errors().messages()).isZero();
        assertThat(c.read(4) >>> 31 & 1).as("parity detected").isEqualTo(1);
    }

    @Test
    void errorRegistersSurviveAResetAndNothingElseDoes() {
        c.enumerated();
        c.place(2, 0x8000_0000L);
        c.write(0x10C, 1 << 20, 0b0100);
        c.errors().report(PcieError.UNSUPPORTED_REQUEST, write(0x1000), false);
        c.reset();
        assertThat(c.read(4) & 0xFFFF).isZero();
        assertThat(c.barAddress(2)).isZero();
        assertThat(c.read(0x104)).isEqualTo(1 << 20);
        assertThat(c.read(0x10C) >>> 20 & 1).isEqualTo(1);
        assertThat(c.read(0x124)).isEqualTo(0x1000);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 2.000, 2.5GT/s",
        "3, 8, 63.008, 8GT/s",
        "3, 16, 126.016, 8GT/s",
        "4, 8, 126.024, 16GT/s",
        "4, 16, 252.048, 16GT/s",
        "5, 16, 504.112, 32GT/s"
    })
    void linkStatusReadsAsLspciAndLinuxPrintIt(int generation, int lanes, String gigabits, String speed) {
        PcieLinkSpec link = PcieLinkSpec.of(generation, lanes);
        ConfigSpace space = space(spec(BARS, link));
        assertThat(LinkText.linkStatus(space)).isEqualTo("LnkSta: Speed " + speed + ", Width x" + lanes);
        assertThat(LinkText.gigabits(space)).isEqualTo(gigabits);
        assertThat(link.linuxBandwidthText()).startsWith(gigabits + " Gb/s");
    }

    @Test
    void otherLinesReadAsLspciPrintsThem() {
        c.enumerated();
        c.setVectors(true, false);
        assertThat(LinkText.control(c))
                .isEqualTo("Control: I/O- Mem+ BusMaster+ SpecCycle- MemWINV- VGASnoop- ParErr- Stepping- SERR+"
                        + " FastB2B- DisINTx-");
        assertThat(LinkText.sizes(c)).isEqualTo("MaxPayload 256 bytes, MaxReadReq 512 bytes");
        assertThat(LinkText.vectors(c)).isEqualTo("MSI-X: Enable+ Count=64 Masked-");
    }

    /** A public fault: the offsets moved when another window was enabled or left out. */
    @Test
    void theVectorTableStaysWhereItIsWhateverOtherWindowsThereAre() {
        ConfigSpace alone = space(spec(List.of(BARS.get(2)), PcieLinkSpec.of(4, 16)));
        for (ConfigSpace s : List.of(c, alone)) {
            assertThat(s.read(0xA0)).isEqualTo(0x0000_0004);
            assertThat(s.read(0xA4)).isEqualTo(0x0000_8004);
        }
        c.place(0, 0x9000_0000L);
        c.write(4, 0, 0b0011);
        assertThat(c.read(0xA0)).isEqualTo(0x0000_0004);
        assertThat(c.read(0xA4)).isEqualTo(0x0000_8004);
    }

    @Test
    void whatCannotExistIsRefusedWithTheRule() {
        PcieLinkSpec link = PcieLinkSpec.of(4, 16);
        refused(
                () -> spec(List.of(new BarSpec(0, 4096, false), new BarSpec(1, 4096, false)), link),
                "BAR 1 exists already");
        refused(() -> new BarSpec(5, 4096, false), "there is no BAR 6");
        refused(() -> new BarSpec(1, 1L << 32, false, false), "a 32-bit one has at most");
        refused(() -> new BarSpec(1, 12_288, false), "power of two");
        refused(() -> spec(BARS, link.withSizes(1024, 512)), "more than the device supports");
        refused(() -> vectors(2049, 0, 0x8000), "2049 are not in 1..2048");
        refused(() -> vectors(2048, 0, 0x7FF8), "overlap the table");
        refused(() -> vectors(64, 4, 0x8000), "multiples of 8");
        refused(() -> vectors(64, 0, 0x10000), "do not fit into BAR 4");
        refused(
                () -> new ConfigSpec(1, 1, 0, 0, 0, BARS, 1, 3, 0, 0x8000, 512, link),
                "needs BAR 3, which does not exist");
        refused(() -> PcieLinkSpec.of(4, 3), "lanes 3");
    }

    private static void vectors(int n, long table, long pending) {
        new ConfigSpec(1, 1, 0, 0, 0, BARS, n, 4, table, pending, 512, PcieLinkSpec.of(4, 16));
    }

    private static void refused(Runnable wrong, String rule) {
        assertThatThrownBy(wrong::run)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(rule);
    }
}
