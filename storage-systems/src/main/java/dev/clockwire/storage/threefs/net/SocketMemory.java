package dev.clockwire.storage.threefs.net;

import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;

/** What the connections of one incarnation of a node need only within a call, so that thousands of them do not have it each. */
public final class SocketMemory {
    final SendBatch sends = new SendBatch(1, IbSocket.SGES);
    final ReceiveBatch receives = new ReceiveBatch(1, 1);
    final byte[] bytes;

    /** Creates it for connections of a kind. */
    public SocketMemory(IbSocketSpec spec) {
        bytes = new byte[spec.bufferBytes()];
    }
}
