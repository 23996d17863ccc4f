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
 */
public record OsdSpec(StreamSpec streams, MessengerSpec messenger, OsdTimes times, int minReplicas, long opPs) {
    /** Checks the ranges. */
    public OsdSpec {
        if (minReplicas < 1 || opPs < 0) {
            throw new ConfigurationException("ceph: min_size " + minReplicas + ", " + opPs
                    + " ps for an operation: must be 1 or more, 0 or more");
        }
    }

    /** Returns a copy with other waits. */
    public OsdSpec withTimes(OsdTimes other) {
        return new OsdSpec(streams, messenger, other, minReplicas, opPs);
    }

    /** Returns a copy with another transport. */
    public OsdSpec withStreams(StreamSpec other) {
        return new OsdSpec(other, messenger, times, minReplicas, opPs);
    }

    /** Returns a copy with another messenger. */
    public OsdSpec withMessenger(MessengerSpec other) {
        return new OsdSpec(streams, other, times, minReplicas, opPs);
    }

    /** Returns a copy with other costs of operations. */
    public OsdSpec withOpPs(long ps) {
        return new OsdSpec(streams, messenger, times, minReplicas, ps);
    }
}
