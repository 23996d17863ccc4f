package dev.clockwire.storage.ceph.osd;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.ceph.msgr2.MessengerSpec;
import dev.clockwire.storage.ceph.stream.StreamSpec;

/**
 * What an OSD is.
 *
 * @param streams transport
 * @param messenger protocol
 * @param times waits
 * @param minReplicas {@code min_size}: a group that fewer hold does nothing
 * @param opPs of a core for an operation or a replica's transaction, beside messages, copies, checksums and disk
 * @param shards reactors over which groups are spread, a core each
 * @param hopPs from one reactor to another
 */
public record OsdSpec(
        StreamSpec streams,
        MessengerSpec messenger,
        OsdTimes times,
        int minReplicas,
        long opPs,
        int shards,
        long hopPs) {
    private static final int MOST_SHARDS = 64;

    /** Checks the ranges. */
    public OsdSpec {
        if (minReplicas < 1 || opPs < 0) {
            throw new ConfigurationException("ceph: min_size " + minReplicas + ", " + opPs
                    + " ps for an operation: must be 1 or more, 0 or more");
        }
        if (shards < 1 || shards > MOST_SHARDS || hopPs < 0) {
            throw new ConfigurationException("ceph: " + shards + " reactors, " + hopPs
                    + " ps from one to another: must be 1 to " + MOST_SHARDS + ", 0 or more");
        }
        if (shards > 1 && !streams.reactor()) {
            throw new ConfigurationException("ceph: " + shards + " reactors: classic OSDs have none, must be 1");
        }
    }

    /** Returns a copy with other waits. */
    public OsdSpec withTimes(OsdTimes other) {
        return new OsdSpec(streams, messenger, other, minReplicas, opPs, shards, hopPs);
    }

    /** Returns a copy with another transport. */
    public OsdSpec withStreams(StreamSpec other) {
        return new OsdSpec(other, messenger, times, minReplicas, opPs, shards, hopPs);
    }

    /** Returns a copy with another messenger. */
    public OsdSpec withMessenger(MessengerSpec other) {
        return new OsdSpec(streams, other, times, minReplicas, opPs, shards, hopPs);
    }

    /** Returns a copy with other costs of operations. */
    public OsdSpec withOpPs(long ps) {
        return new OsdSpec(streams, messenger, times, minReplicas, ps, shards, hopPs);
    }

    /** Returns a copy with other reactors. */
    public OsdSpec withShards(int n) {
        return new OsdSpec(streams, messenger, times, minReplicas, opPs, n, hopPs);
    }
}
