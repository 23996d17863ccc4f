package dev.clockwire.testkit.nic;

import dev.clockwire.testkit.ModelAssert;
import java.util.Arrays;
import java.util.HexFormat;

/** Bytes in the memory of a host. */
public final class BytesAssert extends ModelAssert<BytesAssert, byte[]> {
    private static final int LINE = 16;

    private final String where;

    BytesAssert(byte[] actual, String host, long address) {
        super(actual, BytesAssert.class, host);
        where = host + " at 0x" + Long.toHexString(address);
    }

    /** Says which bytes stand there. */
    public BytesAssert holds(byte[] expected) {
        int i = Arrays.mismatch(expected, actual);
        if (i >= 0) {
            throw error(
                    expected.length == actual.length
                            ? difference(expected, i)
                            : where + ": " + actual.length + " bytes cannot hold " + expected.length);
        }
        return this;
    }

    /** Says that nothing was written there since memory was new. */
    public BytesAssert isZero() {
        return holds(new byte[actual.length]);
    }

    private String difference(byte[] expected, int first) {
        int wrong = 0;
        int last = first;
        for (int i = first; i < actual.length; i++) {
            if (expected[i] != actual[i]) {
                wrong++;
                last = i;
            }
        }
        int from = first / LINE * LINE;
        int to = Math.min(actual.length, from + LINE);
        HexFormat hex = HexFormat.ofDelimiter(" ");
        return String.format(
                "%s: byte %d is %02x, expected %02x; %d of %d bytes are wrong, the last is byte %d%n"
                        + "  bytes from %d%n  expected %s%n  found    %s",
                where,
                first,
                actual[first],
                expected[first],
                wrong,
                actual.length,
                last,
                from,
                hex.formatHex(expected, from, to),
                hex.formatHex(actual, from, to));
    }
}
