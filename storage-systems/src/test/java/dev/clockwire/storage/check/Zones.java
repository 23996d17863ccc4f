package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;

/**
 * A third way to the same verdict, without search, for histories of any size: Gibbons and Korach, "Testing shared memories", SIAM J. Computing
 * 26 (1997), theorem 4.8. A write and its reads make a zone from the first end to the last call among them. A register is right if no two
 * zones whose first end comes before their last call overlap, and none of them holds a zone of the other kind.
 */
final class Zones {
    private Zones() {}

    private record Zone(long firstEnd, long lastCall) {
        boolean forward() {
            return firstEnd < lastCall;
        }
    }

    static boolean linearizable(List<Operation> ops) {
        List<Zone> zones = new ArrayList<>();
        int reads = 0;
        for (Operation write : ops) {
            if (write.isWrite() && write.outcome() != Outcome.FAIL) {
                List<Operation> of = readsOf(ops, write.value());
                if (of.stream().anyMatch(r -> r.precedes(write))) {
                    return false;
                }
                reads += of.size();
                if (write.outcome() == Outcome.OK || !of.isEmpty()) {
                    zones.add(zone(of, write.latestPs(), write.invokePs()));
                }
            }
        }
        List<Operation> initial = readsOf(ops, "");
        zones.add(zone(initial, -1, -1));
        long all = ops.stream().filter(Operation::isAnsweredRead).count();
        return reads + initial.size() == all && allFit(zones);
    }

    private static boolean allFit(List<Zone> zones) {
        for (int a = 0; a < zones.size(); a++) {
            for (int b = 0; b < zones.size(); b++) {
                if (a != b && !fit(zones.get(a), zones.get(b))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean fit(Zone a, Zone b) {
        if (!a.forward()) {
            return true;
        }
        return b.forward()
                ? a.lastCall <= b.firstEnd || b.lastCall <= a.firstEnd
                : !(a.firstEnd < b.lastCall && b.firstEnd < a.lastCall);
    }

    private static List<Operation> readsOf(List<Operation> ops, String value) {
        return ops.stream()
                .filter(o -> o.isAnsweredRead() && o.value().equals(value))
                .toList();
    }

    private static Zone zone(List<Operation> reads, long end, long call) {
        long firstEnd = end;
        long lastCall = call;
        for (Operation r : reads) {
            firstEnd = Math.min(firstEnd, r.returnPs());
            lastCall = Math.max(lastCall, r.invokePs());
        }
        return new Zone(firstEnd, lastCall);
    }
}
