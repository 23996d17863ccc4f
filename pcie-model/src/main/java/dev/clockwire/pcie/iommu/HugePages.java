package dev.clockwire.pcie.iommu;

import dev.clockwire.sim.mem.Allocation;

/** What pages the host gives to buffers, and so what its IOMMU can map. */
public enum HugePages {
    /** 4 KB pages only. */
    NEVER,
    /**
     * Transparent huge pages: each aligned 2 MB that lies in one buffer as a whole is one page, what is left at its two ends has 4 KB
     * pages. A buffer shorter than 2 MB, or without an aligned 2 MB in it, gets none.
     */
    TRANSPARENT,
    /** All buffers come from a reserved pool of 2 MB pages. */
    POOL_2M,
    /** All buffers come from a reserved pool of 1 GB pages. */
    POOL_1G;

    /** Returns the size of the page that an address of a buffer lies in. */
    public PageSize page(Allocation buffer, long va) {
        return switch (this) {
            case NEVER -> PageSize.SMALL;
            case TRANSPARENT -> {
                long from = va & -PageSize.LARGE.bytes();
                boolean inside = from >= buffer.address() && from + PageSize.LARGE.bytes() <= buffer.end();
                yield inside ? PageSize.LARGE : PageSize.SMALL;
            }
            case POOL_2M -> PageSize.LARGE;
            case POOL_1G -> PageSize.HUGE;
        };
    }

    /** Returns how many pages a range of a buffer touches. */
    public long pages(Allocation buffer, long va, long length) {
        long n = 0;
        for (long at = va; at < va + length; n++) {
            long bytes = page(buffer, at).bytes();
            at = (at & -bytes) + bytes;
        }
        return n;
    }
}
