package dev.clockwire.roce.cm;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One end of a connection ({@code rdma_cm_id}). */
public final class CmId {
    static final long NEVER = Long.MAX_VALUE;
    private static final int MOST_CODE = 31;

    private final ConnectionManager manager;
    private final CmHandler handler;
    CmSession session;
    /** The request that began the connection, whoever sent it. */
    @Nullable
    CmReq request;

    private @Nullable CmRep reply;
    private PrivateData lastWord = PrivateData.NONE;
    private @Nullable Completion<AddressHandle> way;
    private @Nullable QueuePair qp;
    /** What ends the connection as soon as a change of its queue pair that is under way has ended. */
    private @Nullable Runnable ending;
    /** The queue pair goes to ERR. */
    private @Nullable Completion<QueuePair> erring;

    private boolean preparing;
    /** The device has failed: nothing happens here any more. */
    private boolean gone;

    /** When the rules want to hear of the time, in ps. */
    long deadline = NEVER;

    CmId(ConnectionManager manager, CmHandler handler, CmSession session) {
        this.manager = manager;
        this.handler = handler;
        this.session = session;
    }

    /** Returns where the connection is in its life. */
    public CmPhase phase() {
        return session.phase();
    }

    /** Returns the queue pair. */
    public QueuePair qp() {
        if (qp == null) {
            throw new ConfigurationException("connection 0x" + Integer.toHexString(session.localId())
                    + " has no queue pair yet: create one first");
        }
        return qp;
    }

    /** Returns the client's request: at the server the one received, at the client the one sent. */
    public CmReq request() {
        if (request == null) {
            throw new ConfigurationException("nothing has been asked for yet");
        }
        return request;
    }

    /**
     * Creates the queue pair of the connection ({@code rdma_create_qp}); it ends in INIT, so receives can be posted.
     *
     * @param access what the other side may do with memory
     */
    public Completion<QueuePair> createQp(ProtectionDomain pd, QpInit init, Set<AccessFlag> access) {
        Completion<QueuePair> whole = new Completion<>();
        Completion<QueuePair> made = pd.createQp(init);
        made.whenFailed(whole::fail);
        made.whenDone(created -> {
            qp = created;
            whole.whenFailed(error -> {
                qp = null;
                created.close();
            });
            Steps.modify(
                    created,
                    whole,
                    () -> {
                        whole.complete(created);
                        goesOn();
                    },
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).access(access));
        });
        return whole;
    }

    /**
     * Asks for a connection ({@code rdma_connect}); what becomes of it comes as an event.
     *
     * @param port of the server's service, 1 to 65535
     */
    public void connect(Gid server, int port, CmParameters parameters) {
        if (manager.isRemoved()) {
            removed();
            return;
        }
        CmReq req = manager.request(this, server, port, parameters);
        request = req;
        way = manager.way(req.primary());
        way.whenFailed(error -> tell(CmEventType.UNREACHABLE, null));
        apply(CmRules.connect(session, req, manager.times()), null);
    }

    /** Accepts ({@code rdma_accept}): prepares the queue pair, whose receives should be posted by now, and replies. */
    public void accept(CmParameters parameters) {
        if (session.phase() != CmPhase.REQ_RECEIVED) {
            throw new ConfigurationException(
                    "only a connection that was asked for can be accepted, this is in " + session.phase());
        }
        CmReq req = request();
        CmRep rep = manager.reply(this, req, parameters);
        reply = rep;
        QpAttributes receive = manager.path(
                        req.primary().remoteGid(), req.primary().localGid(), req)
                .destQpn(req.qpn())
                .rqPsn(rep.startingPsn())
                .maxDestRdAtomic(rep.responderResources());
        QpAttributes send = sends(req, req.startingPsn(), rep.initiatorDepth(), req.rnrRetry());
        prepare(receive, send, () -> apply(CmRules.accept(session, rep, req), null));
    }

    /**
     * Says that the answer to a request takes longer than the client would wait ({@code ib_send_cm_mra}).
     *
     * @param serviceTimeout code of that time: 4.096 us * 2^code, 0 to 31
     */
    public void delay(int serviceTimeout, PrivateData data) {
        CmParameters.check("service timeout code", serviceTimeout, MOST_CODE);
        apply(CmRules.delay(session, serviceTimeout, data), null);
    }

    /** Sets what the client's last message of the handshake carries, at most 224 bytes; at the latest while it hears of the response. */
    public void readyWith(PrivateData data) {
        lastWord = data.atMost(CmAttribute.RTU.privateBytes(), "an RTU");
    }

    /** Refuses ({@code rdma_reject}). */
    public void reject(PrivateData data) {
        apply(CmRules.reject(session, CmReason.CONSUMER_DEFINED, data, manager.times()), null);
    }

    /** Ends the connection ({@code rdma_disconnect}): the queue pair goes to ERR, then the other side is told. */
    public void disconnect() {
        int peer =
                session.active() ? reply == null ? 0 : reply.qpn() : request().qpn();
        toError(() -> apply(CmRules.disconnect(session, peer, manager.times()), null));
    }

    /** The device has failed. */
    void removed() {
        deadline = NEVER;
        boolean alive = session.phase() != CmPhase.TIMEWAIT && session.phase() != CmPhase.CLOSED;
        session = session.in(CmPhase.CLOSED);
        if (alive) {
            tell(CmEventType.DEVICE_REMOVAL, null);
        }
        gone = true;
    }

    /** The client has forgotten this connection. */
    void stale() {
        if (session.phase() == CmPhase.ESTABLISHED || session.phase() == CmPhase.REP_SENT) {
            disconnect();
        }
    }

    /** The device has reported COMM_EST: something arrived before the client's last message did ({@code rdma_notify}). */
    public void communicationEstablished() {
        apply(CmRules.communicationEstablished(session), null);
    }

    private static QpAttributes sends(CmReq req, int psn, int depth, int rnrRetry) {
        return new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(psn)
                .maxRdAtomic(depth)
                .timeout(req.primary().ackTimeout())
                .retryCount(req.retryCount())
                .rnrRetry(rnrRetry);
    }

    private void prepare(QpAttributes receive, QpAttributes send, Runnable then) {
        Completion<QueuePair> whole = new Completion<>();
        preparing = true;
        whole.whenFailed(error -> {
            preparing = false;
            tell(CmEventType.CONNECT_ERROR, null);
            goesOn();
        });
        Runnable prepared = () -> {
            preparing = false;
            then.run();
        };
        Steps.modify(qp(), whole, this::goesOn, prepared, receive, send);
    }

    /** A change of the queue pair has ended; returns whether the next one is to follow: not if the connection is to end, which it does now. */
    private boolean goesOn() {
        Runnable end = ending;
        ending = null;
        if (end != null) {
            preparing = false;
            end.run();
        }
        return end == null;
    }

    /** The server's reply is here: the client prepares its queue pair and says so. */
    private void answered(CmRep rep) {
        reply = rep;
        CmReq req = request();
        QpAttributes receive = manager.path(
                        req.primary().localGid(), req.primary().remoteGid(), req)
                .destQpn(rep.qpn())
                .rqPsn(req.startingPsn())
                .maxDestRdAtomic(rep.initiatorDepth());
        QpAttributes send = sends(req, rep.startingPsn(), rep.responderResources(), rep.rnrRetry());
        prepare(receive, send, () -> apply(CmRules.ready(session, lastWord), rep));
    }

    /** A message came. */
    void received(Mad mad, Completion<AddressHandle> back) {
        if (way == null || way.isFailed()) {
            way = back;
        }
        if (request == null && mad.message() instanceof CmReq req) {
            request = req;
        }
        apply(CmRules.received(session, mad, manager.times()), mad.message());
    }

    /** The deadline has passed. */
    void timeout() {
        deadline = NEVER;
        apply(CmRules.timeout(session, manager.times()), null);
    }

    private void apply(CmStep step, @Nullable CmMessage cause) {
        if (gone) {
            return;
        }
        session = step.next();
        if (step.timerPs() != CmStep.KEEP) {
            deadline = step.timerPs() == CmStep.OFF ? NEVER : manager.now() + step.timerPs();
            manager.deadline(deadline);
        }
        Mad mad = step.send();
        if (mad != null && way != null) {
            manager.send(mad, way);
        }
        CmEventType event = step.event();
        if (event == CmEventType.CONNECT_RESPONSE && cause instanceof CmRep rep) {
            tell(event, cause);
            answered(rep);
        } else if (event == CmEventType.DISCONNECTED) {
            toError(() -> tell(CmEventType.DISCONNECTED, cause));
        } else if (event != null) {
            tell(event, cause);
        }
        if (session.phase() == CmPhase.CLOSED) {
            manager.forget(this);
        }
    }

    private void toError(Runnable then) {
        QueuePair pair = qp;
        if (pair == null || pair.state() == QpState.ERR || pair.state() == QpState.RESET) {
            then.run();
            return;
        }
        Completion<QueuePair> done = erring;
        try {
            if (done == null) { // else both sides end it at the same time
                done = pair.modify(new QpAttributes().state(QpState.ERR));
                erring = done;
            }
        } catch (VerbsException refused) {
            if (refused.errno() == Errno.EIO) { // its device has failed
                then.run();
            } else if (refused.errno() == Errno.EBUSY && !preparing) { // the application changes it just now
                pair.settled().whenDone(settled -> toError(then));
            } else if (refused.errno()
                    == Errno.EBUSY) { // in the middle of a handshake: behind the step that is under way
                Runnable before = ending;
                ending = () -> {
                    if (before != null) {
                        before.run();
                    }
                    toError(then);
                };
            } else {
                throw refused;
            }
            return;
        }
        done.whenDone(reached -> then.run());
        done.whenFailed((VerbsException error) -> then.run());
    }

    private void tell(CmEventType type, @Nullable CmMessage cause) {
        if (!gone) {
            handler.event(new CmEvent(type, this, cause));
        }
    }

    /** Returns the address that a message goes to. */
    static AddressVector vector(int sgidIndex, Gid to, int flowLabel, int trafficClass, int hopLimit) {
        return new AddressVector(to, sgidIndex, 1, flowLabel, hopLimit, trafficClass, 0);
    }
}
