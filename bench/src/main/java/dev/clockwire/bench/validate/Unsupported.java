package dev.clockwire.bench.validate;

import java.util.Locale;

/** Why a row cannot be answered. */
enum Unsupported {
    /** What was measured is no RDMA NIC: an FPGA board, a switch, a formula. */
    NOT_A_NIC,
    /** A vendor's expectation or pass rule, not a measurement. */
    VENDOR_RULE,
    /** A percentile of the tail: made by interrupts, clock scaling and neighbours that nobody has written down. */
    TAIL,
    /** What decides the result is a host that is not described. */
    HOST_UNKNOWN,
    /** Another transport, or another software stack on top. */
    TRANSPORT_OTHER,
    /** The memory is that of a GPU. */
    GPU,
    /** No profile stands for this device. */
    NO_PROFILE;

    /** Returns the word in documents. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
