package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.MemoryKey;
import dev.clockwire.roce.transport.ResponderEnv;
import dev.clockwire.roce.transport.Syndrome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers the transport's questions about keys and receive WQEs of the queue pair at hand. */
final class RemoteAccess implements ResponderEnv {
    private final ContextTable table;
    private @Nullable ReceiveQueue present;

    RemoteAccess(ContextTable table) {
        this.table = table;
    }

    RemoteAccess of(ReceiveQueue queue) {
        present = queue;
        return this;
    }

    private ReceiveQueue queue() {
        return Objects.requireNonNull(present);
    }

    @Override
    public int checkRemote(int rkey, long va, long length, int access) {
        MemoryKey key = table.key(rkey);
        boolean good =
                key != null && key.pd() == queue().qp.pd && key.covers(va, length) && (key.access() & access) == access;
        return good ? GRANTED : Syndrome.NAK_REMOTE_ACCESS;
    }

    /** Whether the buffers of the receive WQE at hand may be written by this queue pair. */
    boolean localWritable(int access) {
        for (int i = 0; i < queue().segments(); i++) {
            if (queue().length(i) != 0) {
                MemoryKey key = table.key(queue().lkey(i));
                boolean good = key != null
                        && key.pd() == queue().qp.pd
                        && key.covers(queue().va(i), queue().length(i))
                        && (key.access() & access) == access;
                if (!good) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public boolean receiveAvailable() {
        return queue().available() > 0;
    }

    @Override
    public long receiveCapacity() {
        return queue().available() > 0 ? queue().capacity() : Long.MAX_VALUE;
    }
}
