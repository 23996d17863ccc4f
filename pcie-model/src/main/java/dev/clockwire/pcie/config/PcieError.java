package dev.clockwire.pcie.config;

/** The uncorrectable errors of a function, with their bits in the advanced error reporting capability (Linux pci_regs.h). */
public enum PcieError {
    /** Data link protocol error. */
    DATA_LINK_PROTOCOL(4),
    /** Surprise down. */
    SURPRISE_DOWN(5),
    /** Poisoned TLP received. */
    POISONED(12),
    /** Flow control protocol error. */
    FLOW_CONTROL(13),
    /** No completion in time. */
    COMPLETION_TIMEOUT(14),
    /** A request was answered with CA. */
    COMPLETER_ABORT(15),
    /** A completion of no outstanding request. */
    UNEXPECTED_COMPLETION(16),
    /** Receiver overflow. */
    RECEIVER_OVERFLOW(17),
    /** Malformed TLP. */
    MALFORMED(18),
    /** End-to-end CRC wrong. */
    ECRC(19),
    /** A request that the function does not serve. */
    UNSUPPORTED_REQUEST(20);

    private final int bit;

    PcieError(int bit) {
        this.bit = bit;
    }

    /** Returns the bit in status, mask and severity. */
    public int bit() {
        return bit;
    }
}
