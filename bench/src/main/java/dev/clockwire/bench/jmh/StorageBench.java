package dev.clockwire.bench.jmh;

import dev.clockwire.bench.nvmf.ReadLoop;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.bdev.NvmeSsd;
import dev.clockwire.storage.nvmf.lab.NvmfLabSpec;
import dev.clockwire.storage.perf.BdevQueue;
import dev.clockwire.storage.perf.FabricStack;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time that the simulator takes for one read of 4 KiB from a {@code p5800x}, one at a time: through a reactor and its block device layer, or over
 * NVMe-oF, with the hosts, NICs and line of profile {@code cx7-400g}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class StorageBench {
    private static final String MEDIA = "p5800x";
    private static final long MOST_PS = 10_000_000_000_000L;
    private static final int SSD_ID = 0x0100;

    /** Where the program and the SSD are: in one host, or at the ends of a line. */
    @Param({"reactor", "nvmf"})
    private String path = "reactor";

    /** Whether data travel as bytes or as extents. */
    @Param({"BYTES", "SIZES"})
    private PayloadMode payload = PayloadMode.BYTES;

    private ReadLoop loop;

    /** Created by JMH. */
    public StorageBench() {}

    StorageBench(String path, PayloadMode payload) {
        this.path = path;
        this.payload = payload;
    }

    /** Builds and attaches everything; the reads begin. */
    @Setup
    public void build() {
        loop = path.equals("nvmf") ? overFabrics() : onReactor();
    }

    private ReadLoop overFabrics() {
        LabSpec lab = new LabSpec(SimSpec.of(1), payload, 0);
        NvmfLabSpec spec = NvmfLabSpec.spdk(Profiles.named(Profiles.DEFAULT), lab, List.of(NvmeSpec.of(MEDIA)));
        LocalSpec.Use usual = LocalSpec.Use.of(1);
        FabricStack stack = new FabricStack(
                spec, new LocalSpec.Use(1, 1, 0, usual.entries(), 0, false, usual.delayed(), false), null);
        stack.connect();
        PerfQueue queue = stack.queues().get(0);
        ReadLoop made = new ReadLoop(stack.sim(), queue);
        queue.start(made);
        return made;
    }

    private ReadLoop onReactor() {
        Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(0));
        Host host = new Host(sim.root(), "host", HostSpec.server(), CpuSpec.server(), payload);
        NvmeSpec spec = NvmeSpec.of(MEDIA);
        NamespaceSpec n = spec.namespaces().get(0);
        List<BlockStore> stores = List.of(new MemoryStore("ns1", n.blockBytes(), n.blocks(), payload));
        NvmeController ssd = new NvmeController(sim.root(), "ssd", spec, SSD_ID, stores);
        host.attach(ssd.endpoint(), 0);
        Reactors reactors = new Reactors(host, CoreMask.first(1), ReactorSpec.server());
        StorageThread thread = reactors.thread("app");
        Bdevs bdevs = new Bdevs(reactors, BdevSpec.server());
        sim.elaborate();
        NvmeSsd disk = new NvmeSsd(bdevs, "Nvme0", thread, ssd.endpoint().barAddress(0), NvmeSsd.Spec.of(1));
        List<ReadLoop> made = new ArrayList<>();
        MsgFn open = reactors.function("open", (a, b) -> {
            PerfQueue queue =
                    new BdevQueue(thread.channels().get(disk.devices().get(0)).context());
            ReadLoop reads = new ReadLoop(sim, queue);
            made.add(reads);
            queue.start(reads);
        });
        disk.attach(() -> thread.sendMsg(open, 0, 0));
        sim.runUntil(() -> !made.isEmpty(), MOST_PS);
        return made.get(0);
    }

    /** One read; returns its simulated time in ps. */
    @Benchmark
    public long read() {
        return loop.next();
    }
}
