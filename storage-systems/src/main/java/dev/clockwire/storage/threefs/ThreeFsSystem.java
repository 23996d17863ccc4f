package dev.clockwire.storage.threefs;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.storage.check.monitor.Finding;
import dev.clockwire.storage.check.monitor.Monitors;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Pool;
import dev.clockwire.storage.load.StepOrder;
import dev.clockwire.storage.load.StorageDone;
import dev.clockwire.storage.load.StorageSystem;
import dev.clockwire.storage.load.Waits;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.ChunkStore;
import dev.clockwire.storage.threefs.client.Outcome;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A {@link ThreeFs} under a load: a key is a chunk, chains take keys in turn. */
public final class ThreeFsSystem implements StorageSystem {
    private final String name;
    private final ThreeFs fs;
    private final Monitors monitors = new Monitors();
    private int busy;

    /** Wraps a 3FS that has not been started. */
    public ThreeFsSystem(String name, ThreeFs fs) {
        this.name = name;
        this.fs = fs;
        fs.watch(monitors);
        cluster().watch(monitors.findings());
    }

    /** Returns who watches the invariants. */
    public Monitors monitors() {
        return monitors;
    }

    /** Returns the 3FS. */
    public ThreeFs fs() {
        return fs;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Cluster cluster() {
        return fs.cluster();
    }

    @Override
    public void start() {
        fs.start();
    }

    private int chain(long key) {
        return 1 + (int) (key % fs.chains().size());
    }

    @Override
    public void write(Node client, long key, long va, int length, MemoryRegion region, StorageDone then) {
        fs.client(client).write(chain(key), key, 0, va, length, region, told(then));
    }

    @Override
    public void read(Node client, long key, long va, int length, MemoryRegion region, StorageDone then) {
        fs.client(client).read(chain(key), key, 0, va, length, region, told(then));
    }

    private static Outcome told(StorageDone then) {
        return (status, version, length) -> {
            switch (status) {
                case OK -> then.ended(StorageDone.How.OK, "", version, length);
                case CHUNK_NOT_FOUND -> then.ended(StorageDone.How.OK, "", 0, 0);
                case INVALID -> then.ended(StorageDone.How.FAIL, status.name(), -1, 0);
                default -> then.ended(StorageDone.How.UNKNOWN, status.name(), -1, 0);
            }
        };
    }

    /** Asked behind every instant: whoever was busy last is asked first. */
    @Override
    public boolean isQuiet() {
        List<Node> nodes = fs.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            int at = (busy + i) % nodes.size();
            if (!nodes.get(at).isGone() && !fs.service(nodes.get(at)).isQuiet()) {
                busy = at;
                return false;
            }
        }
        return fs.isWhole();
    }

    /** A client gives up after its total, a silent node is lost after another wait; then forwards to it end, and a resync that failed is tried again. */
    @Override
    public Waits waits() {
        ThreeFsTimes t = fs.spec().times();
        return new Waits(t.clientTotal() + t.clientMost() + t.fail(), t.fail() + t.forwardTotal() + 2 * t.syncAgain());
    }

    @Override
    public StepOrder order() {
        return ThreeFsSteps.ORDER;
    }

    @Override
    public List<String> findings() {
        return monitors.findings().list().stream().map(Finding::text).toList();
    }

    @Override
    public void rest() {
        cluster().quiescent(this::pools, monitors);
    }

    @Override
    public List<String> differences() {
        monitors.quiescent(cluster().sim().now());
        List<String> found = new ArrayList<>(findings());
        for (Chain c : fs.manager().routing().chains()) {
            Map<Long, ChunkMeta> first = null;
            for (Target t : c.targets()) {
                if (t.state() != TargetState.SERVING) {
                    continue;
                }
                Map<Long, ChunkMeta> here = chunks(c.id(), t.node());
                if (first == null) {
                    first = here;
                } else {
                    compare("chain " + c.id() + " target " + t.id(), first, here, found);
                }
            }
        }
        return found;
    }

    private List<Pool> pools() {
        return fs.nodes().stream()
                .filter(Node::isRunning)
                .map(n -> fs.service(n).buffers().pool())
                .toList();
    }

    private Map<Long, ChunkMeta> chunks(int chain, int node) {
        Map<Long, ChunkMeta> all = new TreeMap<>();
        ChunkStore store = fs.service(byNumber(node)).store(chain);
        if (store != null) {
            store.all().forEach(m -> all.put(m.key, m));
        }
        return all;
    }

    private Node byNumber(int number) {
        return fs.cluster().nodes().stream()
                .filter(n -> n.number() == number)
                .findFirst()
                .orElseThrow();
    }

    private static void compare(
            String where, Map<Long, ChunkMeta> first, Map<Long, ChunkMeta> here, List<String> found) {
        if (!first.keySet().equals(here.keySet())) {
            found.add(where + " has other chunks than the head: " + here.keySet() + ", not " + first.keySet());
            return;
        }
        first.forEach((key, a) -> {
            ChunkMeta b = here.get(key);
            if (b == null || a.commitVer != b.commitVer || a.checksum != b.checksum || a.length != b.length) {
                found.add(where + ": " + b + ", the head has " + a);
            }
        });
    }
}
