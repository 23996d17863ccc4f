package dev.clockwire.roce.verbs;

/**
 * Sizes of the queues of a queue pair ({@code ibv_qp_cap}).
 *
 * @param maxSendWr send work requests posted and not retired
 * @param maxRecvWr receive work requests posted and not completed
 * @param maxSendSge scatter/gather entries of a send
 * @param maxRecvSge scatter/gather entries of a receive
 * @param maxInlineData bytes of inline data
 */
public record QpCapabilities(int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineData) {}
