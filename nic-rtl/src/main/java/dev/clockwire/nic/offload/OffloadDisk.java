package dev.clockwire.nic.offload;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * The SSD behind the offload: one namespace and one queue pair of it. The completion queue lies in the NIC's window.
 *
 * @param nsid number of the namespace
 * @param blockBytes its blocks
 * @param blocks their number
 * @param entries of both rings, 2 to 1024
 * @param sq bus address of the submission ring
 * @param sqDoorbell bus address of its doorbell in the SSD
 * @param cqDoorbell bus address of the completion ring's
 * @param staging address of memory that data pass through, a page at least for each context: the host's or, as {@link OffloadMemory} says, the
 *     SSD's own
 * @param stagingKey local key of it, for {@code HwOffload.mark}; shared queue pairs have one with each namespace
 * @param mostBytes largest transfer, whole pages up to 32 of them
 * @param lists address of memory with the PRP list of each context, {@value #LIST_BYTES} bytes each
 */
public record OffloadDisk(
        int nsid,
        int blockBytes,
        long blocks,
        int entries,
        long sq,
        long sqDoorbell,
        long cqDoorbell,
        long staging,
        int stagingKey,
        int mostBytes,
        long lists) {
    /** Bytes of a page. */
    public static final int PAGE = 4096;
    /** Bytes of the PRP list of a context: 31 pages behind the first. */
    public static final int LIST_BYTES = 256;

    private static final int MOST_ENTRIES = 1024;
    private static final int MOST_PAGES = 32;

    /** Checks the ranges. */
    public OffloadDisk {
        if (entries < 2 || entries > MOST_ENTRIES) {
            throw new ConfigurationException("offload: rings of " + entries + " entries: must be 2.." + MOST_ENTRIES);
        }
        if (blockBytes < 1 || mostBytes < PAGE || mostBytes % PAGE != 0 || mostBytes > MOST_PAGES * PAGE) {
            throw new ConfigurationException("offload: transfers of " + mostBytes + " bytes in blocks of " + blockBytes
                    + ": must be whole pages, up to " + MOST_PAGES);
        }
        if (staging % PAGE != 0) {
            throw new ConfigurationException("offload: staging memory must begin at a page");
        }
    }

    /** Returns where the data of a context pass through. */
    public long stagingOf(int context) {
        return staging + (long) context * mostBytes;
    }

    /** Returns the PRP list of a context. */
    public long listOf(int context) {
        return lists + (long) context * LIST_BYTES;
    }
}
