package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * A message-signalled interrupt: a device writes to an address, and the handler runs when that write can be seen in memory, behind all
 * that the device wrote before.
 */
public final class InterruptVector extends EventPort {
    private static final int MESSAGE_BYTES = 4;

    private final Host host;
    private final Runnable handler;
    private long address;

    InterruptVector(Host host, String name, Runnable handler) {
        super(host, name);
        this.host = host;
        this.handler = handler;
    }

    /** Sets the address; 4 bytes of memory that nobody else uses. */
    public void at(long messageAddress) {
        address = messageAddress;
    }

    /** Returns whether a write is this interrupt's message. */
    boolean takes(long va, int bytes) {
        return va == address && bytes == MESSAGE_BYTES;
    }

    /** Looks for the message among packets that have arrived. */
    void arrived(TlpTrain train, int from, int to) {
        if (address != 0) {
            long committed = CommitQueue.firstTo(address, MESSAGE_BYTES, train, from, to);
            if (committed != Long.MAX_VALUE) {
                send(Math.max(committed, host.now()) + 1, 0, 0, 0);
            }
        }
    }

    @Override
    protected void event(int kind, long a, long b, @Nullable Token token) {
        handler.run();
    }
}
