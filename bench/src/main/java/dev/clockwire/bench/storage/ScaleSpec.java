package dev.clockwire.bench.storage;

import dev.clockwire.storage.cluster.LinesSpec;
import java.util.List;

/**
 * How large a system is, and where it has what.
 *
 * @param chains of 3FS, 0 = one a node, or as many as {@code places}
 * @param places storage nodes of each chain of 3FS, counted from 0, head first; empty: nodes in turn
 * @param disks of a storage node, of 3FS only
 * @param targets of an engine of DAOS, a core each
 * @param reactors of an OSD of Ceph that polls, a core each
 * @param lines between machines and their switch
 * @param connectOnUse whether clients of 3FS connect to a node when they first ask it
 */
public record ScaleSpec(
        int chains,
        List<List<Integer>> places,
        int disks,
        int targets,
        int reactors,
        LinesSpec lines,
        boolean connectOnUse) {
    /** A chain a node, a disk, target and reactor each, the profile's lines, connections before anything is counted. */
    public static final ScaleSpec USUAL = new ScaleSpec(0, List.of(), 1, 1, 1, LinesSpec.PROFILE, false);

    /** Copies the places. */
    public ScaleSpec {
        places = places.stream().map(List::copyOf).toList();
    }

    /** Returns a copy with so many chains over nodes in turn, and so many disks in each. */
    public ScaleSpec withChains(int n, int ofNode) {
        return new ScaleSpec(n, places, ofNode, targets, reactors, lines, connectOnUse);
    }

    /** Returns a copy with other lines. */
    public ScaleSpec withLines(LinesSpec other) {
        return new ScaleSpec(chains, places, disks, targets, reactors, other, connectOnUse);
    }

    /** Returns a copy in which clients connect when they first ask, or before. */
    public ScaleSpec withConnectOnUse(boolean on) {
        return new ScaleSpec(chains, places, disks, targets, reactors, lines, on);
    }
}
