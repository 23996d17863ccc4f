package dev.clockwire.roce.verbs;

/**
 * What a shared receive queue is ({@code ibv_srq_attr}).
 *
 * @param maxWr work requests posted and not taken
 * @param maxSge scatter/gather entries of one
 * @param limit an event comes once when fewer receives are left; 0 = never. Creating ignores it
 */
public record SrqAttributes(int maxWr, int maxSge, int limit) {}
