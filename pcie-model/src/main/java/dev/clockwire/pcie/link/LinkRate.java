package dev.clockwire.pcie.link;

/**
 * The time of a byte on a link as an exact fraction of picoseconds, with the share of skips and DLLPs included. A byte of
 * Gen5 x16 takes 15.9 ps: a whole number would be wrong by parts in a thousand.
 *
 * @param num numerator of the picoseconds of a byte
 * @param den denominator of the picoseconds of a byte
 */
public record LinkRate(long num, long den) {
    private static final int SKIP_PERIOD = 1538;
    private static final int SKIP_SYMBOLS = 4;
    /** Bytes of an acknowledgement or credit update on the wire. */
    static final int DLLP_BYTES = 8;

    /** Returns the rate of a link. */
    public static LinkRate of(PcieLinkSpec spec) {
        PcieGeneration g = spec.generation();
        // ps of a byte = 8e6 x codeDen / (MT/s x lanes x codeNum), divided by the share that is left for TLPs
        long num = 8_000_000L * g.codeDen();
        long den = (long) g.megaTransfers() * spec.lanes() * g.codeNum();
        if (spec.dllpMode() == DllpMode.FRAMING || g.flitMode()) {
            return reduced(num, den);
        }
        int limit = g.ackLimitSymbols(spec.maxPayload(), spec.lanes());
        int spread = spec.dllpMode() == DllpMode.EXACT ? spec.lanes() : 1;
        // share = 1 - 4/1538 - 2 x (8/spread)/limit, over the common denominator 1538 x spread x limit
        long whole = (long) SKIP_PERIOD * spread * limit;
        long left = whole - (long) SKIP_SYMBOLS * spread * limit - 2L * DLLP_BYTES * SKIP_PERIOD;
        LinkRate raw = reduced(num, den);
        LinkRate share = reduced(whole, left);
        return reduced(raw.num * share.num, raw.den * share.den);
    }

    /** Returns the payload-blind rate in Gb/s, for reports. */
    public double gigabits() {
        return 8_000.0 * den / num;
    }

    private static LinkRate reduced(long num, long den) {
        long a = num;
        long b = den;
        while (b != 0) {
            long r = a % b;
            a = b;
            b = r;
        }
        return new LinkRate(num / a, den / a);
    }
}
