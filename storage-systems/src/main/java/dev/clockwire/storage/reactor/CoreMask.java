package dev.clockwire.storage.reactor;

import dev.clockwire.sim.error.ConfigurationException;
import java.math.BigInteger;
import java.util.BitSet;

/** Which cores: a mask such as 0x5, or a list such as [0,2-3]. Core numbers go up to 1023. */
public final class CoreMask {
    private static final int MOST = 1024;
    private static final int HEX = 16;

    private final BitSet cores;

    private CoreMask(BitSet cores) {
        this.cores = cores;
    }

    /**
     * Reads a mask in hexadecimal, with or without 0x, or a list in brackets.
     *
     * @throws ConfigurationException if it is neither, names no core or one above 1023
     */
    public static CoreMask parse(String text) {
        String t = text.trim();
        BitSet cores = t.startsWith("[") ? list(t) : mask(t);
        if (cores.isEmpty()) {
            throw wrong(text, "names no core");
        }
        if (cores.length() > MOST) {
            throw wrong(text, "names core " + (cores.length() - 1) + ": must be 0.." + (MOST - 1));
        }
        return new CoreMask(cores);
    }

    /** Returns the first cores. */
    public static CoreMask first(int n) {
        if (n < 1 || n > MOST) {
            throw new ConfigurationException(n + " cores: must be 1.." + MOST);
        }
        BitSet b = new BitSet();
        b.set(0, n);
        return new CoreMask(b);
    }

    private static BitSet mask(String t) {
        String digits = t.startsWith("0x") || t.startsWith("0X") ? t.substring(2) : t;
        if (!digits.matches("[0-9a-fA-F]{1,4096}")) {
            throw wrong(t, "is neither a mask such as 0x3 nor a list such as [0,2-3]");
        }
        BigInteger x = new BigInteger(digits, HEX);
        BitSet b = new BitSet();
        for (int i = 0; i < x.bitLength(); i++) {
            b.set(i, x.testBit(i));
        }
        return b;
    }

    private static BitSet list(String t) {
        BitSet b = new BitSet();
        if (!t.endsWith("]")) {
            throw wrong(t, "lacks its closing bracket");
        }
        for (String part : t.substring(1, t.length() - 1).split(",", -1)) {
            String p = part.trim();
            if (!p.matches("[0-9]{1,4}(-[0-9]{1,4})?")) {
                throw wrong(t, "has '" + p + "', which is neither a core nor a range such as 2-3");
            }
            int dash = p.indexOf('-');
            int from = Integer.parseInt(dash < 0 ? p : p.substring(0, dash));
            int to = dash < 0 ? from : Integer.parseInt(p.substring(dash + 1));
            if (to < from) {
                throw wrong(t, "has the range " + p + ", which ends before it begins");
            }
            b.set(from, to + 1);
        }
        return b;
    }

    private static ConfigurationException wrong(String text, String why) {
        return new ConfigurationException("core mask '" + text + "' " + why);
    }

    /** Returns whether a core is among them. */
    public boolean has(int core) {
        return cores.get(core);
    }

    /** Returns how many there are. */
    public int count() {
        return cores.cardinality();
    }

    /** Returns the first core not before one, -1 if there is none. */
    public int next(int core) {
        return cores.nextSetBit(core);
    }

    /** Returns the mask in hexadecimal, without 0x, as SPDK prints it. */
    @Override
    public String toString() {
        BigInteger x = BigInteger.ZERO;
        for (int i = next(0); i >= 0; i = next(i + 1)) {
            x = x.setBit(i);
        }
        return x.toString(HEX);
    }
}
