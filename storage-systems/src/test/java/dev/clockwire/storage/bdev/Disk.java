package dev.clockwire.storage.bdev;

import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;

/** One thread of one reactor, the layer, and memory for data. */
final class Disk {
    static final int BLOCK = 512;
    static final BdevSpec SPEC = new BdevSpec(40_000, 30_000, 10_000_000, 65_535, 256, false);

    final Sim sim;
    final Host host;
    final Reactors reactors;
    final Bdevs bdevs;
    final StorageThread thread;
    final Allocation data;
    final List<String> log = new ArrayList<>();
    private final List<Runnable> jobs = new ArrayList<>();
    private final MsgFn job;

    Disk(KernelMode mode, BdevSpec spec) {
        sim = new Sim(SimSpec.of(1).withMode(mode));
        host = new Host(sim.root(), "host0", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
        reactors = new Reactors(host, CoreMask.first(1), ReactorSpec.server());
        bdevs = new Bdevs(reactors, spec);
        thread = reactors.thread("io");
        data = host.memory().allocate("data", 1 << 20, Allocation.Kind.BULK, 4096);
        job = reactors.function("job", (i, b) -> jobs.get((int) i).run());
    }

    /** Runs something on the thread, and the simulation for some time. */
    void on(long ps, Runnable what) {
        jobs.add(what);
        thread.sendMsg(job, jobs.size() - 1, 0);
        sim.run(sim.now() + ps);
    }

    /** Opens a channel. */
    BdevChannel open(Bdev bdev) {
        on(1_000_000, () -> thread.channels().get(bdev));
        var channel = thread.channels().find(bdev);
        if (channel == null) {
            throw new AssertionError(bdev);
        }
        return channel.context();
    }

    void done(long tag, BdevStatus status) {
        log.add(tag + " " + status);
    }

    long va(int block) {
        return data.address() + (long) BLOCK * block;
    }

    void fill(int block, int blocks, int value) {
        byte[] b = new byte[blocks * BLOCK];
        for (int i = 0; i < b.length; i++) {
            b[i] = (byte) (value + i / BLOCK * 3 + i);
        }
        host.memory().putBytes(va(block), b, 0, b.length);
    }

    byte[] bytes(int block, int blocks) {
        byte[] b = new byte[blocks * BLOCK];
        host.memory().getBytes(va(block), b, 0, b.length);
        return b;
    }
}
