package dev.clockwire.storage.check;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.check.OrderSearch.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks histories by what was read alone: is there an order of the operations, each at an instant between its call and its end, in which
 * every read returns what was written last? Each key on its own, since a history is right if that of each key is (Herlihy and Wing, 1990).
 * The search may take long where much overlaps and is wrong, so it is bounded; behind the bounds keys that are read and written as a whole are
 * still decided, by zones (Gibbons and Korach, 1997), keys of several cells are not.
 */
public final class Linearizability {
    /**
     * How far to look.
     *
     * @param operations operations of a key, at most
     * @param steps states of a key, at most; a state takes about 50 bytes
     */
    public record Bounds(int operations, long steps) {
        /** What a machine of any size decides in seconds. */
        public static final Bounds DEFAULT = new Bounds(10_000, 1_000_000);

        /** Checks the bounds. */
        public Bounds {
            if (operations < 1 || steps < 1) {
                throw new ConfigurationException(
                        "bounds of a search: " + operations + " operations, " + steps + " steps; allowed: 1 or more");
            }
        }
    }

    private Linearizability() {}

    /** Checks keys that are read and written as a whole, within the default bounds. */
    public static Verdict check(History history) {
        return check(history, Bounds.DEFAULT);
    }

    /** Checks keys that are read and written as a whole; returns the gravest verdict, the first of its kind. */
    public static Verdict check(History history, Bounds bounds) {
        Verdict all = Verdict.linearizable();
        for (String key : history.keys()) {
            all = all.or(checkKey(history.operations(key), bounds));
        }
        return all;
    }

    static Verdict checkKey(List<Operation> ops, Bounds bounds) {
        List<CellOperation> whole = new ArrayList<>();
        for (Operation op : ops) {
            whole.add(CellOperation.whole(op));
        }
        return checkCoupled(whole, bounds);
    }

    /**
     * Checks keys of several cells, of which operations read and write some: all of an operation's cells at the same instant, so that a read
     * of half a write is a violation. Cells that no operation couples are searched apart. Labels of writes are unique for each key.
     */
    public static Verdict checkCells(Collection<CellOperation> operations, Bounds bounds) {
        SortedMap<String, List<CellOperation>> keys = new TreeMap<>();
        List<Operation> plain = new ArrayList<>();
        for (CellOperation c : operations) {
            keys.computeIfAbsent(c.operation().key(), k -> new ArrayList<>()).add(c);
            plain.add(c.operation());
        }
        History.of(plain);
        Verdict all = Verdict.linearizable();
        for (List<CellOperation> ops : keys.values()) {
            for (List<CellOperation> coupled : coupled(ops)) {
                all = all.or(checkCoupled(coupled, bounds));
            }
        }
        return all;
    }

    /** Operations whose ranges of cells overlap, be it by others between them: neighbours in the order of first cells. */
    private static Collection<List<CellOperation>> coupled(List<CellOperation> ops) {
        int end = 0;
        for (CellOperation c : ops) {
            end = Math.max(end, c.end());
        }
        int[] reach = new int[end];
        for (CellOperation c : ops) {
            reach[c.firstCell()] = Math.max(reach[c.firstCell()], c.end());
        }
        int[] group = new int[end];
        int last = 0;
        int groups = 0;
        for (int cell = 0; cell < end; cell++) {
            groups += cell >= last ? 1 : 0;
            group[cell] = groups;
            last = Math.max(last, reach[cell]);
        }
        Map<Integer, List<CellOperation>> parts = new TreeMap<>();
        for (CellOperation c : ops) {
            parts.computeIfAbsent(group[c.firstCell()], g -> new ArrayList<>()).add(c);
        }
        return parts.values();
    }

    private static Verdict checkCoupled(List<CellOperation> ops, Bounds bounds) {
        String key = ops.get(0).operation().key();
        CellProblem problem = new CellProblem(ops);
        @Nullable Verdict bad = problem.unreadable();
        if (bad != null) {
            return bad;
        }
        boolean tooMany = problem.ops.size() > bounds.operations();
        Result result = tooMany ? Result.OUT_OF_STEPS : new OrderSearch(problem).run(bounds.steps());
        if (result == Result.NO_ORDER) {
            return new WitnessShrinker(problem.ops, bounds).verdict();
        }
        if (result == Result.OUT_OF_STEPS && problem.cells > 1) {
            return Verdict.undecided(
                    key,
                    tooMany
                            ? problem.ops.size() + " operations; the bound is " + bounds.operations()
                            : "no order found in " + bounds.steps() + " steps; there may be one");
        }
        List<CellOperation> clash = result == Result.ORDER ? List.of() : ZoneOrder.witness(problem);
        return clash.isEmpty() ? Verdict.linearizable() : new WitnessShrinker(clash, bounds).verdict();
    }
}
