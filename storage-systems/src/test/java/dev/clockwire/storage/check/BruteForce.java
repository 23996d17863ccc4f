package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The definition, tried out on all orders of all operations that may have happened; for a handful of operations of one key. */
final class BruteForce {
    private final Map<String, SortedSet<Long>> versions = new HashMap<>();
    private final boolean versioned;

    private BruteForce(List<Operation> ops, boolean versioned) {
        this.versioned = versioned;
        for (Operation op : ops) {
            SortedSet<Long> of = versions.computeIfAbsent(op.value(), v -> new TreeSet<>());
            if (op.outcome() == Outcome.OK && op.version() >= 0) {
                of.add(op.version());
            }
        }
    }

    /** Whether values alone can be explained. */
    static boolean linearizable(List<Operation> ops) {
        return new BruteForce(ops, false).explained(ops);
    }

    /** Whether values can be explained by writes in the order of their last versions. */
    static boolean linearizableByVersion(List<Operation> ops) {
        BruteForce b = new BruteForce(ops, true);
        return b.versionsAreOwnedOnce(ops) && b.explained(ops);
    }

    private boolean versionsAreOwnedOnce(List<Operation> ops) {
        List<Long> owned = new ArrayList<>();
        for (Operation op : ops) {
            if (op.isWrite()) {
                SortedSet<Long> of = of(op);
                if (of.contains(0L) || of.size() > op.attempts()) {
                    return false;
                }
                owned.addAll(of);
            } else if (op.outcome() == Outcome.OK && op.value().isEmpty() && op.version() > 0) {
                return false;
            }
        }
        return owned.size() == new TreeSet<>(owned).size();
    }

    private SortedSet<Long> of(Operation op) {
        return versions.getOrDefault(op.value(), new TreeSet<>());
    }

    private boolean explained(List<Operation> ops) {
        List<Operation> must = new ArrayList<>();
        List<Operation> may = new ArrayList<>();
        for (Operation op : ops) {
            if (op.outcome() == Outcome.OK) {
                must.add(op);
            } else if (op.isWrite() && op.outcome() == Outcome.UNKNOWN) {
                may.add(op);
            }
        }
        for (int subset = 0; subset < 1 << may.size(); subset++) {
            List<Operation> happened = new ArrayList<>(must);
            for (int i = 0; i < may.size(); i++) {
                if ((subset >> i & 1) == 1) {
                    happened.add(may.get(i));
                }
            }
            if (order(happened, "", 0)) {
                return true;
            }
        }
        return false;
    }

    private boolean order(List<Operation> left, String value, long place) {
        if (left.isEmpty()) {
            return true;
        }
        long firstEnd = left.stream()
                .min(Comparator.comparingLong(Operation::latestPs))
                .orElseThrow()
                .latestPs();
        for (Operation op : left) {
            if (op.invokePs() > firstEnd || (!op.isWrite() && !op.value().equals(value))) {
                continue;
            }
            SortedSet<Long> of = of(op);
            long next = op.isWrite() && !of.isEmpty() ? of.last() : place;
            if (versioned && op.isWrite() && !of.isEmpty() && next <= place) {
                continue;
            }
            List<Operation> rest = new ArrayList<>(left);
            rest.remove(op);
            if (order(rest, op.value(), next)) {
                return true;
            }
        }
        return false;
    }
}
