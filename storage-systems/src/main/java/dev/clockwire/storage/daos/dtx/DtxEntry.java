package dev.clockwire.storage.daos.dtx;

import org.jspecify.annotations.Nullable;

/** One transaction at one replica. */
public final class DtxEntry {
    private final DtxId id;
    private final long key;
    private final long epoch;
    DtxState state = DtxState.INITED;
    long sincePs;
    private @Nullable Object owner;

    DtxEntry(DtxId id, long key, long epoch, long sincePs) {
        this.id = id;
        this.key = key;
        this.epoch = epoch;
        this.sincePs = sincePs;
    }

    /** Returns the transaction. */
    public DtxId id() {
        return id;
    }

    /** Returns the object. */
    public long key() {
        return key;
    }

    /** Returns the version: a transaction that is executed again has another. */
    public long epoch() {
        return epoch;
    }

    /** Returns how far it is. */
    public DtxState state() {
        return state;
    }

    /** Returns when it became so, in ps. */
    public long sincePs() {
        return sincePs;
    }

    /** Returns what executes it, at its leader; null elsewhere and afterwards. */
    public @Nullable Object owner() {
        return owner;
    }

    /** Says what executes it. */
    public void owner(@Nullable Object what) {
        owner = what;
    }

    @Override
    public String toString() {
        return "dtx " + id.client() + "." + id.sequence() + "@" + epoch + " " + state;
    }
}
