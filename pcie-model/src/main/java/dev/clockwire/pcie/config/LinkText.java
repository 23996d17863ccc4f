package dev.clockwire.pcie.config;

import dev.clockwire.pcie.link.PcieGeneration;
import java.util.Locale;

/** Lines of {@code lspci -vvv}, from the registers of a {@link ConfigSpace}. */
public final class LinkText {
    private LinkText() {}

    /** Returns the command register, such as {@code Control: I/O- Mem+ BusMaster+ SERR+ DisINTx-} with all its flags. */
    public static String control(ConfigSpace c) {
        int x = c.read(ConfigSpace.COMMAND);
        return "Control: I/O" + sign(x, 0) + " Mem" + sign(x, 1) + " BusMaster" + sign(x, 2) + " SpecCycle" + sign(x, 3)
                + " MemWINV" + sign(x, 4) + " VGASnoop" + sign(x, 5) + " ParErr" + sign(x, 6) + " Stepping" + sign(x, 7)
                + " SERR" + sign(x, 8) + " FastB2B" + sign(x, 9) + " DisINTx" + sign(x, 10);
    }

    /** Returns the link status, such as {@code LnkSta: Speed 8GT/s, Width x8}. */
    public static String linkStatus(ConfigSpace c) {
        int x = c.read(ConfigSpace.EXPRESS + 0x10) >>> 16;
        return "LnkSta: Speed " + speed(x & 0xF) + ", Width x" + (x >> 4 & 0x3F);
    }

    /** Returns the sizes in force, such as {@code MaxPayload 256 bytes, MaxReadReq 512 bytes}. */
    public static String sizes(ConfigSpace c) {
        return "MaxPayload " + c.maxPayload() + " bytes, MaxReadReq " + c.maxReadRequest() + " bytes";
    }

    /** Returns the MSI-X capability, such as {@code MSI-X: Enable+ Count=64 Masked-}. */
    public static String vectors(ConfigSpace c) {
        int x = c.read(ConfigSpace.MSIX);
        return "MSI-X: Enable" + sign(x, 31) + " Count=" + ((x >> 16 & 0x7FF) + 1) + " Masked" + sign(x, 30);
    }

    /** Returns the bandwidth that Linux computes from link status, in Gb/s with three digits. */
    public static String gigabits(ConfigSpace c) {
        int x = c.read(ConfigSpace.EXPRESS + 0x10) >>> 16;
        int mega = PcieGeneration.of(x & 0xF).linuxMegabits() * (x >> 4 & 0x3F);
        return String.format(Locale.ROOT, "%d.%03d", mega / 1000, mega % 1000);
    }

    private static String speed(int generation) {
        return PcieGeneration.of(generation).speedText().replace(".0", "").replace(" ", "");
    }

    private static char sign(int x, int bit) {
        return (x >> bit & 1) == 0 ? '-' : '+';
    }
}
