package dev.clockwire.nic.regs;

import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.reg.RegisterArray;
import dev.clockwire.sim.reg.RegisterBank;
import dev.clockwire.sim.state.Snapshot;
import java.util.function.IntConsumer;

/**
 * The MSI-X table and its pending bits. An interrupt of a masked vector waits as its pending bit, and is sent when the vector, the
 * function and MSI-X as a whole let it pass.
 */
public final class MsixTable {
    /** Vectors of the device. */
    public static final int VECTORS = 2048;
    /** Offset of the pending bits. */
    public static final int PENDING = 0x8000;

    private static final int ENTRY = 16;
    private static final int BITS = 32;
    private static final int BYTES = PENDING + VECTORS / 8;

    private final ConfigSpace config;
    private final RegisterBank bank;
    private final RegisterArray low;
    private final RegisterArray high;
    private final RegisterArray message;
    private final RegisterArray control;
    private final RegisterArray pending;
    private final IntConsumer send;
    private int waiting;

    /** Creates the table with every vector masked; {@code send} gets vectors that were pending and may be sent now. */
    MsixTable(SimNode owner, ConfigSpace config, IntConsumer send) {
        this.config = config;
        this.send = send;
        bank = new RegisterBank(owner, "msix", BYTES, "BAR4: interrupt vectors");
        low = bank.array32(0, ENTRY, VECTORS, "MSG_ADDR", "Where the message goes, lower half");
        low.element().rw("address", 2, 30, 0, "Bits 31:2");
        high = bank.array32(4, ENTRY, VECTORS, "MSG_ADDR_HI", "Where the message goes, upper half");
        high.element().rw("address", 0, 32, 0, "Bits 63:32");
        message = bank.array32(8, ENTRY, VECTORS, "MSG_DATA", "The message");
        message.element().rw("data", 0, 32, 0, "4 bytes");
        control = bank.array32(12, ENTRY, VECTORS, "VECTOR_CONTROL", "Mask of the vector");
        control.element().rw("mask", 0, 1, 1, "No message is sent");
        control.onWrite((vector, x) -> release(vector));
        pending = bank.array32(PENDING, 4, VECTORS / BITS, "PBA", "Interrupts that wait, a bit for each vector");
        pending.element().ro("pending", 0, 32, 0, "Bit i of word n: vector 32 n + i");
    }

    RegisterBank bank() {
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
    boolean request(int vector) {
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
    long address(int vector) {
        return low.get(vector) | (high.get(vector) << BITS);
    }

    /** Returns whether the message of any vector goes to an address. */
    public boolean isTarget(long address) {
        for (int v = 0; v < VECTORS; v++) {
            if (address(v) == address) {
                return true;
            }
        }
        return false;
    }

    /** Returns the message of a vector. */
    int data(int vector) {
        return (int) message.get(vector);
    }

    /** Returns whether an interrupt of a vector waits. */
    public boolean isPending(int vector) {
        return (pending.get(vector / BITS) >> vector % BITS & 1) != 0;
    }

    /** Returns whether any interrupt waits. */
    boolean anyPending() {
        return waiting > 0;
    }

    private boolean passes(int vector) {
        return config.vectorsEnabled() && !config.vectorsMasked() && (control.get(vector) & 1) == 0;
    }

    /** Sends what waits and may pass now. */
    void release() {
        for (int v = 0; waiting > 0 && v < VECTORS; v++) {
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

    void save(Snapshot out) {
        bank.save(out);
        out.putInt(waiting);
    }

    void load(Snapshot in) {
        bank.load(in);
        waiting = in.getInt();
    }
}
