package dev.clockwire.nic.device;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.doorbell.DoorbellBlock;
import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.doorbell.UarLayout;
import dev.clockwire.nic.offload.NvmeOffload;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.nic.regs.RegisterBlock;
import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.endpoint.PcieEndpoint;

/** The windows of a NIC: what its configuration space says of them, and who is behind them. */
final class NicWindows {
    private static final int VENDOR = 0x15B3;
    private static final int DEVICE = 0x1021;
    private static final int CLASS = 0x02_0000;
    private static final int SUBSYSTEM = 0x0023_15B3;

    /** Where the window of the NVMe-oF offload begins in the doorbells' BAR: the SSD's completion ring. */
    static final long OFFLOAD = 2 * UarLayout.WINDOW;

    /** Behind the completions a page for stores of software. */
    static final long OFFLOAD_BYTES = NvmeOffload.COMPLETIONS + 4096;

    private NicWindows() {}

    /** Claims the windows, in the order in which the host places them, and describes them in the configuration space. */
    static ConfigSpace configure(PcieEndpoint endpoint, NicSpec spec) {
        long memory = spec.deviceMemoryBytes() > 0 ? UarLayout.WINDOW : 0;
        memory = spec.offload().exists() ? OFFLOAD + UarLayout.WINDOW : memory;
        boolean wide = !spec.bar32();
        endpoint.bar(new BarSpec(Uar.BAR, UarLayout.WINDOW + memory, true, wide));
        endpoint.bar(new BarSpec(NicRegisters.BAR, NicRegisters.BAR_BYTES, false, wide));
        if (!wide) {
            endpoint.bar(new BarSpec(NicRegisters.FURTHER_BAR, NicRegisters.FURTHER_BAR_BYTES, false, false));
        }
        endpoint.bar(new BarSpec(NicRegisters.VECTOR_BAR, NicRegisters.VECTOR_BAR_BYTES, false, wide));
        return endpoint.configure(new ConfigSpec(
                VENDOR,
                DEVICE,
                0,
                CLASS,
                SUBSYSTEM,
                endpoint.barSpecs(),
                NicRegisters.VECTORS,
                NicRegisters.VECTOR_BAR,
                0,
                NicRegisters.PENDING,
                spec.payloadSupported(),
                endpoint.link(),
                spec.lanesSupported()));
    }

    /** Says who is behind the window of the offload, which cannot be read. */
    static void openOffload(PcieEndpoint endpoint, NvmeOffload offload) {
        endpoint.region(Uar.BAR, OFFLOAD, OFFLOAD_BYTES, offload.stores(), null, 1);
    }

    /** Says who is behind the windows. Doorbells cannot be read: they read as zero. */
    static void open(
            PcieEndpoint endpoint,
            NicSpec spec,
            DoorbellBlock doorbell,
            ChipMemory memory,
            NicRegisters registers,
            RegisterBlock block) {
        long readPs = RegisterBlock.READ_PS;
        endpoint.region(Uar.BAR, 0, UarLayout.WINDOW, doorbell.mmio(), (bar, at, n) -> 0, readPs);
        if (spec.deviceMemoryBytes() > 0) {
            endpoint.region(Uar.BAR, UarLayout.WINDOW, memory.window(), memory.stores(), null, 1);
        }
        long csr = NicRegisters.BAR_BYTES;
        endpoint.registers(NicRegisters.BAR, 0, csr, block.stores(), registers::read, readPs);
        if (spec.bar32()) {
            long further = NicRegisters.FURTHER_BAR_BYTES;
            endpoint.registers(NicRegisters.FURTHER_BAR, 0, further, block.stores(), registers::read, readPs);
        }
        long vectors = NicRegisters.VECTOR_BAR_BYTES;
        endpoint.registers(NicRegisters.VECTOR_BAR, 0, vectors, block.stores(), registers::read, readPs);
    }
}
