package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.regs.NvmeRegisters;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The controller memory buffer, BAR 2: queues, lists and data that the controller reaches without PCIe. Hosts store into it line by line (64 B). As
 * of NVMe 1.4 the host says where the controller is to look for it (CMBMSC).
 */
final class ControllerMemory implements State {
    private static final int WORD = 8;

    private final NvmeRegisters registers;
    private final long bytes;
    private final AddressSpace space;
    private final long base;

    /** Creates memory of zeros; of no bytes if there is none. */
    ControllerMemory(NvmeRegisters registers, long bytes) {
        this.registers = registers;
        this.bytes = bytes;
        space = new AddressSpace("cmb", PayloadMode.BYTES);
        base = bytes == 0
                ? 0
                : space.allocate("cmb", bytes, Allocation.Kind.REAL).address();
    }

    /** Whether a range that the controller is told of lies here. */
    boolean has(long address, int length) {
        long from = address - registers.memoryBase();
        return registers.isMemoryEnabled() && from >= 0 && from <= bytes - length;
    }

    /** Appends what lies at an address that is here. */
    void read(long address, int length, Payload into) {
        space.read(base + address - registers.memoryBase(), length, into);
    }

    /** Stores at an address that is here. */
    void write(long address, Payload from, int off, int length) {
        space.write(base + address - registers.memoryBase(), from, off, length);
    }

    /** The host stores into the window. */
    void stored(MmioWrite w) {
        space.putBytes(base + w.offset, w.data, 0, w.length);
    }

    /** The host reads from the window. */
    long load(long offset, int length) {
        byte[] b = new byte[WORD];
        space.getBytes(base + offset, b, 0, length);
        long x = 0;
        for (int i = length - 1; i >= 0; i--) {
            x = x << 8 | (b[i] & 0xFF);
        }
        return x;
    }

    @Override
    public void save(Snapshot out) {
        space.save(out);
    }

    @Override
    public void load(Snapshot in) {
        space.load(in);
    }
}
