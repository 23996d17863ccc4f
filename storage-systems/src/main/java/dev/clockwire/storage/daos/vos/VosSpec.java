package dev.clockwire.storage.daos.vos;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Where values go and what that costs.
 *
 * @param threshold values from here on go to the SSD (data_thresh), smaller ones to storage-class memory
 * @param txPs a transaction on storage-class memory, until it is durable: an assumption about persistent memory, some flushes and fences
 * @param crcBytePs of a checksum, per byte: 20 GB/s, as CRC-32C instructions give on one core
 * @param verify whether a server checks what it is given
 */
public record VosSpec(int threshold, long txPs, long crcBytePs, boolean verify) {
    /** Checks the ranges. */
    public VosSpec {
        if (threshold < 0 || threshold > 1 << 24) {
            throw new ConfigurationException("daos.vos.threshold " + threshold + " is not in 0.." + (1 << 24));
        }
        if (txPs < 1 || crcBytePs < 0) {
            throw new ConfigurationException(
                    "daos.vos: times " + txPs + ", " + crcBytePs + " ps: must not be negative");
        }
    }

    /** Returns DAOS's threshold of 4096 B, and 1 us for a transaction. */
    public static VosSpec daos() {
        return new VosSpec(4096, 1_000_000L, 50, false);
    }
}
