package dev.clockwire.bench.audit;

import dev.clockwire.pcie.link.LinkRate;
import dev.clockwire.pcie.link.PcieGeneration;
import dev.clockwire.pcie.link.PcieLinkSpec;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a PCIe slot carries of 4 KB transfers.
 *
 * @param text the slot as written, with the payload size
 * @param rawGbps after the line code
 * @param writeGbps payload of memory writes
 * @param readGbps payload of completions
 */
record Slot(String text, double rawGbps, double writeGbps, double readGbps) {
    /** No slot is named. */
    static final Slot NONE = new Slot("", Double.NaN, Double.NaN, Double.NaN);

    private static final Pattern FORM = Pattern.compile("[Gg]en ?([1-6]) ?x ?(1|2|4|8|12|16|32)");
    private static final int TRANSFER = 4096;
    private static final int WRITE_HEADER = 16;
    private static final int COMPLETION_HEADER = 12;

    /** Returns the slot of a text such as {@code Gen4 x16}; {@link #NONE} if it is no slot. */
    static Slot parse(String text, double mps) {
        Matcher m = FORM.matcher(text);
        boolean fits = mps == Math.rint(mps) && mps >= 128 && mps <= 4096 && Integer.bitCount((int) mps) == 1;
        if (!m.matches() || !fits) {
            return NONE;
        }
        PcieGeneration g = PcieGeneration.of(Integer.parseInt(m.group(1)));
        int lanes = Integer.parseInt(m.group(2));
        PcieLinkSpec spec = PcieLinkSpec.of(g.number(), lanes).withSizes((int) mps, 512);
        double usable = LinkRate.of(spec).gigabits();
        double raw = g.megaTransfers() * (double) lanes * g.codeNum() / g.codeDen() / 1000;
        return new Slot(
                text + " MPS " + (int) mps,
                raw,
                payload(usable, mps, g.framingBytes() + WRITE_HEADER),
                payload(usable, mps, g.framingBytes() + COMPLETION_HEADER));
    }

    private static double payload(double usable, double mps, int header) {
        double packets = Math.ceil(TRANSFER / mps);
        return usable * TRANSFER / (TRANSFER + packets * header);
    }

    /** Returns the payload that crosses the slot in one direction at best. */
    double bestGbps() {
        return Math.max(writeGbps, readGbps);
    }

    /** Returns the payload of a transfer that is read on one host and written on the other. */
    double throughGbps() {
        return Math.min(writeGbps, readGbps);
    }
}
