package dev.clockwire.storage.rpc;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Whole numbers of JSON: 4096, but also 4.096e3, as SPDK takes them. */
final class JsonNumbers {
    /** Longer than any number that fits into 64 bits and is written sensibly. */
    private static final int LONGEST = 40;

    private static final int LARGEST_SCALE = 40;

    private JsonNumbers() {}

    /** Returns the number that a literal stands for, null if that is none of 64 bits with sign. */
    static @Nullable Long whole(String literal) {
        if (literal.length() > LONGEST) {
            return null;
        }
        try {
            BigDecimal x = new BigDecimal(literal);
            if (x.signum() != 0 && (x.scale() > LARGEST_SCALE || x.scale() < -LARGEST_SCALE)) {
                return null;
            }
            BigInteger n = x.signum() == 0 ? BigInteger.ZERO : x.toBigIntegerExact();
            return n.bitLength() < Long.SIZE ? n.longValue() : null;
        } catch (ArithmeticException | NumberFormatException e) {
            return null;
        }
    }
}
