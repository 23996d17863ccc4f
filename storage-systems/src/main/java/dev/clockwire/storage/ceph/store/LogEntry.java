package dev.clockwire.storage.ceph.store;

/**
 * An entry of a placement group's log: who wrote what.
 *
 * @param version epoch and number, see {@link PgDisk#version}
 * @param oid object
 * @param client with {@code tid} the reqid
 * @param tid number of the operation at the client
 */
public record LogEntry(long version, long oid, long client, long tid) {}
