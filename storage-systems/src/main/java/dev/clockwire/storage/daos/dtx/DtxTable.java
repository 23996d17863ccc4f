package dev.clockwire.storage.daos.dtx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one replica knows of transactions, in DRAM: those under way, those committed not long ago, and those that must not come back. */
public final class DtxTable {
    private final TreeMap<DtxId, DtxEntry> entries = new TreeMap<>();
    private final TreeMap<DtxId, DtxEntry> open = new TreeMap<>();

    /** Creates an empty table. */
    public DtxTable() {}

    /** Returns what is known of a transaction, null if nothing. */
    public @Nullable DtxEntry find(DtxId id) {
        return entries.get(id);
    }

    /** Begins one: what was known of an earlier execution is forgotten. */
    public DtxEntry begin(DtxId id, long key, long epoch, long nowPs) {
        DtxEntry e = new DtxEntry(id, key, epoch, nowPs);
        entries.put(id, e);
        open.put(id, e);
        return e;
    }

    /** Moves one on. */
    public void move(DtxEntry e, DtxState to, long nowPs) {
        e.state = to;
        e.sincePs = nowPs;
        if ((to == DtxState.COMMITTED || to == DtxState.ABORTED) && open.get(e.id()) == e) {
            open.remove(e.id());
        }
    }

    /** Keeps that one is committed, as another replica or the disk says. */
    public void committed(DtxId id, long key, long epoch, long nowPs) {
        DtxEntry known = entries.get(id);
        if (known == null || known.epoch() < epoch) {
            known = begin(id, key, epoch, nowPs);
        }
        if (known.epoch() == epoch) {
            move(known, DtxState.COMMITTED, nowPs);
        }
    }

    /** Returns those that are not decided and durably so, in a state. */
    public List<DtxEntry> open(DtxState state) {
        List<DtxEntry> all = new ArrayList<>();
        for (DtxEntry e : open.values()) {
            if (e.state == state) {
                all.add(e);
            }
        }
        return all;
    }

    /** Returns how many are not decided and durably so. */
    public int open() {
        return open.size();
    }

    /** Returns those behind one, in their order; all if null. */
    public Map<DtxId, DtxEntry> behind(@Nullable DtxId id) {
        return id == null ? entries : entries.tailMap(id, false);
    }

    /** Forgets what ended before a time. */
    public void forget(long beforePs) {
        entries.values().removeIf(e -> !open.containsKey(e.id()) && e.sincePs < beforePs);
    }
}
