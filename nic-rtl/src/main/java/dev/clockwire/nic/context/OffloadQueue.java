package dev.clockwire.nic.context;

/**
 * What the NVMe-oF offload was told of a queue pair whose capsules it takes.
 *
 * @param capsules address in device memory of the buffer of receive WQE 0
 * @param capsuleBytes bytes of a buffer
 * @param entries receive WQEs, all posted: the buffer of each is used again when the ring comes round
 * @param queueSize entries of the host's submission queue, for SQHD
 */
public record OffloadQueue(long capsules, int capsuleBytes, int entries, int queueSize) {}
