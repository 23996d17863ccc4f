package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.QpType;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is created with ({@code ibv_qp_init_attr}).
 *
 * @param type transport service
 * @param sendCq gets completions of sends
 * @param recvCq gets completions of receives; may be the same
 * @param capabilities sizes of the queues
 * @param signalAll every send makes a completion, not only those that are signalled
 * @param srq the shared queue that receives are taken from, null for an own one
 * @param gsi this is queue pair 1, over which connection managers talk; UD only
 * @param managedSends no doorbell releases its sends, only {@link QueuePair#postEnable} on another queue pair; RC only
 */
public record QpInit(
        QpType type,
        CompletionQueue sendCq,
        CompletionQueue recvCq,
        QpCapabilities capabilities,
        boolean signalAll,
        @Nullable SharedReceiveQueue srq,
        boolean gsi,
        boolean managedSends) {
    /** The number of the queue pair of connection managers. */
    public static final int GSI_QPN = 1;

    /** Creates the parameters of a usual queue pair with a receive queue of its own. */
    public QpInit(
            QpType type,
            CompletionQueue sendCq,
            CompletionQueue recvCq,
            QpCapabilities capabilities,
            boolean signalAll) {
        this(type, sendCq, recvCq, capabilities, signalAll, null, false, false);
    }

    /** Returns a queue pair whose sends and receives complete in one queue. */
    public static QpInit of(QpType type, CompletionQueue cq, QpCapabilities capabilities) {
        return new QpInit(type, cq, cq, capabilities, false);
    }

    /** Returns a copy that takes its receives from a shared queue. */
    public QpInit withSrq(SharedReceiveQueue shared) {
        return new QpInit(type, sendCq, recvCq, capabilities, signalAll, shared, gsi, managedSends);
    }

    /** Returns a copy whose sends another queue pair releases. */
    public QpInit withManagedSends() {
        return new QpInit(type, sendCq, recvCq, capabilities, signalAll, srq, gsi, true);
    }

    /** Notes in the queues that another queue pair needs them. */
    void use() {
        sendCq.life().use("create_qp");
        recvCq.life().use("create_qp");
        if (srq != null) {
            srq.life().use("create_qp");
        }
    }

    void release() {
        sendCq.life().release();
        recvCq.life().release();
        if (srq != null) {
            srq.life().release();
        }
    }

    /** Returns a copy that is queue pair 1. */
    public QpInit asGsi() {
        return new QpInit(type, sendCq, recvCq, capabilities, signalAll, srq, true, managedSends);
    }
}
