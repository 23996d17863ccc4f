package dev.clockwire.bench.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SoloLab;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.bdev.BdevChannel;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.bdev.MallocBdev;
import dev.clockwire.storage.nvmf.subsystem.NamespaceSpec;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.nvmf.target.NvmfTarget;
import dev.clockwire.storage.nvmf.target.TargetSpec;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The simulated target as the captured one was: names, identifiers, and what its disk held. */
final class ReplayTarget {
    private static final String NQN = "nqn.2024-01.example:rxe";
    private static final int BLOCK = 512;
    private static final int BLOCKS = 8192;
    private static final int CHUNK = 1 << 16;
    static final long STEP = 2_000_000;

    final CapturedHost host;
    final SoloLab lab;
    private final MallocBdev disk;
    private final StorageThread io;
    private final List<Runnable> jobs = new ArrayList<>();
    private final MsgFn job;

    ReplayTarget(Path file, boolean soft) {
        PortAddress address = new PortAddress(0x5254_0000_000EL, 0x0A00_0002, 0xFD00L << 48, 2);
        LabSpec spec = LabSpec.of(1);
        CapturedHost[] made = new CapturedHost[1];
        lab = SoloLab.of(
                Profiles.named(Profiles.DEFAULT),
                soft ? spec.withSoft(SoftSpec.usual()) : spec,
                address,
                (root, end) -> made[0] = new CapturedHost(root, end));
        host = made[0];
        host.read(file);
        lab.neighbours().add(Gid.ofIpv4(0x0A00_0001), host.steps.get(0).packet.flow.srcMac);
        Reactors reactors = new Reactors(lab.host().host(), CoreMask.first(1), ReactorSpec.server());
        Bdevs bdevs = new Bdevs(reactors, BdevSpec.server());
        io = reactors.thread("filler");
        job = reactors.function("job", (i, b) -> jobs.get((int) i).run());
        NvmfTarget target = new NvmfTarget(reactors, bdevs, reactors.thread("app_thread"), TargetSpec.linux());
        target.addDevice(lab.host().device());
        target.createTransport(
                TransportSpec.linux().withBuffers(8192, 64, 1 << 20, 8).withAcceptor(20_000_000, 100));
        Subsystem s = target.createSubsystem(SubsystemSpec.of(NQN)
                .withNames("RXETEST0001", "RXE test target")
                .withNamespaces(1024)
                .withAnyHost(true));
        disk = new MallocBdev(bdevs, "ram0", BLOCK, BLOCKS);
        s.addNamespace(
                disk,
                new NamespaceSpec(1, "00112233445566778899aabbccddee00", "", "00112233-4455-6677-8899-aabbccddeeff"));
        target.addListener(s, TransportId.rdma("10.0.0.2", 4420));
        while (!target.isReady()) {
            lab.sim().run(lab.sim().now() + STEP);
        }
    }

    private void on(Runnable what) {
        jobs.add(what);
        io.sendMsg(job, jobs.size() - 1, 0);
        lab.sim().run(lab.sim().now() + 100 * STEP);
    }

    /** Fills the disk as the captured one was: each block holds its number as eight bytes, the highest first, 64 times. */
    void fill() {
        AddressSpace memory = lab.host().host().memory();
        Allocation buffer = memory.allocate("fill", CHUNK, Allocation.Kind.REAL, 4096);
        BdevChannel[] channel = new BdevChannel[1];
        on(() -> channel[0] = io.channels().get(disk).context());
        int blocks = CHUNK / BLOCK;
        for (int lba = 0; lba < BLOCKS; lba += blocks) {
            for (int i = 0; i < CHUNK; i += 8) {
                memory.putLongBe(buffer.address() + i, lba + i / BLOCK);
            }
            int at = lba;
            on(() -> assertEquals(0, channel[0].write(at, blocks, buffer.address(), (tag, how) -> {}, 0)));
        }
    }

    byte[] read(int lba, int blocks) {
        AddressSpace memory = lab.host().host().memory();
        Allocation buffer = memory.allocate("read", (long) blocks * BLOCK, Allocation.Kind.REAL, 4096);
        on(() -> io.channels().get(disk).context().read(lba, blocks, buffer.address(), (tag, how) -> {}, 0));
        byte[] b = new byte[blocks * BLOCK];
        memory.getBytes(buffer.address(), b, 0, b.length);
        return b;
    }
}
