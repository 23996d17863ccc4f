package dev.clockwire.pcie.host;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A host with one core and one device that does what a test tells it. */
final class Rig {
    static final long WINDOW = 1 << 16;

    final Sim sim;
    final Host host;
    final CpuCore core;
    final PcieEndpoint endpoint;
    /** A second device of the same host, close to the other NUMA node. */
    final PcieEndpoint other;

    final Device device;
    final Stores stores;
    final RootPort port;
    final Allocation bulk;
    final Allocation real;

    Rig(SimSpec spec, PcieLinkSpec link, HostSpec hostSpec, CpuSpec cpu, PayloadMode mode) {
        this(spec, link, hostSpec, cpu, mode, null);
    }

    /** Creates a rig whose first device keeps translations. */
    Rig(SimSpec spec, PcieLinkSpec link, HostSpec hostSpec, CpuSpec cpu, PayloadMode mode, @Nullable AtsSpec ats) {
        sim = new Sim(spec);
        host = new Host(sim.root(), "host0", hostSpec, cpu, mode);
        core = host.addCore();
        endpoint = new PcieEndpoint(sim.root(), "nic0", link, 0x100);
        device = new Device(sim.root());
        stores = new Stores(sim.root());
        endpoint.window(
                new BarSpec(0, WINDOW, true),
                stores.inlet,
                (bar, offset, n) -> offset + 0x1122_3344_0000_0000L,
                30_000);
        if (ats != null) {
            endpoint.translate(ats, at -> false);
        }
        port = host.attach(endpoint, 0);
        other = new PcieEndpoint(sim.root(), "nic1", link, 0x200);
        host.attach(other, 1);
        bulk = host.memory().allocate("bulk", 1 << 24, Allocation.Kind.BULK, 4096);
        real = host.memory().allocate("real", 1 << 16, Allocation.Kind.REAL, 4096);
    }

    Rig(SimSpec spec, PcieLinkSpec link) {
        this(spec, link, HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
    }

    DmaRead read(long at, long address, int length, int flow, int window) {
        return read(endpoint, at, address, length, flow, window);
    }

    DmaRead read(PcieEndpoint device, long at, long address, int length, int flow, int window) {
        DmaRead r = new DmaRead();
        r.address = address;
        r.length = length;
        r.flow = flow;
        r.window = window;
        r.replyPort = this.device.back;
        device.readPort().send(at, 0, 0, 0, r);
        return r;
    }

    DmaWrite write(long at, long address, byte[] data) {
        return write(endpoint, at, address, data);
    }

    DmaWrite write(PcieEndpoint device, long at, long address, byte[] data) {
        DmaWrite w = new DmaWrite();
        w.address = address;
        w.length = data.length;
        w.data.appendBytes(data, 0, data.length);
        w.donePort = this.device.back;
        device.writePort().send(at, 0, 0, 0, w);
        return w;
    }

    /** A device without a clock: what comes back is remembered and handed to a test. */
    static final class Device extends SimNode {
        final EventPort back;
        final List<Token> done = new ArrayList<>();

        @Nullable
        Consumer<Token> reaction;

        Device(Scope parent) {
            super(parent, "device");
            back = new EventPort(this, "back") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token != null) {
                        done.add(token);
                        if (reaction != null) {
                            reaction.accept(token);
                        }
                    }
                }
            };
        }
    }

    /** A block that takes stores, as fast as it is told. */
    static final class Stores extends SimModule {
        final Inlet<MmioWrite> inlet;
        final List<MmioWrite> taken = new ArrayList<>();
        long from;

        Stores(Scope parent) {
            super(parent, "stores", new Clock(parent, "clk", Frequency.mhz(250)));
            inlet = new Inlet<>(this, "in", 4, 1);
        }

        @Override
        protected boolean tick(long cycle) {
            if (!inlet.valid(cycle)) {
                return false;
            }
            if (cycle < from) {
                wakeAt(from);
                return false;
            }
            taken.add(inlet.take(cycle));
            return true;
        }
    }
}
