package dev.clockwire.bench.device;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;

/**
 * Decodes the bytes of a configuration space as {@code lspci -vvv} of pciutils 3.7 does, and dumps them as {@code lspci -xxxx}: {@code
 * lspci -F} reads the dump. What the simulated function does not have is printed as absent, as of a real one.
 */
public final class LspciText {
    private static final String[] SPEEDS = {"unknown", "2.5GT/s", "5GT/s", "8GT/s", "16GT/s", "32GT/s", "64GT/s"};
    private static final String[] LINK_TYPES = {
        "Endpoint",
        "Legacy Endpoint",
        "Unknown type 2",
        "Unknown type 3",
        "Root Port (Slot-)",
        "Upstream Port",
        "Downstream Port (Slot-)"
    };
    /** Port types from this one on belong to bridges. */
    private static final int FIRST_BRIDGE_TYPE = 4;

    private static final String[] TIMEOUTS = {
        "50us to 50ms", "50us to 100us", "1ms to 10ms", "Unknown", "Unknown", "16ms to 55ms", "65ms to 210ms"
    };

    private final byte[] space;
    private final Consumer<String> out;

    private LspciText(byte[] space, Consumer<String> out) {
        this.space = space;
        this.out = out;
    }

    /**
     * Hands over the lines of {@code lspci -vvv}.
     *
     * @param address bus address, such as {@code 3b:00.0}
     * @param title what kind of function it is and its name
     * @param space 4096 bytes
     * @param barBytes sizes of windows by number, which Linux knows and the bytes do not; 0 is not printed
     */
    public static void print(
            String address, String title, byte[] space, IntToLongFunction barBytes, Consumer<String> out) {
        LspciText text = new LspciText(space, out);
        out.accept(address + " " + title);
        text.header(barBytes);
        text.capabilities();
        text.extended();
    }

    /** Hands over the lines of {@code lspci -xxxx}: the address, then 16 bytes a line. */
    public static void dump(String address, String title, byte[] space, Consumer<String> out) {
        out.accept(address + " " + title);
        for (int at = 0; at < PciBits.BYTES; at += 16) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, at < 0x100 ? "%02x:" : "%03x:", at));
            for (int i = 0; i < 16; i++) {
                line.append(String.format(Locale.ROOT, " %02x", space[at + i] & 0xFF));
            }
            out.accept(line.toString());
        }
    }

    static String flags(PciBits.Line line, int word) {
        StringBuilder text = new StringBuilder();
        for (PciBits.Flag f : line.flags()) {
            if (f.name().equals(">TAbort")) {
                text.append(" DEVSEL=").append(new String[] {"fast", "medium", "slow", "??"}[word >>> 25 & 3]);
            }
            text.append(' ').append(f.name()).append((word >>> f.bit() & 1) == 0 ? '-' : '+');
        }
        return text.substring(1);
    }

    private void line(int depth, String format, Object... values) {
        out.accept("\t".repeat(depth) + String.format(Locale.ROOT, format, values));
    }

    private void header(IntToLongFunction barBytes) {
        boolean bridge = LspciBridge.isBridge(space);
        if (!bridge) {
            int subsystem = PciBits.word(space, 0x2C);
            line(1, "Subsystem: %04x:%04x", subsystem & 0xFFFF, subsystem >>> 16);
        }
        line(1, "Control: %s", flags(PciBits.CONTROL, PciBits.word(space, PciBits.CONTROL.offset())));
        line(1, "Status: %s", flags(PciBits.STATUS, PciBits.word(space, PciBits.STATUS.offset())));
        boolean mem = (PciBits.word(space, 4) & 2) != 0;
        for (int n = 0; n < (bridge ? 2 : 6); n++) {
            int low = PciBits.word(space, 0x10 + 4 * n);
            boolean wide = (low & 7) == 4;
            long high = wide && n < 5 ? PciBits.word(space, 0x14 + 4 * n) & 0xFFFF_FFFFL : 0;
            long address = high << 32 | (low & 0xFFFF_FFF0L);
            long size = barBytes.applyAsLong(n);
            if (low != 0 || size > 0) {
                line(
                        1,
                        "Region %d: Memory at %s (%s, %sprefetchable)%s%s",
                        n,
                        String.format(Locale.ROOT, wide ? "%x" : "%08x", address),
                        wide ? "64-bit" : "32-bit",
                        (low & 8) != 0 ? "" : "non-",
                        mem ? "" : " [disabled]",
                        size > 0 ? " [size=" + size(size) + "]" : "");
            }
            n += wide ? 1 : 0;
        }
        if (bridge) {
            LspciBridge.print(space, out);
        }
    }

    static String size(long bytes) {
        String units = " KMGT";
        int unit = 0;
        long n = bytes;
        while (n >= 1024 && n % 1024 == 0 && unit < 4) {
            n /= 1024;
            unit++;
        }
        return n + units.substring(unit, unit + 1).trim();
    }

    private void capabilities() {
        int at = space[0x34] & 0xFC;
        for (int i = 0; at >= 0x40 && i < 48; i++) {
            switch (space[at] & 0xFF) {
                case PciBits.EXPRESS_ID -> express(at);
                case PciBits.MSIX_ID -> vectors(at);
                case PciBits.POWER_ID -> power(at);
                default -> line(1, "Capabilities: [%02x] #%02x", at, space[at] & 0xFF);
            }
            at = space[at + 1] & 0xFC;
        }
    }

    private void express(int at) {
        int cap = PciBits.word(space, at);
        int type = cap >>> 20 & 0xF;
        line(
                1,
                "Capabilities: [%02x] Express (v%d) %s, MSI 00",
                at,
                cap >>> 16 & 0xF,
                type < LINK_TYPES.length ? LINK_TYPES[type] : "Unknown type " + type);
        int device = PciBits.word(space, at + 0x04);
        String latency = type < FIRST_BRIDGE_TYPE ? ", Latency L0s <64ns, L1 <1us" : "";
        line(2, "DevCap:\tMaxPayload %d bytes, PhantFunc 0%s", 128 << (device & 7), latency);
        line(3, "ExtTag%s RBE%s", sign(device, 5), sign(device, 15));
        int control = PciBits.word(space, at + 0x08);
        line(2, "DevCtl:\t%s", flags(PciBits.DEVICE_CONTROL, control));
        line(3, "%s", flags(PciBits.DEVICE_CONTROL_MORE, control));
        line(3, "MaxPayload %d bytes, MaxReadReq %d bytes", 128 << (control >>> 5 & 7), 128 << (control >>> 12 & 7));
        line(2, "DevSta:\t%s", flags(PciBits.DEVICE_STATUS, control));
        link(at, type < FIRST_BRIDGE_TYPE);
        int more = PciBits.word(space, at + 0x24);
        line(
                2,
                "DevCap2: Completion Timeout: %s, TimeoutDis%s",
                (more & 0xF) == 0xF ? "Range ABCD" : (more & 0xF) == 0 ? "Not Supported" : "Range " + (more & 0xF),
                sign(more, 4));
        line(3, " 10BitTagComp%s 10BitTagReq%s", sign(more, 16), sign(more, 17));
        int second = PciBits.word(space, at + 0x28);
        line(
                2,
                "DevCtl2: Completion Timeout: %s, TimeoutDis%s",
                (second & 0xF) < TIMEOUTS.length ? TIMEOUTS[second & 0xF] : "Unknown",
                sign(second, 4));
        line(3, " IDOReq%s 10BitTagReq%s", sign(second, 8), sign(second, 12));
    }

    private void link(int at, boolean endpoint) {
        int can = PciBits.word(space, at + 0x0C);
        int is = PciBits.word(space, at + 0x10);
        line(2, "LnkCap:\tPort #%d, Speed %s, Width x%d, ASPM not supported", can >>> 24, speed(can), can >> 4 & 0x3F);
        String boundary = endpoint ? "RCB " + ((is & 8) != 0 ? 128 : 64) + " bytes, " : "";
        line(2, "LnkCtl:\tASPM Disabled; %sDisabled- CommClk%s", boundary, sign(is, 6));
        int now = is >>> 16;
        line(
                2,
                "LnkSta:\tSpeed %s (%s), Width x%d (%s)",
                speed(now),
                (now & 0xF) < (can & 0xF) ? "downgraded" : "ok",
                now >> 4 & 0x3F,
                (now >> 4 & 0x3F) < (can >> 4 & 0x3F) ? "downgraded" : "ok");
        line(3, "TrErr%s Train%s SlotClk%s DLActive%s", sign(now, 10), sign(now, 11), sign(now, 12), sign(now, 13));
    }

    private static String speed(int code) {
        int n = code & 0xF;
        return n < SPEEDS.length ? SPEEDS[n] : SPEEDS[0];
    }

    private void vectors(int at) {
        int x = PciBits.word(space, at);
        line(
                1,
                "Capabilities: [%02x] MSI-X: Enable%s Count=%d Masked%s",
                at,
                sign(x, 31),
                (x >>> 16 & 0x7FF) + 1,
                sign(x, 30));
        int table = PciBits.word(space, at + 4);
        int pending = PciBits.word(space, at + 8);
        line(2, "Vector table: BAR=%d offset=%08x", table & 7, table & ~7);
        line(2, "PBA: BAR=%d offset=%08x", pending & 7, pending & ~7);
    }

    private void power(int at) {
        int x = PciBits.word(space, at + 4);
        line(1, "Capabilities: [%02x] Power Management version %d", at, PciBits.word(space, at) >>> 16 & 7);
        line(
                2,
                "Status: D%d NoSoftRst%s PME-Enable%s DSel=%d DScale=%d PME%s",
                x & 3,
                sign(x, 3),
                sign(x, 8),
                x >>> 9 & 0xF,
                x >>> 13 & 3,
                sign(x, 15));
    }

    private void extended() {
        int at = PciBits.EXTENDED;
        for (int i = 0; at >= PciBits.EXTENDED && at <= PciBits.BYTES - PciBits.MOST_EXTENDED && i < 48; i++) {
            int cap = PciBits.word(space, at);
            switch (cap & 0xFFFF) {
                case PciBits.AER_ID -> errors(at, cap);
                case PciBits.ATS_ID -> translation(at, cap);
                default -> {}
            }
            at = cap >>> 20 & 0xFFC;
        }
    }

    private void translation(int at, int cap) {
        line(1, "Capabilities: [%x v%d] Address Translation Service (ATS)", at, cap >>> 16 & 0xF);
        int x = PciBits.word(space, at + 4);
        line(2, "ATSCap:\tInvalidate Queue Depth: %02x", x & 0x1F);
        line(2, "ATSCtl:\tEnable%s, Smallest Translation Unit: %02x", sign(x, 31), x >>> 16 & 0x1F);
    }

    private void errors(int at, int cap) {
        line(1, "Capabilities: [%x v%d] Advanced Error Reporting", at, cap >>> 16 & 0xF);
        for (PciBits.Line l : PciBits.AER) {
            line(2, "%s\t%s", l.label(), flags(l, PciBits.word(space, at + l.offset())));
        }
        int control = PciBits.word(space, at + 0x18);
        line(
                2,
                "AERCap:\tFirst Error Pointer: %02x, ECRCGenCap%s ECRCGenEn%s ECRCChkCap%s ECRCChkEn%s",
                control & 0x1F,
                sign(control, 5),
                sign(control, 6),
                sign(control, 7),
                sign(control, 8));
        line(
                2,
                "HeaderLog: %08x %08x %08x %08x",
                PciBits.word(space, at + 0x1C),
                PciBits.word(space, at + 0x20),
                PciBits.word(space, at + 0x24),
                PciBits.word(space, at + 0x28));
    }

    private static char sign(int x, int bit) {
        return (x >>> bit & 1) == 0 ? '-' : '+';
    }
}
