package dev.clockwire.bench.live;

import dev.clockwire.bench.text.Count;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.bdev.IoStat;
import dev.clockwire.storage.bdev.NvmeSsd;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.nvmf.target.NvmfTarget;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import dev.clockwire.storage.software.SpdkCosts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A target of NVMe over RDMA with a simulated SSD as its namespace; it ends when a host has been connected and is gone again. */
final class NvmfServer implements LiveProgram {
    static final String NQN = "nqn.2024-01.example:rxe";

    private static final String ADDRESS = "10.0.0.2";
    private static final int PORT = 4420;
    private static final String MEDIA = "p5800x";
    private static final int SSD_ID = 0x3B00;
    private static final int SSD_ENTRIES = 256;
    private static final long SSD_ADMIN_PS = 10_000_000_000L;
    private static final int SHARED_RECEIVES = 512;
    private static final long ACCEPTOR_PS = 1_000_000_000L;
    /** So long the last answer may be asked for again. */
    private static final long LINGER_PS = 500_000_000_000L;

    private final Station station;
    private final NvmeController ssd;
    private final SpdkCosts costs;
    private final Consumer<String> events;
    private @Nullable NvmfTarget target;
    private @Nullable Bdev disk;
    private int known;
    private int served;
    private long overAt = Long.MAX_VALUE;

    NvmfServer(Station station, NvmeController ssd, SpdkCosts costs, Consumer<String> events) {
        this.station = station;
        this.ssd = ssd;
        this.costs = costs;
        this.events = events;
    }

    /** Puts an SSD into a host that is being built. */
    static NvmeController ssd(LabHost host) {
        NvmeSpec spec = NvmeSpec.of(MEDIA);
        List<BlockStore> stores = new ArrayList<>();
        for (NamespaceSpec n : spec.namespaces()) {
            stores.add(new MemoryStore("ssd.ns" + stores.size(), n.blockBytes(), n.blocks(), PayloadMode.BYTES));
        }
        NvmeController c = new NvmeController(host.host().sim().root(), "ssd", spec, SSD_ID, stores);
        host.host().attach(c.endpoint(), 0);
        return c;
    }

    @Override
    public void begin() {
        Reactors reactors = new Reactors(station.host(), CoreMask.first(1), costs.reactor());
        Bdevs bdevs = new Bdevs(reactors, costs.layer());
        StorageThread app = reactors.thread("app_thread");
        NvmfTarget t = new NvmfTarget(reactors, bdevs, app, costs.target());
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
        NvmeSsd.Spec use = new NvmeSsd.Spec(1, SSD_ENTRIES, SSD_ADMIN_PS);
        new NvmeSsd(bdevs, "Nvme0", app, ssd.endpoint().barAddress(0), use).attach(() -> {
            disk = bdevs.bdev("Nvme0n1");
            s.addNamespace(bdevs.bdev("Nvme0n1"), dev.clockwire.storage.nvmf.subsystem.NamespaceSpec.any());
            events.accept("SSD attached, " + MEDIA);
        });
        t.addListener(s, TransportId.rdma(ADDRESS, PORT));
        events.accept("target " + NQN + " at " + ADDRESS + " port " + PORT);
        target = t;
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
        Bdev d = disk;
        IoStat stat = d == null ? new IoStat() : d.iostat();
        return Count.of(served, "controller") + ", " + Count.of(stat.read().ops(), "read") + " of "
                + stat.read().bytes() + " bytes, " + Count.of(stat.write().ops(), "write") + " of "
                + stat.write().bytes() + " bytes";
    }
}
