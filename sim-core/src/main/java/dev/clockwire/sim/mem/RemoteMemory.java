package dev.clockwire.sim.mem;

/**
 * The memory of a host as seen through one of its devices.
 *
 * @param memory who watches it
 * @param device its number there, see {@link MemorySanitizer#device}
 */
public record RemoteMemory(MemorySanitizer memory, int device) {}
