package dev.clockwire.roce.cm;

import org.jspecify.annotations.Nullable;

/**
 * The life of a connection as pure functions: state and what happened in, new state and what to do out. No clock and no I/O.
 * Source: InfiniBand Architecture volume 1, section 12.9, and Linux {@code drivers/infiniband/core/cm.c} where it is silent.
 */
final class CmRules {
    private static final int REFUSES_REQ = 0;
    private static final int REFUSES_REP = 1;
    private static final int REFUSES_OTHER = 2;
    private static final int DELAYS_REQ = 0;

    private CmRules() {}

    /** The client asks. */
    static CmStep connect(CmSession s, CmReq req, CmTimes times) {
        Mad mad = new Mad(s.transactionId(), req);
        CmSession next = s.own(req.qpn()).in(CmPhase.REQ_SENT);
        return CmStep.ask(next, mad, times.maxRetries(), CmTimes.ps(req.remoteResponseTimeout()), null);
    }

    /** The server accepts. It sends its reply again as often as the client said. */
    static CmStep accept(CmSession s, CmRep rep, CmReq req) {
        Mad mad = new Mad(s.transactionId(), rep);
        CmSession next = s.own(rep.qpn()).in(CmPhase.REP_SENT);
        return CmStep.ask(next, mad, req.maxCmRetries(), CmTimes.ps(req.localResponseTimeout()), null);
    }

    /** The client has prepared its queue pair. */
    static CmStep ready(CmSession s, PrivateData data) {
        Mad mad = new Mad(s.transactionId(), new CmRtu(s.localId(), s.remoteId(), data));
        return CmStep.tell(s.in(CmPhase.ESTABLISHED), mad, CmEventType.ESTABLISHED);
    }

    /** The server needs more time for a request; the client learns it anew whenever it asks again. */
    static CmStep delay(CmSession s, int serviceTimeout, PrivateData data) {
        if (s.phase() != CmPhase.REQ_RECEIVED) {
            return CmStep.nothing(s);
        }
        CmMra mra = new CmMra(s.localId(), s.remoteId(), DELAYS_REQ, serviceTimeout, data);
        return CmStep.tell(s, new Mad(s.transactionId(), mra), null);
    }

    /** One side refuses: the server a request, the client a reply. Repeated messages get the same refusal. */
    static CmStep reject(CmSession s, CmReason reason, PrivateData data, CmTimes times) {
        int what = s.active() ? REFUSES_REP : REFUSES_REQ;
        return refuse(s, what, reason, data, null, times);
    }

    private static CmStep refuse(
            CmSession s, int what, CmReason reason, PrivateData data, @Nullable CmEventType event, CmTimes times) {
        CmRej rej = new CmRej(s.localId(), s.remoteId(), what, reason.code(), PrivateData.NONE, data);
        CmSession next = s.in(CmPhase.TIMEWAIT);
        return CmStep.tell(next, new Mad(s.transactionId(), rej), event).withTimer(CmTimes.ps(times.timewait()));
    }

    /** One side ends the connection. */
    static CmStep disconnect(CmSession s, int remoteQpn, CmTimes times) {
        if (s.phase() != CmPhase.ESTABLISHED && s.phase() != CmPhase.REP_SENT) {
            return CmStep.nothing(s);
        }
        CmDreq dreq = new CmDreq(s.localId(), s.remoteId(), remoteQpn, PrivateData.NONE);
        Mad mad = new Mad(s.transactionId(), dreq);
        return CmStep.ask(s.in(CmPhase.DREQ_SENT), mad, times.maxRetries(), CmTimes.ps(times.responseTimeout()), null);
    }

    /** Something arrived on the queue pair before the RTU did: as good as one. */
    static CmStep communicationEstablished(CmSession s) {
        return s.phase() == CmPhase.REP_SENT
                ? new CmStep(s.in(CmPhase.ESTABLISHED), null, CmStep.OFF, CmEventType.ESTABLISHED)
                : CmStep.nothing(s);
    }

    /** The time that the last step asked for is over. */
    static CmStep timeout(CmSession s, CmTimes times) {
        return switch (s.phase()) {
            case REQ_SENT, REP_SENT ->
                s.retries() > 0
                        ? again(s)
                        : refuse(
                                s,
                                s.active() ? REFUSES_REQ : REFUSES_REP,
                                CmReason.TIMEOUT,
                                PrivateData.NONE,
                                CmEventType.UNREACHABLE,
                                times);
            case DREQ_SENT -> s.retries() > 0 ? again(s) : over(s, null, times);
            case TIMEWAIT -> new CmStep(s.in(CmPhase.CLOSED), null, CmStep.OFF, CmEventType.TIMEWAIT_EXIT);
            default -> CmStep.nothing(s);
        };
    }

    private static CmStep again(CmSession s) {
        return new CmStep(s.oneRetryLess(), s.last(), s.waitPs(), null);
    }

    private static CmStep over(CmSession s, @Nullable Mad send, CmTimes times) {
        CmSession next = send == null ? s : s.sent(send, 0, 0);
        return new CmStep(next.in(CmPhase.TIMEWAIT), send, CmTimes.ps(times.timewait()), CmEventType.DISCONNECTED);
    }

    /** A message for this connection came. */
    static CmStep received(CmSession s, Mad mad, CmTimes times) {
        CmMessage m = mad.message();
        if (m instanceof CmReq req) {
            return request(s, mad, req);
        } else if (m instanceof CmRep rep) {
            return reply(s, rep);
        } else if (m instanceof CmRtu) {
            return communicationEstablished(s);
        } else if (m instanceof CmRej rej) {
            return rejected(s, rej, times);
        } else if (m instanceof CmMra mra) {
            return delayed(s, mra);
        } else if (m instanceof CmDreq dreq) {
            return disconnected(s, mad, dreq, times);
        }
        return s.phase() == CmPhase.DREQ_SENT ? over(s, null, times) : CmStep.nothing(s);
    }

    private static CmStep request(CmSession s, Mad mad, CmReq req) {
        if (s.phase() == CmPhase.IDLE) {
            CmSession next = s.peer(req.localCommId(), mad.transactionId()).in(CmPhase.REQ_RECEIVED);
            return new CmStep(next, null, CmStep.OFF, CmEventType.CONNECT_REQUEST);
        }
        // the answer was lost; while the application thinks there is none
        Mad answer = s.last();
        boolean answered = answer != null
                && (answer.message() instanceof CmRep
                        || answer.message() instanceof CmRej
                        || answer.message() instanceof CmMra)
                && req.localCommId() == s.remoteId();
        return answered ? CmStep.repeat(s) : CmStep.nothing(s);
    }

    private static CmStep reply(CmSession s, CmRep rep) {
        return switch (s.phase()) {
            case REQ_SENT ->
                new CmStep(
                        s.peer(rep.localCommId(), s.transactionId()).in(CmPhase.REP_RECEIVED),
                        null,
                        CmStep.OFF,
                        CmEventType.CONNECT_RESPONSE);
            case ESTABLISHED, TIMEWAIT -> s.active() && s.last() != null ? CmStep.repeat(s) : CmStep.nothing(s);
            default -> CmStep.nothing(s);
        };
    }

    private static CmStep rejected(CmSession s, CmRej rej, CmTimes times) {
        boolean stale = rej.message() == REFUSES_OTHER && s.phase() == CmPhase.ESTABLISHED;
        return switch (s.phase()) {
            case REQ_SENT, REQ_RECEIVED, REP_RECEIVED, REP_SENT ->
                new CmStep(s.in(CmPhase.CLOSED), null, CmStep.OFF, CmEventType.REJECTED);
            case DREQ_SENT -> over(s, null, times);
            default -> stale ? over(s, null, times) : CmStep.nothing(s);
        };
    }

    /** The other side needs more time: its last word counts, not how often it was asked. */
    private static CmStep delayed(CmSession s, CmMra mra) {
        boolean fits = s.phase() == (mra.message() == DELAYS_REQ ? CmPhase.REQ_SENT : CmPhase.REP_SENT);
        if (!fits || mra.message() > 1) {
            return CmStep.nothing(s);
        }
        return CmStep.nothing(s).withTimer(CmTimes.ps(mra.serviceTimeout()) + s.waitPs());
    }

    private static CmStep disconnected(CmSession s, Mad mad, CmDreq dreq, CmTimes times) {
        if (dreq.remoteQpn() != s.qpn()) {
            return CmStep.nothing(s);
        }
        Mad drep = new Mad(mad.transactionId(), new CmDrep(s.localId(), s.remoteId(), PrivateData.NONE));
        return switch (s.phase()) {
            case ESTABLISHED, REP_SENT, REP_RECEIVED, DREQ_SENT -> over(s, drep, times);
            case TIMEWAIT -> new CmStep(s, drep, CmStep.KEEP, null);
            default -> CmStep.nothing(s);
        };
    }
}
