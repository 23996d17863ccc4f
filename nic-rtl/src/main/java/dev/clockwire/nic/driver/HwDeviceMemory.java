package dev.clockwire.nic.driver;

import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.DeviceMemoryProvider;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;

/** A piece of the device's SRAM: written by stores into a window, read by loads, of which each waits for its answer. */
final class HwDeviceMemory implements DeviceMemoryProvider {
    private final HwDevice device;
    private final Cpu cpu;
    private final Allocation piece;
    private final Payload found = new Payload();
    private byte[] bytes = {};

    HwDeviceMemory(HwDevice device, Cpu cpu, Allocation piece) {
        this.device = device;
        this.cpu = cpu;
        this.piece = piece;
    }

    long address() {
        return piece.address();
    }

    @Override
    public void copyTo(long offset, long address, int length) {
        if (bytes.length < length) {
            bytes = new byte[length];
        }
        cpu.memory().getBytes(address, bytes, 0, length);
        cpu.charge(HostCost.COPY_BYTE, length);
        cpu.mmioWrite(device.nic().chipMemoryAddress(piece.address() + offset), bytes, 0, length);
    }

    @Override
    public void copyFrom(long address, long offset, int length) {
        found.clear();
        device.nic().chipMemory().read(piece.address() + offset, length, found);
        cpu.memory().write(address, found, 0, length);
        long loads = (length + 7L) / Long.BYTES;
        cpu.charge(loads * device.loadPs());
        cpu.charge(HostCost.COPY_BYTE, length);
    }

    @Override
    public void free(Completion<Integer> done) {
        device.commands().submit(() -> {
            device.nic().chipMemory().free(piece);
            done.complete(0);
        });
    }
}
