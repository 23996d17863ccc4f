package dev.clockwire.nic.context;

/**
 * Where the context of a memory key and the translations of its pages lie in host memory, if the chip does not hold all.
 *
 * @param context address of the key's context
 * @param table address of the first page's translation; 0 of a window, which has those of its region
 * @param firstPage address of the memory's first byte, in pages
 * @param firstEntry number of the first page's translation, unlike that of any other region
 * @param endEntry number behind that of the last page's
 */
public record Translation(long context, long table, long firstPage, long firstEntry, long endEntry) {}
