package dev.clockwire.storage.check.monitor;

import java.util.List;

/** MEM-1, MEM-2, MEM-3: chains and their heads. */
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
    public void headed(long ps, int node, int chain, long chainVer) {
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
