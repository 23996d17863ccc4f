package dev.clockwire.bench.perftest;

import dev.clockwire.roce.soft.SoftSpec;
import org.jspecify.annotations.Nullable;

/** What stands behind the verbs. */
public enum Provider {
    /** The simulated NIC, in cycles. */
    HW,
    /** The functional device: the same frames and completions, no hardware. */
    SOFT;

    /** Returns the software device, null for hardware. */
    @Nullable
    public SoftSpec soft() {
        return this == SOFT ? SoftSpec.usual() : null;
    }
}
