package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.QpAttr;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.ResponderSpec;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a queue pair ({@code ibv_qp_attr}) and which of them are meant ({@link #mask}): setting one puts it into the
 * mask. Fluent: {@code new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1)}.
 */
public final class QpAttributes {
    private int mask;
    private QpState state = QpState.RESET;
    private QpState currentState = QpState.RESET;
    private boolean sqdAsyncNotify;
    private boolean sqDraining;
    private int accessFlags;
    private int pkeyIndex;
    private int port = 1;
    private int qkey;
    private @Nullable AddressVector addressVector;
    private Mtu pathMtu = Mtu.MTU_1024;
    private int timeout;
    private int retryCount;
    private int rnrRetry;
    private int rqPsn;
    private int sqPsn;
    private int maxRdAtomic;
    private int maxDestRdAtomic;
    private int minRnrTimer;
    private int destQpn;

    /** Creates attributes of which none is meant. */
    public QpAttributes() {}

    /** Returns the {@link QpAttr} bits of the attributes that were set. */
    public int mask() {
        return mask;
    }

    /** Tells whether an attribute was set. */
    public boolean has(QpAttr attribute) {
        return (mask & attribute.bit()) != 0;
    }

    private QpAttributes mean(QpAttr attribute) {
        mask |= attribute.bit();
        return this;
    }

    /** Sets the state to go to. */
    public QpAttributes state(QpState x) {
        state = x;
        return mean(QpAttr.STATE);
    }

    /** Sets the state that the caller believes the queue pair is in. */
    public QpAttributes currentState(QpState x) {
        currentState = x;
        return mean(QpAttr.CUR_STATE);
    }

    /** Asks for an event when the send queue has drained, or not. */
    public QpAttributes sqdAsyncNotify(boolean x) {
        sqdAsyncNotify = x;
        return mean(QpAttr.EN_SQD_ASYNC_NOTIFY);
    }

    /** Notes for a query whether messages that had started have not ended; nothing that can be modified. */
    QpAttributes sqDraining(boolean x) {
        sqDraining = x;
        return this;
    }

    /** Tells whether the send queue is in SQD and messages that had started have not ended. */
    public boolean sqDraining() {
        return sqDraining;
    }

    /** Sets the remote operations that are allowed. */
    public QpAttributes access(Set<AccessFlag> flags) {
        accessFlags = AccessFlag.mask(flags);
        return mean(QpAttr.ACCESS_FLAGS);
    }

    /** Sets the index of the partition key. */
    public QpAttributes pkeyIndex(int x) {
        pkeyIndex = x;
        return mean(QpAttr.PKEY_INDEX);
    }

    /** Sets the physical port, from 1. */
    public QpAttributes port(int x) {
        port = x;
        return mean(QpAttr.PORT);
    }

    /** Sets the queue key of a datagram queue pair. */
    public QpAttributes qkey(int x) {
        qkey = x;
        return mean(QpAttr.QKEY);
    }

    /** Sets the way to the peer. */
    public QpAttributes addressVector(AddressVector x) {
        addressVector = x;
        return mean(QpAttr.AV);
    }

    /** Sets the path MTU. */
    public QpAttributes pathMtu(Mtu x) {
        pathMtu = x;
        return mean(QpAttr.PATH_MTU);
    }

    /** Sets the acknowledge timeout, 0 to 31: 4.096 us * 2^n, 0 = never. */
    public QpAttributes timeout(int x) {
        timeout = x;
        return mean(QpAttr.TIMEOUT);
    }

    /** Sets the tries after timeouts and sequence errors, 0 to 7. */
    public QpAttributes retryCount(int x) {
        retryCount = x;
        return mean(QpAttr.RETRY_CNT);
    }

    /** Sets the tries after receiver-not-ready, 0 to 7; 7 = endless. */
    public QpAttributes rnrRetry(int x) {
        rnrRetry = x;
        return mean(QpAttr.RNR_RETRY);
    }

    /** Sets the first PSN expected; more than 24 bits are cut. */
    public QpAttributes rqPsn(int x) {
        rqPsn = x & Psn.MASK;
        return mean(QpAttr.RQ_PSN);
    }

    /** Sets the first PSN sent; more than 24 bits are cut. */
    public QpAttributes sqPsn(int x) {
        sqPsn = x & Psn.MASK;
        return mean(QpAttr.SQ_PSN);
    }

    /** Sets the READs and atomics outstanding at most. */
    public QpAttributes maxRdAtomic(int x) {
        maxRdAtomic = x;
        return mean(QpAttr.MAX_QP_RD_ATOMIC);
    }

    /** Sets the READs and atomics of the peer that are kept. */
    public QpAttributes maxDestRdAtomic(int x) {
        maxDestRdAtomic = x;
        return mean(QpAttr.MAX_DEST_RD_ATOMIC);
    }

    /** Sets the code of the shortest wait after receiver-not-ready, 0 to 31. */
    public QpAttributes minRnrTimer(int x) {
        minRnrTimer = x;
        return mean(QpAttr.MIN_RNR_TIMER);
    }

    /** Sets the queue pair number of the peer, 24 bits. */
    public QpAttributes destQpn(int x) {
        destQpn = x;
        return mean(QpAttr.DEST_QPN);
    }

    /** Returns the state to go to. */
    public QpState state() {
        return state;
    }

    /** Returns the state that the caller believes in. */
    public QpState currentState() {
        return currentState;
    }

    /** Tells whether an event is wanted when the send queue has drained. */
    public boolean sqdAsyncNotify() {
        return sqdAsyncNotify;
    }

    /** Returns the {@link AccessFlag} mask. */
    public int accessFlags() {
        return accessFlags;
    }

    /** Returns the index of the partition key. */
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /** Returns the physical port. */
    public int port() {
        return port;
    }

    /** Returns the queue key. */
    public int qkey() {
        return qkey;
    }

    /** Returns the way to the peer, null if none was set. */
    public @Nullable AddressVector addressVector() {
        return addressVector;
    }

    /** Returns the path MTU. */
    public Mtu pathMtu() {
        return pathMtu;
    }

    /** Returns the code of the acknowledge timeout. */
    public int timeout() {
        return timeout;
    }

    /** Returns the tries after timeouts and sequence errors. */
    public int retryCount() {
        return retryCount;
    }

    /** Returns the tries after receiver-not-ready. */
    public int rnrRetry() {
        return rnrRetry;
    }

    /** Returns the first PSN expected. */
    public int rqPsn() {
        return rqPsn;
    }

    /** Returns the first PSN sent. */
    public int sqPsn() {
        return sqPsn;
    }

    /** Returns the READs and atomics outstanding at most. */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    /** Returns the READs and atomics of the peer that are kept. */
    public int maxDestRdAtomic() {
        return maxDestRdAtomic;
    }

    /** Returns the code of the shortest wait after receiver-not-ready. */
    public int minRnrTimer() {
        return minRnrTimer;
    }

    /** Returns the queue pair number of the peer. */
    public int destQpn() {
        return destQpn;
    }

    /** Takes over the attributes that are set in another object. */
    public void merge(QpAttributes from) {
        mask |= from.mask;
        state = from.has(QpAttr.STATE) ? from.state : state;
        currentState = from.has(QpAttr.CUR_STATE) ? from.currentState : currentState;
        sqdAsyncNotify = from.has(QpAttr.EN_SQD_ASYNC_NOTIFY) ? from.sqdAsyncNotify : sqdAsyncNotify;
        accessFlags = from.has(QpAttr.ACCESS_FLAGS) ? from.accessFlags : accessFlags;
        pkeyIndex = from.has(QpAttr.PKEY_INDEX) ? from.pkeyIndex : pkeyIndex;
        port = from.has(QpAttr.PORT) ? from.port : port;
        qkey = from.has(QpAttr.QKEY) ? from.qkey : qkey;
        addressVector = from.has(QpAttr.AV) ? from.addressVector : addressVector;
        pathMtu = from.has(QpAttr.PATH_MTU) ? from.pathMtu : pathMtu;
        destQpn = from.has(QpAttr.DEST_QPN) ? from.destQpn : destQpn;
        mergeCounts(from);
    }

    private void mergeCounts(QpAttributes from) {
        timeout = from.has(QpAttr.TIMEOUT) ? from.timeout : timeout;
        retryCount = from.has(QpAttr.RETRY_CNT) ? from.retryCount : retryCount;
        rnrRetry = from.has(QpAttr.RNR_RETRY) ? from.rnrRetry : rnrRetry;
        rqPsn = from.has(QpAttr.RQ_PSN) ? from.rqPsn : rqPsn;
        sqPsn = from.has(QpAttr.SQ_PSN) ? from.sqPsn : sqPsn;
        maxRdAtomic = from.has(QpAttr.MAX_QP_RD_ATOMIC) ? from.maxRdAtomic : maxRdAtomic;
        maxDestRdAtomic = from.has(QpAttr.MAX_DEST_RD_ATOMIC) ? from.maxDestRdAtomic : maxDestRdAtomic;
        minRnrTimer = from.has(QpAttr.MIN_RNR_TIMER) ? from.minRnrTimer : minRnrTimer;
    }

    /**
     * Returns what the requester of a queue pair with these attributes is told.
     *
     * @param qpn own number
     * @param pkey partition key at {@link #pkeyIndex}
     * @param portMtu MTU of the port, for datagrams
     */
    public RequesterSpec requester(QpType type, int qpn, int pkey, Mtu portMtu) {
        int mtu = (type == QpType.UD ? portMtu : pathMtu).bytes();
        return new RequesterSpec(type, mtu, qpn, destQpn, pkey, qkey, sqPsn, maxRdAtomic, retryCount, rnrRetry, 0);
    }

    /**
     * Returns what the responder of a queue pair with these attributes is told.
     *
     * @param pkey partition key at {@link #pkeyIndex}
     * @param portMtu MTU of the port, for datagrams
     */
    public ResponderSpec responder(QpType type, int pkey, Mtu portMtu) {
        int mtu = (type == QpType.UD ? portMtu : pathMtu).bytes();
        return new ResponderSpec(type, mtu, destQpn, pkey, rqPsn, accessFlags, maxDestRdAtomic, minRnrTimer, true);
    }
}
