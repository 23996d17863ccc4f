package dev.clockwire.roce.rpc;

import java.nio.ByteBuffer;

/**
 * The header of a message, big-endian: kind 1 byte, 0; credits returned 2; length of the body 4; number of the call 8.
 *
 * @param kind {@link #CALL}, {@link #ANSWER} or {@link #CREDITS}
 * @param credits receives that the sender of this message has posted again
 * @param length bytes behind the header
 * @param call number of the call, of the side that called
 */
record RpcHeader(int kind, int credits, int length, long call) {
    static final int BYTES = 16;
    static final int CALL = 1;
    static final int ANSWER = 2;
    static final int CREDITS = 3;

    void write(byte[] to) {
        ByteBuffer.wrap(to)
                .put((byte) kind)
                .put((byte) 0)
                .putShort((short) credits)
                .putInt(length)
                .putLong(call);
    }

    static RpcHeader read(byte[] from) {
        ByteBuffer b = ByteBuffer.wrap(from);
        int kind = b.get();
        b.get();
        int credits = b.getShort() & 0xFFFF;
        int length = b.getInt();
        return new RpcHeader(kind, credits, length, b.getLong());
    }
}
