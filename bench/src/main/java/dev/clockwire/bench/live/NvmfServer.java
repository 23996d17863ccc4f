package dev.clockwire.bench.live;

import dev.clockwire.bench.text.Count;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.bdev.IoStat;
import dev.clockwire.storage.bdev.MallocBdev;
import dev.clockwire.storage.nvmf.subsystem.NamespaceSpec;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.nvmf.target.NvmfTarget;
import dev.clockwire.storage.nvmf.target.TargetSpec;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.reactor.Reactors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A target of NVMe over RDMA with one namespace of 8 MiB; it ends when a host has been connected and is gone again. */
final class NvmfServer implements LiveProgram {
    static final String NQN = "nqn.2024-01.example:rxe";

    private static final String ADDRESS = "10.0.0.2";
    private static final int PORT = 4420;
    private static final int BLOCK = 512;
    private static final long BLOCKS = 16_384;
    private static final int SHARED_RECEIVES = 512;
    private static final long ACCEPTOR_PS = 1_000_000_000L;
    /** So long the last answer may be asked for again. */
    private static final long LINGER_PS = 500_000_000_000L;

    private final Station station;
    private final Consumer<String> events;
    private @Nullable NvmfTarget target;
    private @Nullable MallocBdev disk;
    private int known;
    private int served;
    private long overAt = Long.MAX_VALUE;

    NvmfServer(Station station, Consumer<String> events) {
        this.station = station;
        this.events = events;
    }

    @Override
    public void begin() {
        Reactors reactors = new Reactors(station.host(), CoreMask.first(1), ReactorSpec.server());
        Bdevs bdevs = new Bdevs(reactors, BdevSpec.server());
        NvmfTarget t = new NvmfTarget(reactors, bdevs, reactors.thread("app_thread"), TargetSpec.spdk());
        t.tell(events);
        t.addDevice(station.context().device());
        t.createTransport(TransportSpec.rdma()
                .withSrq(true, SHARED_RECEIVES)
                .withBuffers(8192, 512, 135_168, 64)
                .withAcceptor(ACCEPTOR_PS, 100));
        SubsystemSpec named = SubsystemSpec.of(NQN)
                .withNames("CLOCKWIRE0001", "Clockwire target")
                .withAnyHost(true);
        Subsystem s = t.createSubsystem(named);
        MallocBdev d = new MallocBdev(bdevs, "Malloc0", BLOCK, BLOCKS);
        s.addNamespace(d, NamespaceSpec.any());
        t.addListener(s, TransportId.rdma(ADDRESS, PORT));
        events.accept("target " + NQN + " at " + ADDRESS + " port " + PORT);
        target = t;
        disk = d;
    }

    @Override
    public void poll() {
        NvmfTarget t = target;
        if (t == null) {
            return;
        }
        int now = t.controllers(t.subsystem(NQN)).size();
        if (now != known) {
            events.accept(Count.of(now, "controller"));
            served += Math.max(0, now - known);
            known = now;
            overAt = now == 0 ? station.sim().now() + LINGER_PS : Long.MAX_VALUE;
        }
    }

    @Override
    public boolean isOver() {
        return station.sim().now() >= overAt;
    }

    @Override
    public String summary() {
        MallocBdev d = disk;
        IoStat stat = d == null ? new IoStat() : d.iostat();
        return Count.of(served, "controller") + ", " + Count.of(stat.read().ops(), "read") + " of "
                + stat.read().bytes() + " bytes, " + Count.of(stat.write().ops(), "write") + " of "
                + stat.write().bytes() + " bytes";
    }
}
