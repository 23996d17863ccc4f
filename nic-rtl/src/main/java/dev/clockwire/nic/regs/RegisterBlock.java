package dev.clockwire.nic.regs;

import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Token;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out stores into the register windows, and sends interrupts that were pending. It has no clock: a store takes effect between
 * two cycles, so no block sees half of one.
 */
public final class RegisterBlock extends SimNode {
    /** Time from a read's arrival to its answer: ten cycles at 250 MHz. */
    public static final long READ_PS = 40_000;

    private static final int MESSAGE_BYTES = 4;

    private final EventPort stores;
    private final EventPort release;
    private final EventPort refills;
    private final EventPort writes;
    private @Nullable NicRegisters registers;

    /**
     * Creates the block.
     *
     * @param writes the endpoint's port for messages
     * @param recycle takes stores that are done
     */
    public RegisterBlock(Scope parent, EventPort writes, Consumer<MmioWrite> recycle) {
        super(parent, "registers");
        this.writes = writes;
        stores = new EventPort(this, "stores") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                NicRegisters r = registers;
                if (r != null && token instanceof MmioWrite w) {
                    r.write(w.bar, w.offset, w.data, w.length);
                    recycle.accept(w);
                }
            }
        };
        refills = new EventPort(this, "refills") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                NicRegisters r = registers;
                if (r != null && a < r.rates().count()) {
                    r.rates().refilled((int) a, b);
                }
            }
        };
        release = new EventPort(this, "release") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                NicRegisters r = registers;
                if (r != null) {
                    r.vectors().release();
                }
            }
        };
    }

    /** Returns the port for refills of token buckets: a = number of the bucket, b = cycle. */
    public EventPort refills() {
        return refills;
    }

    /** Says whose stores these are. */
    public void connect(NicRegisters to) {
        registers = to;
    }

    /** Returns the port for stores into the windows. */
    public EventPort stores() {
        return stores;
    }

    /** Looks for interrupts that may pass now, because the configuration has changed. */
    public void configurationChanged() {
        NicRegisters r = registers;
        if (r != null && r.vectors().anyPending()) {
            release.send(now() + 1, 0, 0, 0);
        }
    }

    /** Sends the message of a vector. */
    public void send(int vector) {
        NicRegisters r = registers;
        if (r == null) {
            return;
        }
        DmaWrite w = new DmaWrite(); // rare: only what had to wait
        w.address = r.vectors().address(vector);
        w.length = MESSAGE_BYTES;
        int x = r.vectors().data(vector);
        w.data.appendBytes(
                new byte[] {(byte) x, (byte) (x >> 8), (byte) (x >> 16), (byte) (x >> 24)}, 0, MESSAGE_BYTES);
        writes.send(now() + 1, 0, 0, 0, w);
    }
}
