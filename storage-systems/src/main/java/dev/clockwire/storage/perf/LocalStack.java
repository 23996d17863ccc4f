package dev.clockwire.storage.perf;

import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * SSDs in the host that loads them, driven from user space: each core polls its queue pairs in turn, as {@code spdk_nvme_perf} does. A namespace
 * and a core have a way of their own; of more namespaces than cores, or more cores than namespaces, the shorter list is gone through again.
 */
public final class LocalStack implements PerfStack {
    private static final long PATIENCE_PS = 30_000_000_000_000L;
    private static final int BUS_SHIFT = 8;

    private final LocalSpec spec;
    private final Sim sim;
    private final Host host;
    private final List<NvmeController> ssds = new ArrayList<>();
    private final List<NvmeWorker> workers = new ArrayList<>();
    private final List<NvmeQueue> queues = new ArrayList<>();
    private final List<String> controllers = new ArrayList<>();

    /** Builds host and SSDs, whose blocks are zeros in memory. */
    public LocalStack(LocalSpec spec) {
        this(spec, LocalStack::inMemory);
    }

    /** Makes what a namespace holds. */
    @FunctionalInterface
    public interface Stores {
        /** Returns the store of a namespace; the numbers count from 0 and 1. */
        BlockStore store(int ssd, int nsid, NamespaceSpec namespace, LocalSpec spec);
    }

    /** Builds host and SSDs with stores of their own. */
    public LocalStack(LocalSpec spec, Stores stores) {
        this.spec = spec;
        sim = new Sim(spec.kernel());
        host = new Host(sim.root(), "host0", spec.host(), spec.cpu(), spec.payload());
        CoreMask mask = spec.cores();
        for (int lcore = mask.next(0); lcore >= 0; lcore = mask.next(lcore + 1)) {
            workers.add(new NvmeWorker(host.addCore(), lcore));
        }
        for (int i = 0; i < spec.ssds().size(); i++) {
            NvmeSpec ssd = spec.ssds().get(i);
            List<BlockStore> blocks = new ArrayList<>();
            for (NamespaceSpec n : ssd.namespaces()) {
                blocks.add(stores.store(i, blocks.size() + 1, n, spec));
            }
            NvmeController c = new NvmeController(sim.root(), "ssd" + i, ssd, (i + 1) << BUS_SHIFT, blocks);
            host.attach(c.endpoint(), 0);
            ssds.add(c);
        }
        sim.elaborate();
    }

    /** Makes a store of zeros in memory. */
    public static BlockStore inMemory(int ssd, int nsid, NamespaceSpec n, LocalSpec spec) {
        return new MemoryStore("ssd" + ssd + ".ns" + nsid, n.blockBytes(), n.blocks(), spec.payload());
    }

    @Override
    public Sim sim() {
        return sim;
    }

    /** Returns the host. */
    public Host host() {
        return host;
    }

    @Override
    public List<NvmeController> ssds() {
        return List.copyOf(ssds);
    }

    @Override
    public void connect() {
        associate();
        for (int i = 0; i < ssds.size(); i++) {
            if (isLoaded(i)) {
                attach(i);
                controllers.add("NVMe Controller at PCIE (" + address(i) + ")");
            }
        }
    }

    private boolean isLoaded(int ssd) {
        return queues.stream().anyMatch(q -> q.ssd() == ssds.get(ssd));
    }

    private void attach(int ssd) {
        List<NvmeQueue> own = new ArrayList<>();
        for (NvmeQueue q : queues) {
            if (q.ssd() == ssds.get(ssd)) {
                own.add(q);
            }
        }
        NvmeAttach a = new NvmeAttach(host, workers.get(0).core(), ssds.get(ssd), own, spec.use());
        workers.get(0).core().run(a);
        if (!sim.runUntil(a::isOver, sim.now() + PATIENCE_PS) || !a.failure().isEmpty()) {
            String why = a.failure().isEmpty() ? "no answer" : a.failure();
            throw new ConfigurationException(ssds.get(ssd).path(), sim.now(), "cannot be attached: " + why);
        }
    }

    private static String address(int ssd) {
        return String.format(Locale.ROOT, "0000:%02x:00.0", ssd + 1);
    }

    /** Gives each namespace a core and each core a namespace, in turns; or all to all. */
    private void associate() {
        List<NvmeQueue.Place> places = new ArrayList<>();
        for (int i = 0; i < ssds.size(); i++) {
            for (int n = 0; n < ssds.get(i).spec().namespaces().size(); n++) {
                if (!spec.loads(i, n + 1)) {
                    continue;
                }
                String name = "PCIE (" + address(i) + ") NSID " + (n + 1);
                places.add(new NvmeQueue.Place(name, ssds.get(i), n + 1));
            }
        }
        if (spec.use().everyCore()) {
            for (NvmeWorker w : workers) {
                places.forEach(p -> associate(w, p));
            }
        } else {
            for (int i = 0; i < Math.max(places.size(), workers.size()); i++) {
                associate(workers.get(i % workers.size()), places.get(i % places.size()));
            }
        }
        queues.clear(); // the tool lists them core by core
        workers.forEach(w -> queues.addAll(w.queues()));
    }

    private void associate(NvmeWorker worker, NvmeQueue.Place place) {
        worker.add(new NvmeQueue(worker, place, spec.use()));
    }

    @Override
    public List<String> controllers() {
        return List.copyOf(controllers);
    }

    @Override
    public List<PerfQueue> queues() {
        return List.copyOf(queues);
    }

    @Override
    public List<CoreUse> cores() {
        return workers.stream()
                .map(w -> new CoreUse(
                        "host0 lcore " + w.lcore(),
                        w.core().name(),
                        w.core().busyPs(),
                        w.core().pollingPs()))
                .toList();
    }
}
