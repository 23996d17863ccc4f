package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.rpc.Message;

/** Who is let in: requests made for the chain as the node knows it, for as long as nobody else can have taken the node's place. */
class Gate {
    /** Returns whether a request was made for a version of its chain. */
    boolean isFor(Message m, Chain chain) {
        return m.chainVer == chain.version();
    }

    /** Returns whether a node is where writes of clients begin. */
    boolean isHead(int node, Chain chain) {
        Target head = chain.head();
        return head != null && head.node() == node;
    }

    /**
     * Returns whether a node that runs may take part: while chains still name it for what it was before it restarted, they mean one that is gone.
     *
     * @param announced whether the node has not restarted, or has seen since that everybody knows
     */
    boolean mayServe(boolean announced) {
        return announced;
    }

    /**
     * Returns whether others may think by now that the node is gone, and go on without it.
     *
     * @param silencePs since it has heard from the manager
     * @param failPs after which the manager takes a node for lost
     */
    boolean isLeaseOver(long silencePs, long failPs) {
        return silencePs > failPs / 2;
    }
}
