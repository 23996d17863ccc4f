package dev.clockwire.bench.artefact;

/**
 * Which waves are to be recorded.
 *
 * @param scope hierarchical path or last names, empty for everything
 * @param fromPs first picosecond
 * @param toPs first picosecond no longer recorded
 * @param ringPs how much of the time before the end is kept, 0 for the whole window
 */
public record WaveChoice(String scope, long fromPs, long toPs, long ringPs) {}
