package dev.clockwire.storage.ceph.stream;

/** Takes up connections. */
@FunctionalInterface
public interface StreamDoor {
    /** Somebody connects; returns who uses the stream. */
    StreamUser comes(RdmaStream stream);
}
