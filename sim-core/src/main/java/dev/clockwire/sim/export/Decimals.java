package dev.clockwire.sim.export;

import dev.clockwire.sim.error.InvariantViolation;
import java.math.BigDecimal;
import java.math.MathContext;

/** How floating-point numbers are printed: 15 significant digits, the same on every Java version. */
final class Decimals {
    private static final MathContext DIGITS = new MathContext(15);
    private static final int LONGEST = 20;

    private Decimals() {}

    /** Returns the number as JSON and CSV readers take it; NaN and infinities have no such form. */
    static String text(String what, double x) {
        if (Double.isNaN(x) || Double.isInfinite(x)) {
            throw new InvariantViolation(what + " is " + x + ": only finite numbers can be written");
        }
        if (x == 0) {
            return "0";
        }
        BigDecimal d = new BigDecimal(x).round(DIGITS).stripTrailingZeros();
        String plain = d.toPlainString();
        return plain.length() <= LONGEST ? plain : d.toString();
    }
}
