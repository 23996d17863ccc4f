package dev.clockwire.bench.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Assumptions;

class LspciProperties {
    /** An endpoint with the capabilities of a NIC; everything else random. */
    private static byte[] space(long seed) {
        byte[] space = new byte[PciBits.BYTES];
        new Random(seed).nextBytes(space);
        space[0x0E] = 0;
        for (int bar = 0; bar < 6; bar++) {
            PciBits.put(space, 0x10 + 4 * bar, 0);
        }
        space[0x34] = 0x60;
        head(space, 0x60, 0x9C, (PciBits.word(space, 0x60) & 0xFF00_0000) | 0x0002 << 16 | 0x10);
        head(space, 0x9C, 0x40, (PciBits.word(space, 0x9C) & 0xFFFF_0000) | 0x11);
        head(space, 0x40, 0, (PciBits.word(space, 0x40) & 0xFFFF_0000) | 0x01);
        PciBits.put(space, 0x100, 0x1402_0001);
        PciBits.put(space, 0x140, 0x0001_000F);
        return space;
    }

    private static void head(byte[] space, int at, int next, int word) {
        PciBits.put(space, at, (word & 0xFFFF_00FF) | next << 8);
    }

    private static List<String> text(byte[] space) {
        List<String> lines = new ArrayList<>();
        LspciText.print("3b:00.0", "Ethernet controller", space, n -> 0, lines::add);
        return lines;
    }

    private static List<String> dump(byte[] space) {
        List<String> lines = new ArrayList<>();
        LspciText.dump("3b:00.0", "Ethernet controller", space, lines::add);
        return lines;
    }

    /** The bits are those of Linux's pci_regs.h: PCI_EXP_DEVCTL is 8 into the capability, LNKSTA 0x12, AER's status 4. */
    @Property(tries = 40)
    void whatIsReadBackAreTheRegisters(@ForAll long seed) {
        byte[] space = space(seed);
        Map<String, String> f = LspciReader.flags(text(space));
        assertThat(f.get("Control.Mem")).isEqualTo(bit(space, 0x04, 1));
        assertThat(f.get("Control.BusMaster")).isEqualTo(bit(space, 0x04, 2));
        assertThat(f.get("Control.SERR")).isEqualTo(bit(space, 0x05, 0));
        assertThat(f.get("Status.<MAbort")).isEqualTo(bit(space, 0x07, 5));
        assertThat(f.get("DevCtl.RlxdOrd")).isEqualTo(bit(space, 0x68, 4));
        assertThat(f.get("DevSta.UnsupReq")).isEqualTo(bit(space, 0x6A, 3));
        assertThat(f.get("DevCtl.MaxPayload")).isEqualTo(String.valueOf(128 << (space[0x68] >> 5 & 7)));
        assertThat(f.get("DevCtl.MaxReadReq")).isEqualTo(String.valueOf(128 << (space[0x69] >> 4 & 7)));
        assertThat(f.get("LnkSta.Width")).isEqualTo("x" + ((space[0x73] & 3) << 4 | (space[0x72] >> 4 & 0xF)));
        assertThat(f.get("MSI-X.Enable")).isEqualTo(bit(space, 0x9F, 7));
        assertThat(f.get("MSI-X.Masked")).isEqualTo(bit(space, 0x9F, 6));
        assertThat(f.get("MSI-X.Count")).isEqualTo(String.valueOf((PciBits.word(space, 0x9C) >>> 16 & 0x7FF) + 1));
        assertThat(f.get("UESta.CmpltTO")).isEqualTo(bit(space, 0x105, 6));
        assertThat(f.get("UESta.UnsupReq")).isEqualTo(bit(space, 0x106, 4));
        assertThat(f.get("UEMsk.MalfTLP")).isEqualTo(bit(space, 0x10A, 2));
        assertThat(f.get("CESta.AdvNonFatalErr")).isEqualTo(bit(space, 0x111, 5));
        assertThat(f.get("CEMsk.BadTLP")).isEqualTo(bit(space, 0x114, 6));
        assertThat(f.get("ATSCtl.Enable")).isEqualTo(bit(space, 0x147, 7));
        assertThat(f.get("ATSCap.Invalidate Queue Depth:")).isEqualTo(String.format("%02x", space[0x144] & 0x1F));
        assertThat(f.get("ATSCtl.Smallest Translation Unit:")).isEqualTo(String.format("%02x", space[0x146] & 0x1F));
    }

    private static String bit(byte[] space, int at, int bit) {
        return (space[at] >> bit & 1) == 0 ? "-" : "+";
    }

    @Property(tries = 40)
    void aDumpReadsBack(@ForAll long seed) {
        assertThat(LspciReader.dump(dump(space(seed)))).isEqualTo(space(seed));
    }

    @Example
    void aLineThatIsNoneOfADumpIsNamed() {
        List<String> lines = new ArrayList<>(dump(space(1)));
        lines.set(3, "20: 00 11 zz");
        assertThatThrownBy(() -> LspciReader.dump(lines))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("line 4")
                .hasMessageContaining("20: 00 11 zz");
    }

    /** A chain of capabilities that bites its tail must not hang. */
    @Example
    void aCircleOfCapabilitiesEnds() {
        byte[] space = space(3);
        space[0x41] = 0x60;
        PciBits.put(space, 0x140, 0x1001_000F);
        assertThat(text(space)).hasSizeLessThan(2000);
        assertThat(PciBits.capability(space, 0x77)).isEqualTo(-1);
        assertThat(PciBits.capability(space, PciBits.MSIX_ID)).isEqualTo(0x9C);
    }

    /** pciutils reads our dump: every flag that both print must agree. */
    @Example
    void lspciSaysTheSame() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Stream.of(System.getenv("PATH").split(":")).anyMatch(d -> Files.isExecutable(Path.of(d, "lspci"))),
                "lspci is not installed");
        byte[] space = space(11);
        Path file = Files.createTempFile(Path.of("target"), "clockwire", ".lspci");
        Files.write(file, dump(space));
        Process lspci = new ProcessBuilder("lspci", "-vvv", "-F", file.toString())
                .redirectErrorStream(true)
                .start();
        String answer = new String(lspci.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        lspci.waitFor();
        Files.delete(file);
        Map<String, String> theirs = LspciReader.flags(answer.lines().toList());
        Map<String, String> ours = LspciReader.flags(text(space));
        ours.keySet().retainAll(theirs.keySet());
        theirs.keySet().retainAll(ours.keySet());
        assertThat(ours.size()).isGreaterThan(60);
        assertThat(ours).isEqualTo(theirs);
    }
}
