package dev.clockwire.bench.diagnose;

/** What tools print when they give up, as far as it says why. */
final class Messages {
    /** DPDK. */
    static final String NO_HUGE_PAGES = "No available hugepages";
    /** A simulated target. */
    static final String POOL = "huge pages (-s) have";
    /** {@code ibv_reg_mr}. */
    static final String NO_MEMORY = "Cannot allocate memory";
    /** perftest. */
    static final String NO_REGION = "Couldn't allocate MR";

    private Messages() {}
}
