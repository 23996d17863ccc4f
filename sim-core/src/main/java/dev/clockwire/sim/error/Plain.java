package dev.clockwire.sim.error;

import java.math.BigDecimal;

/** Numbers as people write them, for messages. */
public final class Plain {
    private Plain() {}

    /** Returns a number without an exponent and without zeros at its end: {@code 0.0001}, {@code 64000000}. */
    public static String text(double number) {
        return Double.isFinite(number)
                ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
                : Double.toString(number);
    }
}
