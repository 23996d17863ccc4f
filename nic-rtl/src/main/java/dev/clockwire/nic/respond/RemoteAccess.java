package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.ResponderEnv;
import dev.clockwire.roce.transport.Syndrome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers the transport's questions about keys and receive WQEs of the queue pair at hand. */
final class RemoteAccess implements ResponderEnv {
    /** The key of an access that was granted has been taken away since. */
    static final long GONE = -1;

    private static final int WRITE = AccessFlag.LOCAL_WRITE.code();
    private static final int MAX_SEGMENTS = 64;

    private final ContextTable table;
    private final long[] physical = new long[MAX_SEGMENTS];
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
        MemoryKey key = table.keys().remote(queue().qp.pd, queue().qp.qpn, rkey, va, length, access);
        return key == null ? Syndrome.NAK_REMOTE_ACCESS : GRANTED;
    }

    /** Returns where in memory an access goes; -1 if what was granted at the first packet is not any more. */
    long physical(int rkey, long va, long length, AccessFlag right) {
        MemoryKey key = table.keys().remote(queue().qp.pd, queue().qp.qpn, rkey, va, length, right.code());
        return key == null ? GONE : key.translate(va);
    }

    /** Whether the buffers of the receive WQE at hand may be written by this queue pair; notes where in memory they lie. */
    boolean localWritable() {
        for (int i = 0; i < queue().segments(); i++) {
            long length = queue().length(i);
            if (length != 0) {
                MemoryKey key = table.keys().local(queue().qp.pd, queue().lkey(i), queue().va(i), length, WRITE);
                if (key == null) {
                    return false;
                }
                physical[i] = key.translate(queue().va(i));
            }
        }
        return true;
    }

    /** Returns where in memory a segment of the receive WQE lies that {@link #localWritable} allowed. */
    long segment(int i) {
        return physical[i];
    }

    /** Whether a peer may take a key away. */
    boolean mayInvalidate(int key) {
        return table.keys().mayInvalidate(queue().qp.pd, queue().qp.qpn, key);
    }

    @Override
    public boolean receiveAvailable() {
        return queue().wqes.available() > 0;
    }

    @Override
    public int receivesPosted() {
        return queue().posted();
    }

    @Override
    public long receiveCapacity() {
        return queue().hasReceive() ? queue().capacity() : Long.MAX_VALUE;
    }
}
