package dev.clockwire.storage.ceph.msgr2;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What a messenger costs and how long it waits.
 *
 * @param crcBytePs of a byte of a checksum
 * @param messagePs of the messenger for a message in or out, beside copies, checksums and verbs
 * @param ackPs after which received messages are acknowledged by a frame of its own, if none went back meanwhile
 * @param backoffPs before a broken session is connected again
 * @param readyPs after which a connection on which both sides do not know each other yet is given up
 */
public record MessengerSpec(long crcBytePs, long messagePs, long ackPs, long backoffPs, long readyPs) {
    private static final long MS = 1_000_000_000L;

    /** Checks the ranges. */
    public MessengerSpec {
        for (long ps : new long[] {crcBytePs, messagePs, ackPs, backoffPs}) {
            if (ps < 0) {
                throw new ConfigurationException("ceph: a time of " + ps + " ps: must be 0 or more");
            }
        }
        if (readyPs < 1) {
            throw new ConfigurationException("ceph: " + readyPs + " ps for a connection: must be 1 or more");
        }
    }

    /**
     * Returns checksums at 20 GB/s as CRC-32C instructions give, {@code ms_initial_backoff} of 200 ms and {@code ms_connection_ready_timeout} of 10 s; the rest is assumed.
     */
    public static MessengerSpec usual() {
        return new MessengerSpec(50, 500_000, MS, 200 * MS, 10_000 * MS);
    }

    /**
     * Returns a copy with other waits.
     *
     * @param again before a connection is tried again
     * @param ready until one that is not ready is given up
     */
    public MessengerSpec withWaits(long again, long ready) {
        return new MessengerSpec(crcBytePs, messagePs, ackPs, again, ready);
    }
}
