package dev.clockwire.pcie.link;

import dev.clockwire.sim.error.ConfigurationException;

/** The speeds a link can run at. */
public enum PcieGeneration {
    /** 2.5 GT/s, 8b/10b. */
    GEN1(1, 2_500, 8, 10, 19),
    /** 5 GT/s, 8b/10b. */
    GEN2(2, 5_000, 8, 10, 70),
    /** 8 GT/s, 128b/130b. */
    GEN3(3, 8_000, 128, 130, 115),
    /** 16 GT/s, 128b/130b. */
    GEN4(4, 16_000, 128, 130, 115),
    /** 32 GT/s, 128b/130b. */
    GEN5(5, 32_000, 128, 130, 115),
    /** 64 GT/s PAM4 in flit mode: 236 of the 256 bytes of a flit carry TLPs, there is no framing, LCRC or DLLP of a packet. */
    GEN6(6, 64_000, 236, 256, 115);

    private final int number;
    private final int megaTransfers;
    private final int codeNum;
    private final int codeDen;
    private final int internalDelaySymbols;

    PcieGeneration(int number, int megaTransfers, int codeNum, int codeDen, int internalDelaySymbols) {
        this.number = number;
        this.megaTransfers = megaTransfers;
        this.codeNum = codeNum;
        this.codeDen = codeDen;
        this.internalDelaySymbols = internalDelaySymbols;
    }

    /** Returns the generation of a number from 1 to 6. */
    public static PcieGeneration of(int number) {
        if (number < 1 || number > 6) {
            throw new ConfigurationException("pcie.generation " + number + " is not in 1..6");
        }
        return values()[number - 1];
    }

    /** Returns 1 for the first generation. */
    public int number() {
        return number;
    }

    /** Returns transfers a second and lane, in millions. */
    public int megaTransfers() {
        return megaTransfers;
    }

    /** Returns the numerator of the share of bits that is left after encoding. */
    public int codeNum() {
        return codeNum;
    }

    /** Returns the denominator of the share of bits that is left after encoding. */
    public int codeDen() {
        return codeDen;
    }

    /** Returns whether packets travel in flits. */
    public boolean flitMode() {
        return this == GEN6;
    }

    /** Returns the bytes around a header on the wire: start token, sequence number, LCRC, end token. */
    public int framingBytes() {
        return flitMode() ? 0 : 8;
    }

    /**
     * Returns how long a receiver may wait before it acknowledges, in symbol times of a lane: the update guideline of the
     * base specification, (MPS + 28) x factor / lanes + internal delay, rounded down.
     */
    public int ackLimitSymbols(int maxPayload, int lanes) {
        int tenths = maxPayload <= 256 ? (lanes <= 4 ? 14 : lanes == 8 ? 25 : 30) : (lanes <= 8 ? 10 : 20);
        return (maxPayload + 28) * tenths / (10 * lanes) + internalDelaySymbols;
    }

    /** Returns the speed as lspci prints it, such as {@code 8.0 GT/s}. */
    public String speedText() {
        return megaTransfers / 1000 + "." + megaTransfers % 1000 / 100 + " GT/s";
    }

    /** Returns what Linux believes a lane carries, in Mb/s: encoding taken off and rounded down; flits count as unencoded. */
    public int linuxMegabits() {
        return flitMode() ? megaTransfers : (int) ((long) megaTransfers * codeNum / codeDen);
    }
}
