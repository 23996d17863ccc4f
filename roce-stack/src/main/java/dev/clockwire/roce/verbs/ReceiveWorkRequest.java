package dev.clockwire.roce.verbs;

import java.util.List;

/**
 * Memory for one incoming message ({@code ibv_recv_wr}).
 *
 * @param wrId a number for the completion
 * @param sges local memory; of UD, 40 bytes more than the message
 */
public record ReceiveWorkRequest(long wrId, List<ScatterGather> sges) {
    /** Copies the list. */
    public ReceiveWorkRequest {
        sges = List.copyOf(sges);
    }

    /** Returns a receive into one piece of memory. */
    public static ReceiveWorkRequest into(long wrId, ScatterGather sge) {
        return new ReceiveWorkRequest(wrId, List.of(sge));
    }
}
