package dev.clockwire.storage.check.monitor;

import java.util.BitSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * DX-1 to DX-4, AMO-3: transactions of several replicas. It keeps each version that a leader has begun with what replicas made of it. Add it to the {@link Monitors} whose
 * replicas and findings it is given, so that it knows who serves.
 */
public final class TransactionMonitor extends Monitor implements TransactionEvents {
    private final Map<Integer, NavigableMap<Long, Version>> versions = new TreeMap<>();
    private final Map<Long, Map<Long, Version>> effects = new TreeMap<>();

    /** A version of a key. */
    private static final class Version {
        final long version;
        final BitSet durable = new BitSet();
        final BitSet aborted = new BitSet();
        long client = -1;
        long sequence;
        boolean visible;
        int committedBy = -1;

        Version(long version) {
            this.version = version;
        }
    }

    /** Creates the monitor of a store. */
    public TransactionMonitor(Monitors monitors) {
        super(monitors.replicas(), monitors.findings());
    }

    private NavigableMap<Long, Version> versions(int chunk) {
        return versions.computeIfAbsent(chunk, k -> new TreeMap<>());
    }

    private Version version(int chunk, long version) {
        return versions(chunk).computeIfAbsent(version, Version::new);
    }

    @Override
    public void begun(long ps, int node, int chain, long key, long version, long client, long sequence) {
        int chunk = replicas.chunk(chain, key);
        Version v = version(chunk, version);
        v.client = client;
        v.sequence = sequence;
        if (version <= replicas.ackedVersion(chunk)) {
            report(
                    Invariant.DX_4,
                    ps,
                    node,
                    chunk,
                    "version " + version + " begins, " + replicas.ackedVersion(chunk) + " was acknowledged");
        }
    }

    @Override
    public void prepared(long ps, int node, int chain, long key, long version) {
        version(replicas.chunk(chain, key), version).durable.set(node);
    }

    @Override
    public void committable(long ps, int node, int chain, long key, long version) {
        int chunk = replicas.chunk(chain, key);
        Version v = version(chunk, version);
        long goesBy = replicas.adopted(node, chain);
        @Nullable ChainTable table = replicas.table(chain, goesBy);
        for (int i = 0; table != null && i < table.servingCount(); i++) {
            if (!v.durable.get(table.serving(i)) && owes(table.serving(i), chain, goesBy, chunk, v)) {
                report(
                        Invariant.DX_2,
                        ps,
                        table.serving(i),
                        chunk,
                        "version " + version + " is committable at node " + node + " and not durable");
            }
        }
        seen(ps, node, chunk, v);
    }

    /**
     * Returns whether a node that serves by the leader's table must have what it has not. A leader that stood still may not have heard yet that a replica, which had answered it,
     * has begun anew: by its own, newer table that one serves nothing, has dropped what was only prepared, and copies what counts before it serves, which {@link #adopted} looks at.
     * If it serves again by now, it has this version or one behind it, for it copies the newest.
     */
    private boolean owes(int node, int chain, long goesBy, int chunk, Version v) {
        long newer = replicas.adopted(node, chain);
        @Nullable ChainTable table = newer > goesBy ? replicas.table(chain, newer) : null;
        return table == null || (table.placeOf(node) >= 0 && !hasFrom(node, chunk, v.version));
    }

    /** Returns whether a node has a version or one that came behind it and took effect. */
    private boolean hasFrom(int node, int chunk, long version) {
        for (Version v : versions(chunk).tailMap(version, true).values()) {
            if (v.durable.get(node) && (v.visible || v.version == version)) {
                return true;
            }
        }
        return false;
    }

    /** A node that begins to serve has of each key the newest version that took effect. */
    @Override
    public void adopted(long ps, int node, int chain, long chainVer) {
        @Nullable ChainTable table = replicas.table(chain, chainVer);
        boolean begins = table != null && table.placeOf(node) >= 0;
        if (!begins || replicas.serves(node, chain, replicas.adopted(node, chain))) {
            return;
        }
        for (int chunk : versions.keySet()) {
            if (replicas.chainOf(chunk) != chain) {
                continue;
            }
            @Nullable Version newest = newestVisible(chunk);
            if (newest != null && !hasFrom(node, chunk, newest.version)) {
                report(
                        Invariant.DX_2,
                        ps,
                        node,
                        chunk,
                        "version " + newest.version + " was committable before the node serves, and is not durable");
            }
        }
    }

    private @Nullable Version newestVisible(int chunk) {
        for (Version v : versions(chunk).descendingMap().values()) {
            if (v.visible) {
                return v;
            }
        }
        return null;
    }

    @Override
    public void decided(long ps, int node, int chain, long key, long version) {
        int chunk = replicas.chunk(chain, key);
        Version v = version(chunk, version);
        for (int other = v.aborted.nextSetBit(0); other >= 0; other = v.aborted.nextSetBit(other + 1)) {
            // what a leader has decided that is out of service by now counts for nothing: nobody has heard of it
            if (replicas.serves(other, chain, replicas.adopted(node, chain))) {
                report(
                        Invariant.DX_3,
                        ps,
                        node,
                        chunk,
                        "version " + version + " is committed, node " + other + " has aborted it");
            }
        }
        v.committedBy = node;
        seen(ps, node, chunk, v);
    }

    /** A version takes effect: the only one of its transaction. */
    private void seen(long ps, int node, int chunk, Version v) {
        v.visible = true;
        if (v.client < 0) {
            return; // it began before anybody listened
        }
        Version other = effects.computeIfAbsent(v.client, k -> new TreeMap<>()).putIfAbsent(v.sequence, v);
        if (other != null && other.version != v.version) {
            report(
                    Invariant.AMO_3,
                    ps,
                    node,
                    chunk,
                    "transaction " + v.client + "." + v.sequence + " is version " + other.version + " and version "
                            + v.version);
        }
    }

    @Override
    public void aborted(long ps, int node, int chain, long key, long version) {
        int chunk = replicas.chunk(chain, key);
        Version v = version(chunk, version);
        v.durable.clear(node);
        if (!replicas.serves(node, chain, replicas.adopted(node, chain))) {
            return; // it forgets what it will copy from others
        }
        if (v.visible) {
            report(
                    Invariant.DX_3,
                    ps,
                    node,
                    chunk,
                    "version " + version + " is aborted, "
                            + (v.committedBy < 0
                                    ? "it was committable"
                                    : "node " + v.committedBy + " has committed it"));
        }
        v.aborted.set(node);
    }

    @Override
    public void served(long ps, int node, int chain, long key, long version) {
        int chunk = replicas.chunk(chain, key);
        if (!version(chunk, version).visible) {
            report(Invariant.DX_1, ps, node, chunk, "a read gets version " + version + ", which is only prepared");
        }
    }
}
