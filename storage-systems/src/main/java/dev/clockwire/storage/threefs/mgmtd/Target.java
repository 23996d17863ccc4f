package dev.clockwire.storage.threefs.mgmtd;

/**
 * A slice of a node's disk that holds the chunks of one chain.
 *
 * @param id of the target
 * @param node number of the storage node
 * @param state what everybody knows of it
 */
public record Target(int id, int node, TargetState state) {
    /** Returns whether writes come to it: it serves, or is brought up to date. */
    public boolean isWritten() {
        return state == TargetState.SERVING || state == TargetState.SYNCING;
    }

    /** Returns a copy in another state. */
    public Target in(TargetState other) {
        return new Target(id, node, other);
    }
}
