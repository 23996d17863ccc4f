package dev.clockwire.pcie.config;

import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.reg.RegisterArray;
import dev.clockwire.sim.reg.RegisterBank;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.function.IntConsumer;

/**
 * The MSI-X table and its pending bits. An interrupt of a masked vector waits as its pending bit, and is sent when the vector, the
 * function and MSI-X as a whole let it pass.
 */
public final class MsixTable implements State {
    private static final int ENTRY = 16;
    private static final int BITS = 32;

    private final ConfigSpace config;
    private final RegisterBank bank;
    private final RegisterArray low;
    private final RegisterArray high;
    private final RegisterArray message;
    private final RegisterArray control;
    private final RegisterArray pending;
    private final IntConsumer send;
    private final int vectors;
    private int waiting;

    /**
     * Creates the table with every vector masked.
     *
     * @param vectors of the device, a multiple of 32
     * @param pendingAt offset of the pending bits from the table on
     * @param title heading of the generated table of registers
     * @param send gets vectors that were pending and may be sent now
     */
    public MsixTable(SimNode owner, ConfigSpace config, int vectors, int pendingAt, String title, IntConsumer send) {
        this.config = config;
        this.send = send;
        this.vectors = vectors;
        bank = new RegisterBank(owner, "msix", pendingAt + vectors / Byte.SIZE, title);
        low = bank.array32(0, ENTRY, vectors, "MSG_ADDR", "Where the message goes, lower half");
        low.element().rw("address", 2, 30, 0, "Bits 31:2");
        high = bank.array32(4, ENTRY, vectors, "MSG_ADDR_HI", "Where the message goes, upper half");
        high.element().rw("address", 0, 32, 0, "Bits 63:32");
        message = bank.array32(8, ENTRY, vectors, "MSG_DATA", "The message");
        message.element().rw("data", 0, 32, 0, "4 bytes");
        control = bank.array32(12, ENTRY, vectors, "VECTOR_CONTROL", "Mask of the vector");
        control.element().rw("mask", 0, 1, 1, "No message is sent");
        control.onWrite((vector, x) -> release(vector));
        pending = bank.array32(pendingAt, 4, vectors / BITS, "PBA", "Interrupts that wait, a bit for each vector");
        pending.element().ro("pending", 0, 32, 0, "Bit i of word n: vector 32 n + i");
    }

    /** Returns the registers. */
    public RegisterBank bank() {
        return bank;
    }

    /** Sets up a vector as a driver does by stores: address, message, no mask. */
    public void program(int vector, long address, int data) {
        low.set(vector, address & 0xFFFF_FFFCL);
        high.set(vector, address >>> BITS);
        message.set(vector, data);
        control.set(vector, 0);
        release(vector);
    }

    /** Asks for an interrupt; false: it is pending, and is sent later by whoever unmasks it. */
    public boolean request(int vector) {
        if (passes(vector)) {
            return true;
        }
        long word = pending.get(vector / BITS);
        long bit = 1L << vector % BITS;
        waiting += (word & bit) == 0 ? 1 : 0;
        pending.set(vector / BITS, word | bit);
        return false;
    }

    /** Returns where the message of a vector goes. */
    public long address(int vector) {
        return low.get(vector) | (high.get(vector) << BITS);
    }

    /** Returns whether the message of any vector goes to an address. */
    public boolean isTarget(long address) {
        for (int v = 0; v < vectors; v++) {
            if (address(v) == address) {
                return true;
            }
        }
        return false;
    }

    /** Returns the message of a vector. */
    public int data(int vector) {
        return (int) message.get(vector);
    }

    /** Returns whether an interrupt of a vector waits. */
    public boolean isPending(int vector) {
        return (pending.get(vector / BITS) >> vector % BITS & 1) != 0;
    }

    /** Returns whether any interrupt waits. */
    public boolean anyPending() {
        return waiting > 0;
    }

    private boolean passes(int vector) {
        return config.vectorsEnabled() && !config.vectorsMasked() && (control.get(vector) & 1) == 0;
    }

    /** Sends what waits and may pass now. */
    public void release() {
        for (int v = 0; waiting > 0 && v < vectors; v++) {
            release(v);
        }
    }

    private void release(int vector) {
        if (isPending(vector) && passes(vector)) {
            pending.set(vector / BITS, pending.get(vector / BITS) & ~(1L << vector % BITS));
            waiting--;
            send.accept(vector);
        }
    }

    @Override
    public void save(Snapshot out) {
        bank.save(out);
        out.putInt(waiting);
    }

    @Override
    public void load(Snapshot in) {
        bank.load(in);
        waiting = in.getInt();
    }
}
