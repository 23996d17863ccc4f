package dev.clockwire.storage.threefs.rpc;

/**
 * Who has slots of a node: each client those for its head's place, each other node those for each place behind a head.
 *
 * @param clients that may write to a node
 * @param nodes storage nodes
 * @param replicas of a chain
 */
public record SlotShares(int clients, int nodes, int replicas) {
    /** Returns how many shares of the same size a node's slots have. */
    public int count() {
        return clients + (nodes - 1) * Places.ofNode(replicas).count();
    }

    /** Returns machines that may write to a node, and the node. */
    public int machines() {
        return clients + nodes;
    }
}
