package dev.clockwire.sim.reg;

/** How software may access a field. */
public enum Access {
    /** Read only; writes are ignored. */
    RO,
    /** Read and write. */
    RW,
    /** Write only; reads as zero. */
    WO,
    /** Read, and clear the bits that are written as one; hardware sets them. */
    RW1C
}
