package dev.clockwire.testkit.nic;

import java.util.List;

/**
 * A field as a row of docs/formats.md places it.
 *
 * @param name name in the page
 * @param first first byte, from the start of its segment
 * @param last last byte
 * @param high highest bit in the big-endian number that the bytes form
 * @param low lowest bit
 */
record DocumentedField(String name, int first, int last, int high, int low) {
    /** Reads a row of bytes, bits, field, meaning. */
    static DocumentedField of(List<String> row) {
        String[] bytes = row.get(0).split("-", -1);
        int first = Integer.parseInt(bytes[0]);
        int last = Integer.parseInt(bytes[bytes.length - 1]);
        if (row.get(1).isEmpty()) {
            return new DocumentedField(row.get(2), first, last, 8 * (last - first + 1) - 1, 0);
        }
        String[] bits = row.get(1).split(":", -1);
        return new DocumentedField(
                row.get(2), first, last, Integer.parseInt(bits[0]), Integer.parseInt(bits[bits.length - 1]));
    }

    /** Returns the largest value of the field, as an unsigned number. */
    long ones() {
        return -1L >>> (63 - (high - low));
    }

    /** Sets or clears the field's bits, and only them. */
    void fill(byte[] segment, int at, boolean one) {
        for (int bit = low; bit <= high; bit++) {
            int i = at + last - bit / 8;
            int mask = 1 << (bit % 8);
            segment[i] = (byte) (one ? segment[i] | mask : segment[i] & ~mask);
        }
    }

    /** Reads the field. */
    long value(byte[] segment, int at) {
        long x = 0;
        for (int bit = high; bit >= low; bit--) {
            x = (x << 1) | ((segment[at + last - bit / 8] >>> (bit % 8)) & 1);
        }
        return x;
    }
}
