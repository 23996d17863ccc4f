package dev.clockwire.nic.offload;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * The memory that commands and data of one SSD of the offload pass through, in one piece: its submission ring, a PRP list and a staging buffer
 * for each context. It may lie in the host, or in the SSD itself (controller memory buffer): then commands and data go from device to device, and
 * the local key of the staging buffers is one of a region of the SSD's BAR ({@code reg_dmabuf_mr}).
 *
 * @param base bus address, a page, by which both the SSD and the NIC call it
 * @param entries of the ring, 2 to 1024
 * @param contexts of the NIC
 * @param mostBytes largest transfer, whole pages up to 32 of them
 */
public record OffloadMemory(long base, int entries, int contexts, int mostBytes) {
    private static final int ENTRY = 64;

    /** Where it lies. */
    public enum Place {
        /** In the memory of the host. */
        HOST,
        /** In the controller memory buffer of the SSD. */
        CONTROLLER
    }

    /** Checks the ranges. */
    public OffloadMemory {
        if (base % OffloadDisk.PAGE != 0) {
            throw new ConfigurationException(
                    "offload: memory at 0x" + Long.toHexString(base) + ": must begin at a page");
        }
        if (entries < 2 || contexts < 1 || mostBytes < OffloadDisk.PAGE || mostBytes % OffloadDisk.PAGE != 0) {
            throw new ConfigurationException("offload: memory for " + entries + " entries and " + contexts
                    + " contexts of " + mostBytes + " bytes: must be 2, 1 and a page, or more, whole pages each");
        }
    }

    private static long pages(long bytes) {
        return (bytes + OffloadDisk.PAGE - 1) & -OffloadDisk.PAGE;
    }

    /** Returns the bytes of all of it. */
    public long bytes() {
        return staging() - base + (long) contexts * mostBytes;
    }

    /** Returns the address of the submission ring. */
    public long sq() {
        return base;
    }

    /** Returns the address of the PRP lists. */
    public long lists() {
        return base + pages((long) entries * ENTRY);
    }

    /** Returns the bytes of the PRP lists of all contexts. */
    public int listBytes() {
        return contexts * OffloadDisk.LIST_BYTES;
    }

    /** Returns the address of the staging buffers. */
    public long staging() {
        return lists() + pages(listBytes());
    }

    /** Returns what must stand at {@link #lists} before the first command: the pages behind the first of each buffer. */
    public byte[] listContent() {
        byte[] b = new byte[listBytes()];
        for (int i = 0; i < contexts; i++) {
            for (int page = 1; page < mostBytes / OffloadDisk.PAGE; page++) {
                long to = staging() + (long) i * mostBytes + (long) OffloadDisk.PAGE * page;
                int at = i * OffloadDisk.LIST_BYTES + Long.BYTES * (page - 1);
                Capsule.put64(b, at, to);
            }
        }
        return b;
    }
}
