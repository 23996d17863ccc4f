package dev.clockwire.nic.context;

/**
 * A namespace as hosts of an offloaded queue pair number it, and where the NVMe-oF offload finds it.
 *
 * @param nsid as hosts say it, from 1 on
 * @param disk number of the SSD, in the order in which the offload was given them
 * @param diskNsid as the SSD says it
 * @param blockBytes its blocks
 * @param blocks their number
 * @param stagingKey local key, in the queue pair's domain, of the memory that data of the SSD pass through
 */
public record OffloadNamespace(int nsid, int disk, int diskNsid, int blockBytes, long blocks, int stagingKey) {}
