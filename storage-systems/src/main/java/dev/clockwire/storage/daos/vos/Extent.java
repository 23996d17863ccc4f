package dev.clockwire.storage.daos.vos;

import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.daos.dtx.DtxId;
import dev.clockwire.storage.daos.dtx.DtxState;
import org.jspecify.annotations.Nullable;

/** One version of a value. */
public final class Extent {
    final DtxId id;
    final long key;
    final long epoch;
    final int length;
    final int checksum;
    DtxState state = DtxState.INITED;
    /** Where it is on the SSD, -1 if in storage-class memory. */
    long block = -1;
    /** What it is, in storage-class memory. */
    @Nullable
    Payload scm;

    int readers;
    boolean dropped;

    Extent(DtxId id, long key, long epoch, int length, int checksum) {
        this.id = id;
        this.key = key;
        this.epoch = epoch;
        this.length = length;
        this.checksum = checksum;
    }

    Extent copy(DtxState as) {
        Extent c = new Extent(id, key, epoch, length, checksum);
        c.state = as;
        c.block = block;
        c.scm = scm;
        return c;
    }

    /** Returns who wrote it. */
    public DtxId id() {
        return id;
    }

    /** Returns the object. */
    public long key() {
        return key;
    }

    /** Returns the version. */
    public long epoch() {
        return epoch;
    }

    /** Returns the bytes. */
    public int length() {
        return length;
    }

    /** Returns the checksum that the client has computed. */
    public int checksum() {
        return checksum;
    }

    /** Returns how far it is. */
    public DtxState state() {
        return state;
    }

    /** Returns whether it lies in storage-class memory. */
    public boolean isInScm() {
        return scm != null;
    }

    @Override
    public String toString() {
        return "key " + key + "@" + epoch + " " + state + ", " + length + " B, checksum "
                + Integer.toHexString(checksum);
    }
}
