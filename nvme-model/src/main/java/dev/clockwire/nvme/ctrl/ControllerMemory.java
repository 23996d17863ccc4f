package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.regs.MemoryRegisters;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.endpoint.WindowMemory;
import dev.clockwire.sim.EventPort;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the controller that others reach: the controller memory buffer and the persistent memory region. Queues, lists and data that lie there
 * need no PCIe. The host says at which addresses the controller is to look for them (CMBMSC, PMRMSC).
 */
final class ControllerMemory {
    static final int CMB_BAR = 2;
    static final int PMR_BAR = 4;

    private final MemoryRegisters registers;
    private final @Nullable Part buffer;
    private final @Nullable Part region;

    ControllerMemory(MemoryRegisters registers, PcieEndpoint endpoint, MemorySpec spec) {
        this.registers = registers;
        buffer = Part.of(endpoint, CMB_BAR, spec.cmbBytes(), spec);
        region = Part.of(endpoint, PMR_BAR, spec.pmrBytes(), spec);
        if (region != null) {
            region.memory.shut();
        }
    }

    /** One of the two, and the controller's way to it. */
    private record Part(int bar, WindowMemory memory, EventPort reads, EventPort writes) {
        static @Nullable Part of(PcieEndpoint endpoint, int bar, long bytes, MemorySpec spec) {
            if (bytes == 0) {
                return null;
            }
            WindowMemory memory = endpoint.memory(bar, 0, bytes, spec.speed());
            return new Part(bar, memory, memory.readPort("nvme"), memory.writePort("nvme"));
        }

        boolean has(long offset, int length) {
            return offset >= 0 && offset <= memory.bytes() - length;
        }
    }

    private @Nullable Part at(long address, int length) {
        Part b = buffer;
        if (b != null && registers.cmbEnabled() && b.has(address - registers.cmbBase(), length)) {
            return b;
        }
        Part r = region;
        return r != null && registers.pmrEnabled() && r.has(address - registers.pmrBase(), length) ? r : null;
    }

    /** Whether a range that the controller is told of lies here. */
    boolean has(long address, int length) {
        return at(address, length) != null;
    }

    private long offset(Part part, long address) {
        return address - (part.bar == CMB_BAR ? registers.cmbBase() : registers.pmrBase());
    }

    /** Sends a read there at a time if its range is one that means it; returns whether it did. */
    boolean read(DmaRead r, long at) {
        Part part = at(r.address, r.length);
        if (part == null) {
            return false;
        }
        r.address = offset(part, r.address);
        part.reads.send(at, 0, 0, 0, r);
        return true;
    }

    /** Sends a write there at a time if its range is one that means it; returns whether it did. */
    boolean write(DmaWrite w, long at) {
        Part part = at(w.address, w.length);
        if (part == null) {
            return false;
        }
        w.address = offset(part, w.address);
        part.writes.send(at, 0, 0, 0, w);
        return true;
    }

    /** Opens or shuts the persistent memory region. */
    void open(boolean is) {
        if (region != null) {
            region.memory.open(is);
        }
    }

    /** Returns the controller memory buffer, null if there is none. */
    @Nullable
    WindowMemory buffer() {
        return buffer == null ? null : buffer.memory;
    }

    /** Returns the persistent memory region, null if there is none. */
    @Nullable
    WindowMemory region() {
        return region == null ? null : region.memory;
    }
}
