package dev.clockwire.roce.cm;

import org.jspecify.annotations.Nullable;

/**
 * The state of one connection; {@link CmRules} says how it changes.
 *
 * @param phase where it is in its life
 * @param active this is the client
 * @param localId own number
 * @param remoteId the other side's number, 0 while unknown
 * @param transactionId of the request that began it
 * @param qpn own queue pair, 0 while unknown
 * @param last the message sent last, which a repeated message of the other side is answered with
 * @param retries how often the last message may still be sent again
 * @param waitPs how long an answer to it may take
 */
record CmSession(
        CmPhase phase,
        boolean active,
        int localId,
        int remoteId,
        long transactionId,
        int qpn,
        @Nullable Mad last,
        int retries,
        long waitPs) {
    static CmSession client(int localId, long transactionId) {
        return new CmSession(CmPhase.IDLE, true, localId, 0, transactionId, 0, null, 0, 0);
    }

    static CmSession server(int localId) {
        return new CmSession(CmPhase.IDLE, false, localId, 0, 0, 0, null, 0, 0);
    }

    CmSession in(CmPhase next) {
        return new CmSession(next, active, localId, remoteId, transactionId, qpn, last, retries, waitPs);
    }

    CmSession peer(int id, long transaction) {
        return new CmSession(phase, active, localId, id, transaction, qpn, last, retries, waitPs);
    }

    CmSession own(int number) {
        return new CmSession(phase, active, localId, remoteId, transactionId, number, last, retries, waitPs);
    }

    /** A message is sent for the first time. */
    CmSession sent(Mad mad, int times, long ps) {
        return new CmSession(phase, active, localId, remoteId, transactionId, qpn, mad, times, ps);
    }

    CmSession oneRetryLess() {
        return new CmSession(phase, active, localId, remoteId, transactionId, qpn, last, retries - 1, waitPs);
    }
}
