package dev.clockwire.pcie.fabric;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.endpoint.WindowMemory;
import dev.clockwire.pcie.endpoint.WindowSpec;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.pcie.host.RootPort;
import dev.clockwire.pcie.link.LinkRate;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A host with a switch and devices behind it, each with some memory in its window. */
final class FabricRig {
    static final int WINDOW = 4096;
    static final int LARGE = 1 << 17;

    final Sim sim;
    final Host host;
    final PcieSwitch fabric;
    final RootPort port;
    final List<Device> devices = new ArrayList<>();
    final Allocation memory;

    FabricRig(SimSpec spec, PcieSwitchSpec how, PcieLinkSpec up, PcieLinkSpec... down) {
        this(spec, how, null, up, down);
    }

    /** The same with memory of {@link #LARGE} bytes in a second window of each device, if it is said how fast it is. */
    FabricRig(SimSpec spec, PcieSwitchSpec how, @Nullable WindowSpec large, PcieLinkSpec up, PcieLinkSpec... down) {
        sim = new Sim(spec);
        host = new Host(sim.root(), "host0", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
        fabric = new PcieSwitch(sim.root(), "switch0", how, up, 0x100);
        for (PcieLinkSpec link : down) {
            Device d = new Device(sim, devices.size(), link, large);
            devices.add(d);
            fabric.attach(d.endpoint);
        }
        port = host.attach(fabric, 0);
        memory = host.memory().allocate("real", 1 << 18, Allocation.Kind.REAL, 4096);
    }

    /** What a read has brought. */
    static byte[] content(DmaRead r) {
        byte[] data = new byte[r.length];
        r.into.copyTo(0, data, 0, r.length);
        return data;
    }

    /** How long some bytes of data, or none, take on a link. */
    static double line(PcieLinkSpec link, int dataDw, boolean wide) {
        LinkRate rate = LinkRate.of(link);
        return (double) rate.num() * link.wireBytes(wide, dataDw) / rate.den();
    }

    long large(int device) {
        return devices.get(device).endpoint.barAddress(2);
    }

    long window(int device) {
        return devices.get(device).endpoint.barAddress(0);
    }

    /** An endpoint whose window is memory, and what it was told to do. */
    static final class Device extends SimNode implements State {
        final PcieEndpoint endpoint;
        final byte[] memory = new byte[WINDOW];
        int stores;

        @Nullable
        final WindowMemory large;

        private final EventPort back;

        Device(Sim sim, int index, PcieLinkSpec link) {
            this(sim, index, link, null);
        }

        Device(Sim sim, int index, PcieLinkSpec link, @Nullable WindowSpec how) {
            super(sim.root(), "device" + index);
            state(this);
            back = new EventPort(this, "back") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {}
            };
            EventPort store = new EventPort(this, "store") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token instanceof MmioWrite w) {
                        System.arraycopy(w.data, 0, memory, (int) w.offset, w.length);
                        stores++;
                    }
                }
            };
            endpoint = new PcieEndpoint(sim.root(), "ep" + index, link, 0x300 + 0x100 * index);
            endpoint.bar(new BarSpec(0, WINDOW, true));
            endpoint.registers(0, 0, WINDOW, store, (bar, offset, n) -> load((int) offset, n), 20_000);
            if (how != null) {
                endpoint.bar(new BarSpec(2, LARGE, true));
            }
            large = how == null ? null : endpoint.memory(2, 0, LARGE, how);
        }

        private long load(int offset, int n) {
            long x = 0;
            for (int i = n - 1; i >= 0; i--) {
                x = x << 8 | (memory[offset + i] & 0xff);
            }
            return x;
        }

        /** What is in the large window. */
        byte[] content(long offset, int length) {
            Payload p = new Payload();
            Objects.requireNonNull(large).peek(offset, length, p);
            byte[] data = new byte[length];
            p.copyTo(0, data, 0, length);
            return data;
        }

        DmaRead read(long at, long address, int length) {
            return read(endpoint.readPort(), at, address, length);
        }

        DmaRead read(EventPort port, long at, long address, int length) {
            DmaRead r = new DmaRead();
            r.address = address;
            r.length = length;
            r.window = 16;
            r.replyPort = back;
            port.send(at, 0, 0, 0, r);
            return r;
        }

        DmaWrite write(long at, long address, byte[] data) {
            return write(endpoint.writePort(), at, address, data);
        }

        DmaWrite write(EventPort port, long at, long address, byte[] data) {
            DmaWrite w = new DmaWrite();
            w.address = address;
            w.length = data.length;
            w.data.appendBytes(data, 0, data.length);
            return write(port, at, w);
        }

        DmaWrite write(EventPort port, long at, DmaWrite w) {
            w.donePort = back;
            port.send(at, 0, 0, 0, w);
            return w;
        }

        @Override
        public void save(Snapshot out) {
            out.putBytes(memory, 0, WINDOW);
            out.putInt(stores);
        }

        @Override
        public void load(Snapshot in) {
            in.getBytes(memory, 0, WINDOW);
            stores = in.getInt();
        }
    }
}
