package dev.clockwire.bench.live;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where whole Ethernet frames, without FCS, come in from and go out to the world outside. */
interface FramePort extends AutoCloseable {
    /** The longest frame that fits, a jumbo frame with every header. */
    int MAX_FRAME = 1 << 16;

    /**
     * Waits for a frame.
     *
     * @param into is cleared; holds the frame from position 0 to its limit if there is one
     * @param millis to wait at most, 0 to look only
     * @return whether there was one
     */
    boolean receive(ByteBuffer into, long millis) throws IOException;

    /** Sends a frame; nobody may be there to take it. */
    void send(ByteBuffer frame) throws IOException;

    @Override
    void close() throws IOException;
}
