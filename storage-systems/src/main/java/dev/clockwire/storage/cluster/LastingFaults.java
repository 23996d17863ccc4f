package dev.clockwire.storage.cluster;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.Set;
import java.util.TreeSet;

/** What a plan and a schedule say about how long things stay wrong. */
final class LastingFaults {
    private static final long FOREVER = Long.MAX_VALUE / 8;

    private final Set<String> lost = new TreeSet<>();
    private final Set<String> back = new TreeSet<>();
    private long longestPs;

    LastingFaults(FaultPlan plan, FaultSchedule schedule) {
        plan.rules().forEach(this::add);
        for (FaultStrike s : schedule.strikes()) {
            boolean crash = s.what() == FaultStrike.What.CRASH || s.what() == FaultStrike.What.POWER;
            if (crash) {
                (s.ps() == 0 ? lost : back).add(s.on());
            } else if (s.what() == FaultStrike.What.EXIT) {
                back.add(s.on());
            }
            lasts(s.afterPs() + s.ps());
        }
    }

    private void add(FaultRule rule) {
        long begins = rule.trigger() instanceof FaultTrigger.At at ? at.ps() : 0;
        if (rule.action() instanceof FaultAction.OnNode on
                && (on.what() == NodeFault.CRASH || on.what() == NodeFault.RESTART)) {
            (rule.returns() ? back : lost).add(on.node());
        }
        if (begins < FOREVER) {
            lasts(begins + rule.forPs());
            lasts(begins + (rule.returns() ? rule.returnPs() : 0));
        }
    }

    private void lasts(long ps) {
        longestPs = Math.max(longestPs, ps);
    }

    /** Returns the longest of those that end. */
    long longestPs() {
        return longestPs;
    }

    /** Returns whether a machine that has crashed does not come back, whichever fault it was. */
    boolean keepsAway(String machine) {
        return lost.contains(machine) && !back.contains(machine);
    }
}
