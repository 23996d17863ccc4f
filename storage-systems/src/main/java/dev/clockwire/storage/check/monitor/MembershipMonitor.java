package dev.clockwire.storage.check.monitor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** MEM-1 to MEM-4: chains, their heads, and who serves. */
final class MembershipMonitor extends Monitor {
    MembershipMonitor(Replicas replicas, Findings findings) {
        super(replicas, findings);
    }

    @Override
    public void table(long ps, int chain, long chainVer, List<Integer> nodes, List<TargetState> states) {
        String who = "chain " + chain + ", version " + chainVer;
        if (!states.contains(TargetState.SERVING) && !states.contains(TargetState.LASTSRV)) {
            report(Invariant.MEM_1, ps, who, "its nodes are " + states);
        }
        if (states.indexOf(TargetState.SYNCING) != states.lastIndexOf(TargetState.SYNCING)) {
            report(Invariant.MEM_2, ps, who, "its nodes are " + states);
        }
    }

    @Override
    public void admitted(long ps, int node, int chain) {
        gone(ps, node, chain, "serves a read");
    }

    private void gone(long ps, int node, int chain, String what) {
        @Nullable ChainTable now = replicas.table(chain);
        if (now != null && now.placeOf(node) < 0) {
            report(
                    Invariant.MEM_4,
                    ps,
                    "node " + node + ", chain " + chain,
                    what + " under version " + replicas.adopted(node, chain) + ", it is " + now.stateOf(node)
                            + " in version " + now.version());
        }
    }

    @Override
    public void headed(long ps, int node, int chain, long chainVer) {
        gone(ps, node, chain, "takes a write");
        int before = replicas.headOf(chain, chainVer);
        if (before >= 0 && before != node) {
            report(
                    Invariant.MEM_3,
                    ps,
                    "chain " + chain + ", version " + chainVer,
                    "nodes " + before + " and " + node + " are both its head");
        }
    }
}
