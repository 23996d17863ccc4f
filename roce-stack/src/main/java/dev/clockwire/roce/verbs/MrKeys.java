package dev.clockwire.roce.verbs;

/**
 * Names of a memory region.
 *
 * @param lkey for own work requests
 * @param rkey for the peer's
 */
public record MrKeys(int lkey, int rkey) {}
