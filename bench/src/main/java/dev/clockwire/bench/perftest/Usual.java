package dev.clockwire.bench.perftest;

import dev.clockwire.roce.transport.QpType;

/** What the real perftest takes where the user says nothing. */
public final class Usual {
    /** Messages in flight of a bandwidth tool. */
    public static final int DEPTH = 128;

    private static final int CQ_MOD = 100;
    private static final long UNMODERATED_SIZE = 8192;
    private static final int DATAGRAM_INLINE = 188;
    private static final int WRITE_INLINE = 220;
    private static final int SEND_INLINE = 236;

    private Usual() {}

    /** Returns up to how many bytes messages travel inside the work request: only ping-pong tools do that. */
    public static int inline(Tool tool, QpType connection) {
        if (!tool.isPingPong()) {
            return 0;
        }
        if (connection == QpType.UD) {
            return DATAGRAM_INLINE;
        }
        return tool == Tool.WRITE_LAT ? WRITE_INLINE : SEND_INLINE;
    }

    /** Returns every how many sends one is signalled: each of the latency tools and of large messages. */
    public static int cqMod(Tool tool, long size) {
        return tool.isLatency() || size > UNMODERATED_SIZE ? 1 : CQ_MOD;
    }
}
