package dev.clockwire.bench.storage;

import dev.clockwire.storage.cluster.LinesSpec;

/**
 * What only large clusters have otherwise than usual.
 *
 * @param chains of 3FS, 0 = one a node
 * @param disks of a storage node, of 3FS only
 * @param lines between machines and their switch
 * @param connectOnUse whether clients of 3FS connect to a node when they first ask it
 */
public record ScaleSpec(int chains, int disks, LinesSpec lines, boolean connectOnUse) {
    /** A chain a node, a disk each, the profile's lines, connections before anything is counted. */
    public static final ScaleSpec USUAL = new ScaleSpec(0, 1, LinesSpec.PROFILE, false);
}
