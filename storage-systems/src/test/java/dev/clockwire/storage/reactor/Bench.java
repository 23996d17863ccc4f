package dev.clockwire.storage.reactor;

import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostDepth;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.pcie.host.SchedSpec;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reactors on a host with a device that writes. Their own costs are round numbers. */
final class Bench {
    static final long EVENTS = 5_000;
    static final long MESSAGES = 3_000;
    static final long CALL = 2_000;
    static final long HANDLE = 10_000;
    static final long SEND = 7_000;
    static final long CROSS = 70_000;
    static final ReactorSpec SPEC =
            new ReactorSpec(EVENTS, MESSAGES, CALL, HANDLE, SEND, CROSS, false, 16_383, 262_143, 1_024);

    final Sim sim;
    final Host host;
    final Reactors reactors;
    final PcieEndpoint endpoint;
    final Allocation memory;
    final List<String> log = new ArrayList<>();
    private final Device device;

    Bench(KernelMode mode, int cores, ReactorSpec spec) {
        this(mode, cores, spec, null);
    }

    Bench(KernelMode mode, int cores, ReactorSpec spec, @Nullable SchedSpec sched) {
        sim = new Sim(SimSpec.of(1).withMode(mode));
        HostSpec hostSpec = HostSpec.server().withDepth(HostDepth.NONE.withSched(sched));
        host = new Host(sim.root(), "host0", hostSpec, CpuSpec.server(), PayloadMode.BYTES);
        reactors = new Reactors(host, CoreMask.first(cores), spec);
        endpoint = new PcieEndpoint(sim.root(), "nic0", PcieLinkSpec.of(4, 16), 0x100);
        device = new Device(sim.root());
        host.attach(endpoint, 0);
        memory = host.memory().allocate("rings", 1 << 16, Allocation.Kind.REAL, 4096);
    }

    Reactor reactor() {
        return reactors.reactor(0);
    }

    /** Has the device write a byte. */
    void write(long at, long address, int value) {
        DmaWrite w = new DmaWrite();
        w.address = address;
        w.length = 1;
        w.data.appendBytes(new byte[] {(byte) value}, 0, 1);
        w.donePort = device.back;
        endpoint.writePort().send(at, 0, 0, 0, w);
    }

    void note(String what) {
        log.add(what + "@" + reactors.now());
    }

    private static final class Device extends SimNode {
        final EventPort back;

        Device(Scope parent) {
            super(parent, "device");
            back = new EventPort(this, "back") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {}
            };
        }
    }
}
