package dev.clockwire.storage.daos.ofi;

import dev.clockwire.nic.lab.MessageName;
import org.jspecify.annotations.Nullable;

/** A message to be sent, cut into segments where it is longer than a bounce buffer: what is left of it. */
final class Segment {
    static final Segment NONE = new Segment(new byte[0], 0, 0, false, MessageName.NONE);
    private final byte[] bytes;
    private final int total;
    private final long tag;
    private final boolean expected;
    private final MessageName name;
    private int sent;

    Segment(byte @Nullable [] bytes, int total, long tag, boolean expected, MessageName name) {
        this.bytes = bytes == null ? new byte[0] : bytes;
        this.total = total;
        this.tag = tag;
        this.expected = expected;
        this.name = name;
    }

    MessageName name() {
        return name;
    }

    boolean isDone() {
        return sent >= total;
    }

    /** Writes the next segment into a scratch buffer; returns its bytes. */
    int next(byte[] into, int most) {
        if (sent == 0) {
            int n = Math.min(most, total);
            System.arraycopy(bytes, 0, into, 0, n);
            RxmHeader.put(into, tag, expected, total, 0);
            sent = n;
            return n;
        }
        int n = Math.min(most - RxmHeader.BYTES, total - sent);
        RxmHeader.put(into, tag, expected, total, sent);
        System.arraycopy(bytes, sent, into, RxmHeader.BYTES, n);
        sent += n;
        return n + RxmHeader.BYTES;
    }
}
