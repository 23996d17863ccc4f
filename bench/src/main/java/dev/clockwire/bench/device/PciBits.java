package dev.clockwire.bench.device;

import java.util.List;

/** Where the flags of {@code lspci -vvv} lie in the configuration space (Linux pci_regs.h); one table for writing and reading. */
final class PciBits {
    /** Length of a configuration space with its extended part. */
    static final int BYTES = 4096;

    static final int EXPRESS_ID = 0x10;
    static final int MSIX_ID = 0x11;
    static final int POWER_ID = 0x01;
    static final int AER_ID = 0x0001;
    static final int ATS_ID = 0x000F;
    static final int EXTENDED = 0x100;
    /** Bytes of the longest extended capability that is read. */
    static final int MOST_EXTENDED = 0x2C;

    /** One flag: its name as printed, the bit in a 32-bit word. */
    record Flag(String name, int bit) {}

    /** A line of flags of one word, at an offset in its capability (of the header: in the space). */
    record Line(String label, int offset, List<Flag> flags) {}

    private PciBits() {}

    static final Line CONTROL = line(
            "Control:",
            0x04,
            "I/O 0 Mem 1 BusMaster 2 SpecCycle 3 MemWINV 4 VGASnoop 5 ParErr 6 Stepping 7 SERR 8 FastB2B 9 DisINTx 10");
    /** DEVSEL stands in front of the fifth from the right. */
    static final Line STATUS = line(
            "Status:",
            0x04,
            "Cap 20 66MHz 21 UDF 22 FastB2B 23 ParErr 24 >TAbort 27 <TAbort 28 <MAbort 29 >SERR 30 <PERR 31 INTx 19");

    /** Of a bridge: what happened on the bus behind it. */
    static final Line SECONDARY_STATUS = line(
            "Secondary status:",
            0x1C,
            "66MHz 21 FastB2B 23 ParErr 24 >TAbort 27 <TAbort 28 <MAbort 29 <SERR 30 <PERR 31");

    static final Line BRIDGE_CONTROL =
            line("BridgeCtl:", 0x3C, "Parity 16 SERR 17 NoISA 18 VGA 19 VGA16 20 MAbort 21 >Reset 22 FastB2B 23");
    static final Line BRIDGE_CONTROL_MORE =
            line("", 0x3C, "PriDiscTmr 24 SecDiscTmr 25 DiscTmrStat 26 DiscTmrSERREn 27");

    static final Line DEVICE_CONTROL = line("DevCtl:", 0x08, "CorrErr 0 NonFatalErr 1 FatalErr 2 UnsupReq 3");
    static final Line DEVICE_CONTROL_MORE =
            line("", 0x08, "RlxdOrd 4 ExtTag 8 PhantFunc 9 AuxPwr 10 NoSnoop 11 FLReset 15");
    static final Line DEVICE_STATUS =
            line("DevSta:", 0x08, "CorrErr 16 NonFatalErr 17 FatalErr 18 UnsupReq 19 AuxPwr 20 TransPend 21");
    private static final String UNCORRECTABLE = "DLP 4 SDES 5 TLP 12 FCP 13 CmpltTO 14 CmpltAbrt 15 UnxCmplt 16 RxOF 17"
            + " MalfTLP 18 ECRC 19 UnsupReq 20 ACSViol 21";
    private static final String CORRECTABLE = "RxErr 0 BadTLP 6 BadDLLP 7 Rollover 8 Timeout 12 AdvNonFatalErr 13";
    static final List<Line> AER = List.of(
            line("UESta:", 0x04, UNCORRECTABLE),
            line("UEMsk:", 0x08, UNCORRECTABLE),
            line("UESvrt:", 0x0C, UNCORRECTABLE),
            line("CESta:", 0x10, CORRECTABLE),
            line("CEMsk:", 0x14, CORRECTABLE));

    private static Line line(String label, int offset, String flags) {
        String[] words = flags.split(" ", -1);
        Flag[] all = new Flag[words.length / 2];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Flag(words[2 * i], Integer.parseInt(words[2 * i + 1]));
        }
        return new Line(label, offset, List.of(all));
    }

    static int word(byte[] space, int offset) {
        return (space[offset] & 0xFF)
                | (space[offset + 1] & 0xFF) << 8
                | (space[offset + 2] & 0xFF) << 16
                | (space[offset + 3] & 0xFF) << 24;
    }

    static void put(byte[] space, int offset, int word) {
        for (int i = 0; i < 4; i++) {
            space[offset + i] = (byte) (word >>> (8 * i));
        }
    }

    /** Returns where a capability is, -1 if nowhere; a chain that runs in a circle ends too. */
    static int capability(byte[] space, int id) {
        int at = space[0x34] & 0xFC;
        for (int i = 0; at >= 0x40 && i < 48; i++) {
            if ((space[at] & 0xFF) == id) {
                return at;
            }
            at = space[at + 1] & 0xFC;
        }
        return -1;
    }
}
