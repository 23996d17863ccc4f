package dev.clockwire.storage.ceph.osd;

/**
 * What a map says of an OSD.
 *
 * @param number of its node
 * @param incarnation of its node that began last
 * @param upFrom epoch from which on it is up
 * @param up whether it is
 */
public record OsdState(int number, int incarnation, int upFrom, boolean up) {}
