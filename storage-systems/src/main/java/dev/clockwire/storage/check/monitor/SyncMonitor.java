package dev.clockwire.storage.check.monitor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** SYNC-1: a copy that has fetched up serves only what its predecessor has. */
final class SyncMonitor extends Monitor {
    SyncMonitor(Replicas replicas, Findings findings) {
        super(replicas, findings);
    }

    @Override
    public void table(long ps, int chain, long chainVer, List<Integer> nodes, List<TargetState> states) {
        @Nullable ChainTable before = replicas.table(chain);
        int predecessor = -1;
        for (int i = 0; i < nodes.size(); i++) {
            int node = nodes.get(i);
            if (states.get(i) == TargetState.SERVING) {
                boolean fresh = before != null && before.stateOf(node) == TargetState.SYNCING;
                if (fresh
                        && predecessor >= 0
                        && replicas.serves(predecessor, chain, replicas.adopted(predecessor, chain))) {
                    compare(ps, chain, predecessor, node);
                }
                predecessor = node;
            }
        }
    }

    /** What is being written is the business of the prefix property. */
    private void compare(long ps, int chain, int predecessor, int node) {
        for (int chunk = 0; chunk < replicas.chunkCount(); chunk++) {
            long version = replicas.commitVersion(predecessor, chunk);
            boolean written = replicas.updateVersion(predecessor, chunk) != version;
            if (replicas.chainOf(chunk) == chain && !written) {
                long has = replicas.commitVersion(node, chunk);
                long pending = replicas.updateVersion(node, chunk);
                if (has != version || pending != has) {
                    report(
                            Invariant.SYNC_1,
                            ps,
                            node,
                            chunk,
                            "serves version " + has + (pending == has ? "" : ", " + pending + " is pending") + "; node "
                                    + predecessor + " has " + version);
                } else if (replicas.digest(node, chunk) != replicas.digest(predecessor, chunk)) {
                    report(
                            Invariant.SYNC_1,
                            ps,
                            node,
                            chunk,
                            "version " + has + " is not what node " + predecessor + " has");
                }
            }
        }
    }
}
