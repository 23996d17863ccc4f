package dev.clockwire.bench.config.model;

/** What can be set for a priority of a port. */
public enum ClassKey {
    /** PFC: its sender is paused rather than its frames lost. */
    LOSSLESS(""),
    /** Bytes for what is under way when its sender is stopped. */
    HEADROOM("B"),
    /** Fixed threshold of a pause. */
    XOFF("B"),
    /** Threshold of a pause: 2^n x the free shared bytes. */
    ALPHA_LOG2(""),
    /** Bytes that nobody else can take. */
    RESERVE("B"),
    /** Bytes below the threshold at which a paused sender is let go. */
    OFFSET("B"),
    /** Queue from which on some are marked. */
    KMIN("B"),
    /** Queue from which on all are marked. */
    KMAX("B"),
    /** Share of marks at Kmax. */
    PMAX(""),
    /** The queue is averaged with weight 2^-n. */
    AVERAGE(""),
    /** Marks instead of drops. */
    ECN(""),
    /** Is sent before all that share. */
    STRICT(""),
    /** Weight among those that share. */
    SHARE(""),
    /** Notification point is on. */
    NP(""),
    /** Reaction point is on. */
    RP(""),
    /** Traffic class that sends it. */
    TC(""),
    /** Receive buffer that it fills. */
    RECEIVE(""),
    /** Size of the receive buffer of this number. */
    RECEIVE_BYTES("B");

    private final String unit;

    ClassKey(String unit) {
        this.unit = unit;
    }

    /** Returns the unit, empty if there is none. */
    public String unit() {
        return unit;
    }
}
