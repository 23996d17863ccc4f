package dev.clockwire.storage.ceph.store;

/**
 * What a placement group holds of an object.
 *
 * @param oid object
 * @param version of the content that is here, 0 if none is
 * @param need version that it is to have by the log: another one while the object is missing
 * @param at first byte on the disk
 * @param length bytes
 * @param digest of them
 */
public record StoredObject(long oid, long version, long need, long at, int length, long digest) {
    /** Returns whether the content that the log speaks of is elsewhere. */
    public boolean isMissing() {
        return version != need;
    }

    StoredObject movedTo(long where) {
        return new StoredObject(oid, version, need, where, length, digest);
    }

    StoredObject needing(long other) {
        return new StoredObject(oid, version, other, at, length, digest);
    }
}
