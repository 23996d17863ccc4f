package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Linearizability.Bounds;
import dev.clockwire.storage.check.OrderSearch.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes operations out of a history without an order for as long as the rest has none either: first by halves, in the end one by one. Only
 * reads, and writes that no read left returns: without them a history that has an order keeps it, so what is left is a proof for the whole.
 */
final class WitnessShrinker {
    /** Shrinking may take so many times the steps of a search: it stops there, and the witness is larger than it need be. */
    private static final int MOST_SEARCHES = 16;

    private final Bounds bounds;
    private List<CellOperation> ops;
    private long steps;

    WitnessShrinker(List<CellOperation> ops, Bounds bounds) {
        this.ops = ops;
        this.bounds = bounds;
        steps = MOST_SEARCHES * bounds.steps();
    }

    Verdict verdict() {
        for (int size = ops.size() / 2; size > 1; size /= 2) {
            pass(size);
        }
        for (int before = ops.size() + 1; ops.size() < before && steps > 0; ) {
            before = ops.size();
            pass(1);
        }
        List<Operation> witness = new ArrayList<>();
        for (CellOperation c : ops) {
            witness.add(shown(c));
        }
        return Verdict.violation(
                ops.get(0).operation().key(),
                Rule.NO_ORDER,
                "no order of these " + ops.size() + " operations explains what was read",
                witness);
    }

    private void pass(int size) {
        for (int from = Math.max(0, ops.size() - size); steps > 0; from -= size) {
            int start = Math.max(0, from);
            List<CellOperation> rest = without(start, Math.min(ops.size(), from + size));
            if (rest.size() < ops.size() && hasNoOrder(rest)) {
                ops = rest;
            }
            if (start == 0) {
                return;
            }
        }
    }

    private List<CellOperation> without(int from, int to) {
        Set<String> read = new TreeSet<>();
        for (int i = 0; i < ops.size(); i++) {
            if ((i < from || i >= to) && !ops.get(i).operation().isWrite()) {
                read.addAll(ops.get(i).cells());
            }
        }
        List<CellOperation> rest = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            Operation op = ops.get(i).operation();
            if (i < from || i >= to || (op.isWrite() && read.contains(op.value()))) {
                rest.add(ops.get(i));
            }
        }
        return rest;
    }

    private boolean hasNoOrder(List<CellOperation> some) {
        OrderSearch search = new OrderSearch(new CellProblem(some));
        boolean none = search.run(Math.min(steps, bounds.steps())) == Result.NO_ORDER;
        steps -= search.steps() + some.size();
        return none;
    }

    /** An operation of one cell as it is; of several, with the cells in its key and their values in its value. */
    private static Operation shown(CellOperation c) {
        Operation op = c.operation();
        if (c.firstCell() == 0 && c.cells().size() == 1 && c.cells().get(0).equals(op.value())) {
            return op;
        }
        List<String> values = new ArrayList<>();
        for (String cell : c.cells()) {
            values.add(cell.isEmpty() ? "-" : cell);
        }
        return new Operation(
                op.client(),
                op.kind(),
                op.key() + " cells " + c.firstCell() + " to " + (c.end() - 1),
                op.isWrite() ? op.value() : String.join(" ", values),
                op.invokePs(),
                op.returnPs(),
                op.outcome(),
                op.version(),
                op.attempts());
    }
}
