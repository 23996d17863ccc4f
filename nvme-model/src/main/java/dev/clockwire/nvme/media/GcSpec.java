package dev.clockwire.nvme.media;

/**
 * Where pages lie in flash, and how room is made for new ones.
 *
 * @param bytes that are mapped; addresses beyond them share places with those before. A larger SSD has the same write amplification
 *     at the same share of spare pages, and takes longer to become steady
 * @param sparePermille pages beyond those, per thousand of them, 20 to 1000
 * @param blockPages pages of 4 KiB that are erased together, 16 to 4096
 * @param freeBlocks that each unit keeps free for what is moved, 1 to 64
 * @param erasePs a unit takes to erase a block
 * @param steady whether the first command finds it as if all of it had been written at random several times until then: mixed blocks, a full write
 *     buffer, units that program and owe collections; otherwise empty
 */
public record GcSpec(long bytes, int sparePermille, int blockPages, int freeBlocks, long erasePs, boolean steady) {
    /** Bytes of a page that is mapped. */
    public static final int PAGE = 4096;

    private static final int PERMILLE = 1000;

    /** Checks the ranges. */
    public GcSpec {
        MediaSpec.range("mapped bytes", bytes, 1 << 20, 1L << 40);
        MediaSpec.range("spare pages in permille", sparePermille, 20, PERMILLE);
        MediaSpec.range("pages of a block", blockPages, 16, 4096);
        MediaSpec.range("blocks kept free", freeBlocks, 1, 64);
        MediaSpec.range("erase in ps", erasePs, 1, 1_000_000_000_000L);
    }

    /**
     * Returns 8 GiB, steady: 14.5 % to spare as 3.84 TB of 4 TiB of flash have, blocks of 256 pages and 3.8 ms to erase one as MQSim has them.
     */
    public static GcSpec usual() {
        return new GcSpec(8L << 30, 145, 256, 1, 3_800_000_000L, true);
    }

    /** Returns the pages that are mapped. */
    int pages() {
        return (int) (bytes / PAGE);
    }

    /** Returns the blocks of each of so many units. */
    int blocks(int units) {
        long all = (long) pages() * (PERMILLE + sparePermille) / PERMILLE;
        return (int) Math.max(freeBlocks + 3L, (all + (long) units * blockPages - 1) / ((long) units * blockPages));
    }
}
