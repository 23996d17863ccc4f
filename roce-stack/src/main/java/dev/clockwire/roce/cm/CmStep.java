package dev.clockwire.roce.cm;

import org.jspecify.annotations.Nullable;

/**
 * What a rule says.
 *
 * @param next the connection from now on
 * @param send a message to be sent, null if none
 * @param timerPs when the connection wants to hear of the time: so long from now, {@link #KEEP} as before, {@link #OFF} never
 * @param event what the application is told, null if nothing
 */
record CmStep(
        CmSession next,
        @Nullable Mad send,
        long timerPs,
        @Nullable CmEventType event) {
    static final long OFF = 0;
    static final long KEEP = -1;

    static CmStep nothing(CmSession s) {
        return new CmStep(s, null, KEEP, null);
    }

    static CmStep repeat(CmSession s) {
        return new CmStep(s, s.last(), KEEP, null);
    }

    /** A message that waits for its answer. */
    static CmStep ask(CmSession s, Mad mad, int retries, long waitPs, @Nullable CmEventType event) {
        return new CmStep(s.sent(mad, retries, waitPs), mad, waitPs, event);
    }

    /** A message that nobody answers. */
    static CmStep tell(CmSession s, Mad mad, @Nullable CmEventType event) {
        return new CmStep(s.sent(mad, 0, 0), mad, OFF, event);
    }

    CmStep withTimer(long ps) {
        return new CmStep(next, send, ps, event);
    }
}
