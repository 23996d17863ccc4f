package dev.clockwire.nic.driver;

import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;

/** A core that takes no time: it has a memory, and remembers what it stored to devices and was charged. */
final class CountingCpu implements Cpu {
    final AddressSpace memory = new AddressSpace("memory", PayloadMode.BYTES);
    final List<String> stores = new ArrayList<>();
    final List<String> charges = new ArrayList<>();
    int woken;

    /** Returns the address of new memory. */
    long place(long bytes) {
        return memory.allocate("ring", bytes, Allocation.Kind.REAL).address();
    }

    @Override
    public String name() {
        return "cpu";
    }

    @Override
    public long now() {
        return 0;
    }

    @Override
    public void charge(long ps) {
        charges.add(ps + " ps");
    }

    @Override
    public void charge(HostCost what, long count) {
        charges.add(what + " " + count);
    }

    @Override
    public AddressSpace memory() {
        return memory;
    }

    @Override
    public void mmioWrite(long address, long value, int size) {
        stores.add(Long.toHexString(address) + " = " + Long.toHexString(value) + " : " + size);
    }

    @Override
    public void mmioWrite(long address, byte[] data, int off, int len) {
        stores.add(Long.toHexString(address) + " < " + data[off] + " .. " + data[off + len - 1] + " : " + len);
    }

    @Override
    public void wake() {
        woken++;
    }
}
