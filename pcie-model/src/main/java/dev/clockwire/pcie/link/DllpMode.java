package dev.clockwire.pcie.link;

/** How acknowledgements, credit updates and skip ordered sets are charged to the rate of a link. */
public enum DllpMode {
    /** One ACK and one credit update, 8 bytes over all lanes each, an acknowledge limit; 4 of 1538 symbols for skips. */
    EXACT,
    /** As the public pcie-bench model: the 8 bytes are charged as 8 symbol times whatever the width. */
    PCIE_BENCH,
    /** Nothing is charged: encoding and framing only. */
    FRAMING
}
