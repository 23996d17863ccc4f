package dev.clockwire.roce.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a port tells the other end of its link by DCBX. What it does not tell is null.
 *
 * @param ets its transmission selection
 * @param recommended what it recommends to the far end
 * @param pfc its priority flow control
 * @param applications priorities of applications
 */
public record DcbSettings(
        @Nullable EtsSettings ets,
        @Nullable EtsSettings recommended,
        @Nullable PfcSettings pfc,
        List<AppPriority> applications) {
    /** A port that says nothing. */
    public static final DcbSettings SILENT = new DcbSettings(null, null, null, List.of());

    /** Copies the list. */
    public DcbSettings {
        applications = List.copyOf(applications);
    }
}
