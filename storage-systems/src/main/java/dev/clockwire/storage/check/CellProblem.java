package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Operations on the cells of one key as numbers, for the search. A slot is a cell of a write, or a cell before any write: what a cell holds
 * is a slot, and so is what a read wants. Writes that were not answered are here only if somebody has read them, and then they must have
 * happened: all others may as well not have.
 */
final class CellProblem {
    /** Operations that take part, in the order of their calls. */
    final List<CellOperation> ops = new ArrayList<>();
    /** Number of cells; slots below are those of cells before any write. */
    final int cells;

    private final Map<String, CellOperation> writes = new TreeMap<>();
    private final Set<String> read = new TreeSet<>();
    private final Map<String, Integer> firstSlot = new TreeMap<>();
    private final int lowest;
    private int slots;
    private @Nullable Verdict unreadable;

    CellProblem(List<CellOperation> all) {
        int begin = Integer.MAX_VALUE;
        int end = 0;
        for (CellOperation c : all) {
            begin = Math.min(begin, c.firstCell());
            end = Math.max(end, c.end());
            if (c.operation().isWrite()) {
                writes.put(c.operation().value(), c);
            }
        }
        lowest = Math.min(begin, end);
        cells = end - lowest;
        slots = cells;
        for (CellOperation c : all) {
            if (c.operation().isAnsweredRead()) {
                readAll(c);
            }
        }
        for (CellOperation c : all) {
            Operation op = c.operation();
            if (op.outcome() == Outcome.OK || (op.isWrite() && read.contains(op.value()))) {
                ops.add(c);
            }
        }
        ops.sort(Comparator.comparingLong(c -> c.operation().invokePs()));
        for (CellOperation c : ops) {
            if (c.operation().isWrite()) {
                firstSlot.put(c.operation().value(), slots);
                slots += c.cells().size();
            }
        }
    }

    private void readAll(CellOperation reader) {
        Operation op = reader.operation();
        for (int i = 0; i < reader.cells().size(); i++) {
            String label = reader.cells().get(i);
            if (label.isEmpty()) {
                continue;
            }
            @Nullable CellOperation write = writes.get(label);
            int cell = reader.firstCell() + i;
            if (write == null || cell < write.firstCell() || cell >= write.end()) {
                fail(
                        cellWords(reader, cell) + " \"" + label + "\", which nobody wrote"
                                + (write == null ? "" : " there"),
                        op);
            } else if (write.operation().outcome() == Outcome.FAIL) {
                fail(cellWords(reader, cell) + " the data of a write that was refused", write.operation(), op);
            }
            read.add(label);
        }
    }

    private void fail(String words, Operation... witness) {
        if (unreadable == null) {
            unreadable = Verdict.violation(Rule.CONTENT, words, witness);
        }
    }

    private static String cellWords(CellOperation read, int cell) {
        return "a read " + (read.cells().size() == 1 ? "" : "of cell " + cell + " ") + "returned";
    }

    /** Returns the violation of a read that no write explains, null if there is none. */
    @Nullable
    Verdict unreadable() {
        return unreadable;
    }

    int slots() {
        return slots;
    }

    /** Returns the first cell of an operation, counted from the lowest of any. */
    int firstCell(int i) {
        return ops.get(i).firstCell() - lowest;
    }

    /** Returns the slots that an operation writes, or wants to read. */
    int[] slotsOf(int i) {
        CellOperation c = ops.get(i);
        int[] of = new int[c.cells().size()];
        Arrays.setAll(of, k -> slotOf(c.cells().get(k), c.firstCell() + k));
        return of;
    }

    private int slotOf(String label, int cell) {
        @Nullable CellOperation write = writes.get(label);
        return write == null ? cell - lowest : firstSlot.getOrDefault(label, slots) + cell - write.firstCell();
    }
}
