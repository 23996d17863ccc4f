package dev.clockwire.bench.device;

import java.util.Locale;
import java.util.function.Consumer;

/** The lines of {@code lspci -vvv} of pciutils 3.7 that a header of type 1 has, that of a bridge. */
final class LspciBridge {
    private static final int MEGABYTE = 1 << 20;

    private LspciBridge() {}

    static boolean isBridge(byte[] space) {
        return (space[0x0E] & 0x7F) == 1;
    }

    static void print(byte[] space, Consumer<String> out) {
        int bus = PciBits.word(space, 0x18);
        out.accept(String.format(
                Locale.ROOT,
                "\tBus: primary=%02x, secondary=%02x, subordinate=%02x, sec-latency=%d",
                bus & 0xFF,
                bus >>> 8 & 0xFF,
                bus >>> 16 & 0xFF,
                bus >>> 24));
        int io = PciBits.word(space, 0x1C);
        range("I/O behind bridge", (io & 0xF0L) << 8, ((io & 0xF000L) | 0xFFF), false, out);
        int memory = PciBits.word(space, 0x20);
        range("Memory behind bridge", first(memory, 0), last(memory, 0), false, out);
        int wide = PciBits.word(space, 0x24);
        boolean bits64 = (wide & 0xF) == 1;
        range(
                "Prefetchable memory behind bridge",
                first(wide, bits64 ? PciBits.word(space, 0x28) : 0),
                last(wide, bits64 ? PciBits.word(space, 0x2C) : 0),
                bits64,
                out);
        out.accept("\tSecondary status: " + LspciText.flags(PciBits.SECONDARY_STATUS, io));
        int control = PciBits.word(space, 0x3C);
        out.accept("\tBridgeCtl: " + LspciText.flags(PciBits.BRIDGE_CONTROL, control));
        out.accept("\t\t" + LspciText.flags(PciBits.BRIDGE_CONTROL_MORE, control));
    }

    private static long first(int register, int upper) {
        return (upper & 0xFFFF_FFFFL) << 32 | (register & 0xFFF0L) << 16;
    }

    private static long last(int register, int upper) {
        return (upper & 0xFFFF_FFFFL) << 32 | (register & 0xFFF0_0000L) | (MEGABYTE - 1);
    }

    private static void range(String what, long from, long to, boolean wide, Consumer<String> out) {
        String digits = wide ? "%016x-%016x" : "%08x-%08x";
        String size = from <= to ? " [size=" + LspciText.size(to - from + 1) + "]" : " [disabled]";
        out.accept("\t" + what + ": " + String.format(Locale.ROOT, digits, from, to) + size);
    }
}
