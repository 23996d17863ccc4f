package dev.clockwire.nvme.regs;

/** What stores of the host into the registers ask the controller for. */
public interface RegisterEvents {
    /** CC.EN went from 0 to 1. */
    void enable();

    /** CC.EN went from 1 to 0. */
    void disable();

    /** CC.SHN asks for a shutdown. */
    void shutdown();

    /** PMRCTL.EN has changed: the persistent memory region is to open, or to shut. */
    void persistent(boolean on);

    /** NSSR was written with the word that resets the subsystem. */
    void subsystemReset();

    /** The mask of pin or message interrupts has changed. */
    void masked();

    /**
     * A doorbell was written.
     *
     * @param completion whether of a completion queue
     * @param value the lower 16 bits
     */
    void doorbell(int queue, boolean completion, int value);
}
