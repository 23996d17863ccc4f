package dev.clockwire.roce.cm;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Bytes that a message carries for the application. A message always carries as many as fit; two are equal if they differ in zeros at the end
 * only.
 */
public final class PrivateData {
    /** No bytes. */
    public static final PrivateData NONE = new PrivateData(new byte[0]);

    private final byte[] bytes;

    private PrivateData(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a copy of some bytes. */
    public static PrivateData of(byte... bytes) {
        return of(bytes, 0, bytes.length);
    }

    /** Returns a copy of a part of some bytes. */
    public static PrivateData of(byte[] from, int off, int length) {
        int used = length;
        while (used > 0 && from[off + used - 1] == 0) {
            used--;
        }
        return new PrivateData(Arrays.copyOfRange(from, off, off + used));
    }

    /** Returns a copy of the bytes; zeros at the end are not among them. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns a copy of exactly so many bytes, filled up with zeros. */
    public byte[] bytes(int length) {
        return Arrays.copyOf(bytes, length);
    }

    /** Returns the number of bytes up to the last that is not 0. */
    public int length() {
        return bytes.length;
    }

    /** Returns these bytes behind others. */
    PrivateData behind(byte[] head) {
        byte[] all = Arrays.copyOf(head, head.length + bytes.length);
        System.arraycopy(bytes, 0, all, head.length, bytes.length);
        return of(all);
    }

    /** Returns what stands behind some first bytes. */
    PrivateData from(int offset) {
        return offset >= bytes.length ? NONE : of(bytes, offset, bytes.length - offset);
    }

    /** Complains if the bytes do not fit into a message. */
    PrivateData atMost(int room, String message) {
        if (bytes.length > room) {
            throw new ConfigurationException(
                    bytes.length + " bytes of private data: " + message + " carries at most " + room);
        }
        return this;
    }

    void copyTo(byte[] to, int off) {
        System.arraycopy(bytes, 0, to, off, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrivateData data && Arrays.equals(bytes, data.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the bytes as hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
