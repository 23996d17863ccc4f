package dev.clockwire.storage.threefs.net;

import dev.clockwire.nic.lab.MessageName;
import org.jspecify.annotations.Nullable;

/** A part of a socket's stream that waits for a buffer. */
final class Piece {
    final byte[] bytes;
    final int off;
    final int length;
    final MessageName name;
    final @Nullable Notice notice;

    /** What follows a piece into the peer's memory, and what the peer is told. */
    static final class Notice {
        final RdmaRange range;
        final int word;
        final RdmaDone done;
        long index;

        Notice(RdmaRange range, int word, RdmaDone done) {
            this.range = range;
            this.word = word;
            this.done = done;
        }
    }

    Piece(byte[] bytes, int off, int length, MessageName name, @Nullable Notice notice) {
        this.bytes = bytes;
        this.off = off;
        this.length = length;
        this.name = name;
        this.notice = notice;
    }
}
