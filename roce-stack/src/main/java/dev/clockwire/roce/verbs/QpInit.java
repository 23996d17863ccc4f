package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.QpType;

/**
 * What a queue pair is created with ({@code ibv_qp_init_attr}).
 *
 * @param type transport service
 * @param sendCq gets completions of sends
 * @param recvCq gets completions of receives; may be the same
 * @param capabilities sizes of the queues
 * @param signalAll every send makes a completion, not only those that are signalled
 */
public record QpInit(
        QpType type, CompletionQueue sendCq, CompletionQueue recvCq, QpCapabilities capabilities, boolean signalAll) {
    /** Returns a queue pair whose sends and receives complete in one queue. */
    public static QpInit of(QpType type, CompletionQueue cq, QpCapabilities capabilities) {
        return new QpInit(type, cq, cq, capabilities, false);
    }
}
