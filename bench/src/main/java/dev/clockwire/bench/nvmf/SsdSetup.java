package dev.clockwire.bench.nvmf;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a published row was measured on, as far as its words say. Words such as "same" stand for the row before it of the same source.
 *
 * @param device in lower case, empty if none is named
 * @param ssds of it
 * @param bytes of an I/O
 * @param depth outstanding of each SSD
 * @param cores that load them
 * @param doorbellEach whether each command rings its doorbell
 * @param writes whether it is writes
 * @param random whether places are random
 */
record SsdSetup(
        String device,
        int ssds,
        int bytes,
        int depth,
        int cores,
        boolean doorbellEach,
        boolean writes,
        boolean random) {
    private static final SsdSetup NOTHING = new SsdSetup("", 1, 4096, 1, 1, false, false, true);
    private static final Pattern DEVICE = Pattern.compile("(?:(\\d+)x )?(p\\d{4}x?|pm9a3|micron \\d+|mp600)");
    private static final Pattern BYTES = Pattern.compile("(\\d+) ?(kib|kb|b)\\b");
    private static final Pattern DEPTH = Pattern.compile("\\bqd(\\d+)");
    private static final Pattern CORES = Pattern.compile("(\\d+) (?:core|thread)");

    /** Reads the words of a row; {@code before} is the row before it of the same source, null if there is none. */
    static SsdSetup of(String words, @Nullable SsdSetup before) {
        String w = words.toLowerCase(Locale.ROOT);
        SsdSetup base = before != null && w.contains("same") ? before : NOTHING;
        Matcher device = DEVICE.matcher(w);
        boolean named = device.find();
        int ssds = named ? device.group(1) == null ? 1 : Integer.parseInt(device.group(1)) : base.ssds;
        int bytes = base.bytes;
        Matcher size = BYTES.matcher(w);
        while (size.find()) {
            int n = Integer.parseInt(size.group(1)) * (size.group(2).startsWith("k") ? 1024 : 1);
            bytes = n >= 512 && n <= 1 << 20 ? n : bytes;
        }
        return new SsdSetup(
                named ? device.group(2) : base.device,
                ssds,
                w.contains("sequential") ? 131_072 : bytes,
                number(DEPTH, w, usualDepth(w, base.depth)),
                number(CORES, w, base.cores),
                base.doorbellEach || w.contains("without delayed"),
                w.contains("write"),
                !w.contains("sequential"));
    }

    /** What a vendor's figure is measured at if it does not say: enough for the most that the SSD can do. */
    private static int usualDepth(String w, int otherwise) {
        return w.contains("sequential") ? 32 : w.contains("vendor") || w.contains("per drive") ? 512 : otherwise;
    }

    private static int number(Pattern p, String w, int otherwise) {
        Matcher m = p.matcher(w);
        return m.find() ? Integer.parseInt(m.group(1)) : otherwise;
    }
}
