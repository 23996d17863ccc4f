package dev.clockwire.storage.daos.vos;

import dev.clockwire.storage.daos.dtx.DtxId;
import dev.clockwire.storage.daos.dtx.DtxState;
import java.util.Map;
import java.util.TreeMap;

/** What outlives crashes of a target: the trees in storage-class memory, as of the last transaction that has ended. The SSD keeps the bytes. */
public final class VosDisk {
    final Map<Long, TreeMap<Long, Extent>> extents = new TreeMap<>();
    final TreeMap<DtxId, Committed> committed = new TreeMap<>();

    /**
     * A transaction that is committed.
     *
     * @param key its object
     * @param epoch its version
     */
    public record Committed(long key, long epoch) {}

    /** Creates an empty target. */
    public VosDisk() {}

    void put(Extent x, DtxState as) {
        extents.computeIfAbsent(x.key, k -> new TreeMap<>()).put(x.epoch, x.copy(as));
    }

    void remove(Extent x) {
        TreeMap<Long, Extent> of = extents.get(x.key);
        if (of != null) {
            of.remove(x.epoch);
        }
    }

    void remember(DtxId id, long key, long epoch) {
        committed.merge(id, new Committed(key, epoch), (a, b) -> a.epoch() >= b.epoch() ? a : b);
    }
}
