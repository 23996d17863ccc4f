package dev.clockwire.pcie.link;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Plain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may go wrong on a link. Nothing of it is built where nothing may: then no completion is checked or waited for with a clock.
 *
 * @param dataLink damaged packets and their repetition, null for a link without bit errors
 * @param tlpFaults what happens to packets in the transaction layer
 * @param completionTimeoutPs how long both ends wait for a completion; an endpoint with a configuration space does so if the range in its
 *     device control 2 is the default one. 0 if nobody waits with a clock, which needs a link that loses nothing
 */
public record LinkTroubles(@Nullable DataLinkSpec dataLink, List<TlpFault> tlpFaults, long completionTimeoutPs) {
    /** The default range ends at 50 ms; vendors advise at least 10 ms. */
    public static final long DEFAULT_TIMEOUT_PS = 10_000_000_000L;

    /** Nothing goes wrong. */
    public static final LinkTroubles NONE = new LinkTroubles(null, List.of(), 0);

    private static final long SHORTEST_PS = 50_000_000L;
    private static final long LONGEST_PS = 64_000_000_000_000L;

    /** Checks the ranges. */
    public LinkTroubles {
        tlpFaults = List.copyOf(tlpFaults);
        if (completionTimeoutPs == 0 && !tlpFaults.isEmpty()) {
            completionTimeoutPs = DEFAULT_TIMEOUT_PS;
        }
        if (completionTimeoutPs != 0 && (completionTimeoutPs < SHORTEST_PS || completionTimeoutPs > LONGEST_PS)) {
            throw new ConfigurationException("pcie.completion_timeout_us=" + us(completionTimeoutPs)
                    + ": allowed is 0 or " + us(SHORTEST_PS) + " to " + us(LONGEST_PS) + " us");
        }
    }

    private static String us(long ps) {
        return Plain.text(ps / 1e6);
    }

    /** Returns bit errors only. */
    public static LinkTroubles of(DataLinkSpec layer) {
        return new LinkTroubles(layer, List.of(), 0);
    }

    /** Returns faults in the transaction layer only, and completion timeouts after 10 ms. */
    public static LinkTroubles of(TlpFault... faults) {
        return new LinkTroubles(null, List.of(faults), 0);
    }

    /** Returns a copy with another completion timeout. */
    public LinkTroubles withTimeout(long ps) {
        return new LinkTroubles(dataLink, tlpFaults, ps);
    }

    /** Returns a copy with what happens to packets of one direction only. */
    public LinkTroubles ofDirection(boolean upstream) {
        List<TlpFault> kept =
                tlpFaults.stream().filter(f -> f.upstream() == upstream).toList();
        return new LinkTroubles(dataLink == null ? null : dataLink.ofDirection(upstream), kept, completionTimeoutPs);
    }

    /** Whether completions are checked and waited for with a clock. */
    public boolean checks() {
        return completionTimeoutPs > 0;
    }
}
