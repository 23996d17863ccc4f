package dev.clockwire.pcie.tlp;

import org.jspecify.annotations.Nullable;

/** Rules about header fields that a receiver may check; the specification leaves most of the checks optional. */
public enum TlpRule {
    /** More data than the receiver's maximum payload size. */
    PAYLOAD_SIZE,
    /** A memory request that crosses a 4 KB boundary. */
    BOUNDARY_4K,
    /** Last enables set in a one DW request, or an enable missing in a longer one. */
    BYTE_ENABLES,
    /** Enables with gaps where a request is too long for them. */
    CONTIGUOUS_ENABLES,
    /** The four DW form with an address below 4 GB. */
    ADDRESS_FORM,
    /** An I/O or configuration request that is not one DW long. */
    ONE_DW;

    /**
     * Returns the first rule that the header breaks.
     *
     * @param maxPayload maximum payload size of the receiver in bytes
     * @return null if the header breaks none
     */
    public static @Nullable TlpRule broken(TlpHeader h, int maxPayload) {
        if (h.dataBytes() > maxPayload) {
            return PAYLOAD_SIZE;
        }
        if (h.type.isIo() || h.type.isConfiguration()) {
            return h.lengthDw == 1 && h.lastBe == 0 ? null : ONE_DW;
        }
        if (!h.type.isMemory()) {
            return null;
        }
        if ((h.address & 0xfff) + h.lengthDw * 4L > 4096) {
            return BOUNDARY_4K;
        }
        if (h.fourDw && h.address >>> 32 == 0) {
            return ADDRESS_FORM;
        }
        return h.type.isAtomic() ? null : enables(h);
    }

    private static @Nullable TlpRule enables(TlpHeader h) {
        if (h.lengthDw == 1) {
            return h.lastBe == 0 ? null : BYTE_ENABLES;
        }
        if (h.firstBe == 0 || h.lastBe == 0) {
            return BYTE_ENABLES;
        }
        boolean quadAligned = h.lengthDw == 2 && (h.address & 7) == 0;
        boolean head = h.firstBe == 0xf || h.firstBe == 0xe || h.firstBe == 0xc || h.firstBe == 8;
        boolean tail = h.lastBe == 0xf || h.lastBe == 7 || h.lastBe == 3 || h.lastBe == 1;
        return quadAligned || (head && tail) ? null : CONTIGUOUS_ENABLES;
    }
}
