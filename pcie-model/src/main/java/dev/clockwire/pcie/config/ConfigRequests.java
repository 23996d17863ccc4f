package dev.clockwire.pcie.config;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.tlp.ByteEnables;

/** Configuration requests as packets: one word of 4 bytes, of which a write enables some. */
public final class ConfigRequests {
    private static final int WORD = 4;

    private ConfigRequests() {}

    /** Returns the word of a write, its bytes where they belong in the word. */
    public static int value(TlpTrain write) {
        int x = 0;
        for (int i = write.length() - 1; i >= 0; i--) {
            x = x << 8 | (write.data.byteAt(i) & 0xff);
        }
        return x << (8 * ((int) write.address & WORD - 1));
    }

    /** Returns which bytes of the word are written; bit i is byte i. */
    public static int enables(TlpTrain write) {
        return ByteEnables.first(write.address, write.length());
    }

    /** Makes a train the completion of a read, with a byte count of 4, whatever bytes the read enables. */
    public static void answer(TlpTrain read, TlpTrain into, int value, int completer) {
        into.completions(0, WORD, WORD, completer, read.requesterId, read.tag[0]);
        byte[] word = {(byte) value, (byte) (value >>> 8), (byte) (value >>> 16), (byte) (value >>> 24)};
        into.data.appendBytes(word, 0, WORD);
    }
}
