package dev.clockwire.pcie.iommu;

/** The sizes of a page in the four-level tables of x86 and of its IOMMUs; a larger page ends the walk a level earlier. */
public enum PageSize {
    /** 4 KB, four levels. */
    SMALL(0, 12, 4),
    /** 2 MB, three levels. */
    LARGE(1, 21, 3),
    /** 1 GB, two levels. */
    HUGE(2, 30, 2);

    private static final PageSize[] BY_CODE = {SMALL, LARGE, HUGE};

    private final int code;
    private final int shift;
    private final int levels;

    PageSize(int code, int shift, int levels) {
        this.code = code;
        this.shift = shift;
        this.levels = levels;
    }

    /** Returns the number that stands for the size in a tag, 0 to 2. */
    int code() {
        return code;
    }

    static PageSize of(int code) {
        return BY_CODE[code];
    }

    /** Returns the size with a binary logarithm: the largest that is not larger. */
    public static PageSize ofShift(int shift) {
        return shift >= HUGE.shift ? HUGE : shift >= LARGE.shift ? LARGE : SMALL;
    }

    /** Returns how many sizes there are; {@link #numbered} has them. */
    public static int count() {
        return BY_CODE.length;
    }

    /** Returns a size by its number, the smallest first. */
    public static PageSize numbered(int number) {
        return BY_CODE[number];
    }

    /** Returns the size in bytes. */
    public long bytes() {
        return 1L << shift;
    }

    /** Returns the binary logarithm of the size. */
    public int shift() {
        return shift;
    }

    /** Returns how many table levels a walk to such a page reads. */
    public int levels() {
        return levels;
    }
}
