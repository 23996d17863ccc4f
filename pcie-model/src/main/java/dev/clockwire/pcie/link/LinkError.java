package dev.clockwire.pcie.link;

/** The errors that the data link layer corrects, with their bits in the advanced error reporting capability (Linux pci_regs.h). */
public enum LinkError {
    /** A TLP arrived damaged, or one before it did not arrive. */
    BAD_TLP(6, 0),
    /** An acknowledgement or credit update arrived damaged. */
    BAD_DLLP(7, 1),
    /** The same packets were sent four times without an acknowledgement: the link is retrained. */
    REPLAY_ROLLOVER(8, 2),
    /** No acknowledgement came in time. */
    REPLAY_TIMER(12, 3);

    private final int bit;
    private final int index;

    LinkError(int bit, int index) {
        this.bit = bit;
        this.index = index;
    }

    int index() {
        return index;
    }

    /** Returns the bit in status and mask. */
    public int bit() {
        return bit;
    }
}
