package dev.clockwire.storage.daos;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.storage.check.monitor.Finding;
import dev.clockwire.storage.check.monitor.Invariant;
import dev.clockwire.storage.check.monitor.Monitors;
import dev.clockwire.storage.check.monitor.TransactionMonitor;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Pool;
import dev.clockwire.storage.daos.client.DaosOutcome;
import dev.clockwire.storage.daos.engine.Target;
import dev.clockwire.storage.daos.pool.DaosTimes;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.pool.TargetState;
import dev.clockwire.storage.daos.vos.Extent;
import dev.clockwire.storage.load.StepOrder;
import dev.clockwire.storage.load.StorageDone;
import dev.clockwire.storage.load.StorageSystem;
import dev.clockwire.storage.load.Waits;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A {@link Daos} under a load: a key is an object with one value. It registers memory itself, for each operation. */
public final class DaosSystem implements StorageSystem {
    /** Versions are clocks, replicas commit behind the acknowledgement, any number of engines comes back at once, and a sender waits for receives. */
    private static final Set<Invariant> PROMISED = EnumSet.complementOf(EnumSet.of(
            Invariant.VER_1, Invariant.VER_3, Invariant.DUR_3, Invariant.MEM_2, Invariant.SYNC_1, Invariant.RD_1));

    private final String name;
    private final Daos daos;
    private final Monitors monitors = new Monitors(PROMISED);

    /** Wraps a DAOS that has not been started. */
    public DaosSystem(String name, Daos daos) {
        this.name = name;
        this.daos = daos;
        TransactionMonitor transactions = new TransactionMonitor(monitors);
        monitors.add(transactions);
        daos.watch(monitors, transactions);
        cluster().watch(monitors.findings());
    }

    /** Returns the DAOS. */
    public Daos daos() {
        return daos;
    }

    /** Returns who watches the invariants. */
    public Monitors monitors() {
        return monitors;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Cluster cluster() {
        return daos.cluster();
    }

    @Override
    public void start() {
        daos.start();
    }

    @Override
    public void write(Node client, long key, long va, int length, MemoryRegion region, StorageDone then) {
        daos.client(client).write(key, va, length, told(then));
    }

    @Override
    public void read(Node client, long key, long va, int length, MemoryRegion region, StorageDone then) {
        daos.client(client).read(key, va, length, told(then));
    }

    private static DaosOutcome told(StorageDone then) {
        return (known, epoch, length) -> {
            if (known) {
                then.ended(StorageDone.How.OK, "", epoch, length);
            } else {
                then.ended(StorageDone.How.UNKNOWN, "no answer before the client gave up", epoch, length);
            }
        };
    }

    @Override
    public StepOrder order() {
        return DaosSteps.ORDER;
    }

    @Override
    public boolean isQuiet() {
        List<Node> nodes = cluster().nodes();
        PoolMap map = daos.manager().map();
        for (int i = 0; i < nodes.size(); i++) {
            boolean gone = nodes.get(i).isGone();
            if (map.state(i) != (gone ? TargetState.DOWN : TargetState.UPIN)
                    || (!gone && !daos.engine(nodes.get(i)).isQuiet())) {
                return false;
            }
        }
        return true;
    }

    /** A client gives up after its total; an engine is excluded when it is suspected and its lease is over, and what it left open is asked for and committed. */
    @Override
    public Waits waits() {
        DaosTimes t = daos.spec().times();
        long excluded = t.swimPeriod() + t.swimPing() + t.swimSuspect() + t.lease();
        return new Waits(t.retryTotal() + t.rpc(), 2 * t.rpc() + excluded + t.dtxAge() + t.dtxRefresh());
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
        PoolMap map = daos.manager().map();
        TreeSet<Long> keys = new TreeSet<>();
        cluster()
                .nodes()
                .forEach(n -> daos.engine(n)
                        .targets()
                        .forEach(t -> keys.addAll(t.vos().keys())));
        for (long key : keys) {
            List<Integer> members = map.members(map.group(key), true);
            Extent first = newest(members.get(0), key);
            for (int e : members) {
                Extent here = newest(e, key);
                boolean same = sameValue(first, here);
                if (!same) {
                    found.add("engine " + e + ": " + here + ", engine " + members.get(0) + " has " + first);
                }
            }
        }
        return found;
    }

    private List<Pool> pools() {
        List<Pool> all = new ArrayList<>(daos.manager().context().endpoint().pools());
        for (Node n : cluster().nodes().stream().filter(Node::isRunning).toList()) {
            for (Target t : daos.engine(n).targets()) {
                all.add(t.dma().pool());
                all.addAll(t.context().endpoint().pools());
            }
        }
        for (Node n : cluster().clients()) {
            if (n.isRunning()) {
                all.addAll(daos.client(n).context().endpoint().pools());
            }
        }
        return all;
    }

    private static boolean sameValue(@Nullable Extent a, @Nullable Extent b) {
        if (a == null || b == null) {
            return a == b;
        }
        return a.epoch() == b.epoch() && a.checksum() == b.checksum() && a.length() == b.length();
    }

    private @Nullable Extent newest(int engine, long key) {
        int target = daos.manager().map().target(key);
        return daos.engine(cluster().nodes().get(engine)).target(target).vos().newest(key);
    }
}
