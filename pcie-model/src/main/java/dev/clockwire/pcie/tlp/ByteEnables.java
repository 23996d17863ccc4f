package dev.clockwire.pcie.tlp;

/** Byte enables and DW length of a contiguous range of bytes. */
public final class ByteEnables {
    private ByteEnables() {}

    /** Returns the DWs that the bytes touch; a range of no bytes still has one, the flush form of a read. */
    public static int lengthDw(long address, int bytes) {
        return bytes == 0 ? 1 : ((int) (address & 3) + bytes + 3) >> 2;
    }

    /** Returns the enables of the first DW, bit 0 for the lowest address. */
    public static int first(long address, int bytes) {
        int offset = (int) (address & 3);
        if (offset + bytes >= 4) {
            return (0xf << offset) & 0xf;
        }
        return ((1 << bytes) - 1) << offset;
    }

    /** Returns the enables of the last DW, 0 if the range has only one DW. */
    public static int last(long address, int bytes) {
        if (lengthDw(address, bytes) == 1) {
            return 0;
        }
        int end = (int) (address + bytes & 3);
        return end == 0 ? 0xf : (1 << end) - 1;
    }

    /**
     * Returns the bytes from the first enabled to the last enabled one, both included, which is the byte count of the
     * first completion; a request that enables nothing counts 1.
     */
    public static int span(int lengthDw, int firstBe, int lastBe) {
        if (lengthDw == 1) {
            return firstBe == 0
                    ? 1
                    : 32 - Integer.numberOfLeadingZeros(firstBe) - Integer.numberOfTrailingZeros(firstBe);
        }
        int head = firstBe == 0 ? 0 : Integer.numberOfTrailingZeros(firstBe);
        int tail = lastBe == 0 ? 0 : Integer.numberOfLeadingZeros(lastBe) - 28;
        return lengthDw * 4 - head - tail;
    }

    /** Returns the offset of the first enabled byte in the first DW; 0 if none is enabled. */
    public static int offset(int firstBe) {
        return firstBe == 0 ? 0 : Integer.numberOfTrailingZeros(firstBe);
    }
}
