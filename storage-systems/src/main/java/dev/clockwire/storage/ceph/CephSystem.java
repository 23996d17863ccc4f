package dev.clockwire.storage.ceph;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.storage.ceph.check.CephMonitors;
import dev.clockwire.storage.ceph.osd.OsdSpec;
import dev.clockwire.storage.ceph.store.LogEntry;
import dev.clockwire.storage.ceph.store.PgDisk;
import dev.clockwire.storage.ceph.store.StoredObject;
import dev.clockwire.storage.check.monitor.Finding;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.load.StepOrder;
import dev.clockwire.storage.load.StorageDone;
import dev.clockwire.storage.load.StorageSystem;
import dev.clockwire.storage.load.Waits;
import java.util.ArrayList;
import java.util.List;

/** A {@link Ceph} under a load: a key is an object. */
public final class CephSystem implements StorageSystem {
    private final String name;
    private final Ceph ceph;
    private final CephMonitors monitors = new CephMonitors();

    /** Wraps a Ceph that has not been started. */
    public CephSystem(String name, Ceph ceph) {
        this.name = name;
        this.ceph = ceph;
        ceph.watch(monitors);
        cluster().watch(monitors.findings());
    }

    /** Returns who watches the invariants. */
    public CephMonitors monitors() {
        return monitors;
    }

    /** Returns the Ceph. */
    public Ceph ceph() {
        return ceph;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Cluster cluster() {
        return ceph.cluster();
    }

    @Override
    public void start() {
        ceph.start();
    }

    @Override
    public void write(Node client, long key, long va, int length, MemoryRegion region, StorageDone then) {
        ceph.client(client).write(key, va, length, (version, n) -> told(version, n, then));
    }

    @Override
    public void read(Node client, long key, long va, int length, MemoryRegion region, StorageDone then) {
        ceph.client(client).read(key, va, length, (version, n) -> told(version, n, then));
    }

    private static void told(long version, int length, StorageDone then) {
        if (version < 0) {
            then.ended(StorageDone.How.FAIL, "refused by the primary", version, length);
        } else {
            then.ended(StorageDone.How.OK, "", version, length);
        }
    }

    @Override
    public StepOrder order() {
        return CephSteps.ORDER;
    }

    @Override
    public boolean isQuiet() {
        return ceph.isQuiet();
    }

    /**
     * A client waits until an OSD that is silent is known to be down, and meets the next; OSDs then agree. A client of Ceph never gives up: one that has waited three times as long as that
     * takes waits for an OSD that does not come.
     */
    @Override
    public Waits waits() {
        OsdSpec osd = ceph.spec().osd();
        long down = osd.times().heartbeat() + osd.times().grace() + osd.times().lease();
        long again = osd.times().again()
                + osd.messenger().readyPs()
                + osd.messenger().backoffPs();
        return new Waits(3 * (down + again), 3 * (down + again));
    }

    @Override
    public List<String> findings() {
        return monitors.findings().list().stream().map(Finding::text).toList();
    }

    @Override
    public void rest() {
        cluster().quiescent(ceph::pools, monitors);
    }

    @Override
    public List<String> differences() {
        monitors.quiescent(cluster().sim().now());
        List<String> found = new ArrayList<>(findings());
        for (int pg = 0; pg < ceph.spec().pgs(); pg++) {
            List<Node> places =
                    ceph.places(pg).stream().filter(n -> !n.isGone()).toList();
            if (places.isEmpty()) {
                continue; // all are gone for good
            }
            PgDisk first = ceph.disk(places.get(0), pg);
            for (Node node : places) {
                compare("group " + pg + " on " + node.name(), first, ceph.disk(node, pg), found);
            }
        }
        return found;
    }

    private static void compare(String where, PgDisk first, PgDisk here, List<String> found) {
        List<LogEntry> a = new ArrayList<>(first.log());
        List<LogEntry> b = new ArrayList<>(here.log());
        if (!a.equals(b)) {
            found.add(where + " has another log than the first: " + b.size() + " entries up to " + here.lastUpdate()
                    + ", not " + a.size() + " up to " + first.lastUpdate());
        }
        if (first.objects().size() != here.objects().size()) {
            found.add(where + " has " + here.objects().size() + " objects, the first "
                    + first.objects().size());
        }
        for (StoredObject o : first.objects()) {
            StoredObject h = here.find(o.oid());
            if (h == null
                    || h.isMissing()
                    || h.version() != o.version()
                    || h.digest() != o.digest()
                    || h.length() != o.length()) {
                found.add(where + ": " + h + ", the first has " + o);
            }
        }
    }
}
