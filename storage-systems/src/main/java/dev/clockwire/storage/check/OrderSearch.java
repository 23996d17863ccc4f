package dev.clockwire.storage.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Looks for an order of operations that explains what was read: Wing and Gong's search (J. Parallel and Distributed Computing 17, 1993) with
 * Lowe's memory of states (Concurrency and Computation 29, 2017). Calls and ends are one list in the order of time; any operation whose call
 * stands before the first end may come next. Two things make it short, both because a value is written once: a read that can come next comes
 * next, and a write does not overwrite what is still to be read.
 */
final class OrderSearch {
    /** What a search came to. */
    enum Result {
        ORDER,
        NO_ORDER,
        OUT_OF_STEPS
    }

    private final int n;
    private final boolean[] write;
    private final int[] firstCell;
    private final int[][] slots;
    private final int[] next;
    private final int[] prev;

    private final int[] cells;
    private final int[] toRead;
    private final long[] done;
    private final long[] row;
    private final StateSet seen = new StateSet();
    private final int[] order;
    private final int[][] before;
    private final int[] top;
    private int depth;

    OrderSearch(CellProblem problem) {
        n = problem.ops.size();
        write = new boolean[n];
        firstCell = new int[n];
        slots = new int[n][];
        toRead = new int[problem.slots()];
        for (int i = 0; i < n; i++) {
            CellOperation c = problem.ops.get(i);
            write[i] = c.operation().isWrite();
            firstCell[i] = problem.firstCell(i);
            slots[i] = problem.slotsOf(i);
            for (int slot : slots[i]) {
                toRead[slot] += write[i] ? 0 : 1;
            }
        }
        next = new int[2 * n + 1];
        prev = new int[2 * n + 1];
        link(problem);
        cells = new int[problem.cells];
        for (int c = 0; c < cells.length; c++) {
            cells[c] = c;
        }
        done = new long[n / Long.SIZE + 1];
        row = new long[done.length + 1];
        order = new int[n];
        before = new int[n][];
        top = new int[n + 1];
    }

    /** Calls are 0 to n - 1, ends n to 2n - 1, and 2n is the list's head. A call at the instant of an end stands before it. */
    private void link(CellProblem problem) {
        List<Integer> events = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            events.add(i);
        }
        for (int i = 0; i < n; i++) {
            events.add(n + i);
        }
        events.sort(Comparator.comparingLong(e -> e < n
                ? problem.ops.get(e).operation().invokePs()
                : problem.ops.get(e - n).operation().latestPs()));
        int last = 2 * n;
        for (int e : events) {
            next[last] = e;
            prev[e] = last;
            last = e;
        }
        next[last] = 2 * n;
        prev[2 * n] = last;
    }

    /** Searches, looking at so many states at most. */
    Result run(long steps) {
        int head = 2 * n;
        int e = next[head];
        while (next[head] != head) {
            if (seen.size() >= steps || seen.isFull()) {
                return Result.OUT_OF_STEPS;
            }
            boolean possible = e < n && isPossible(e);
            if (possible) {
                take(e);
                if (isNew()) {
                    e = next[head];
                    continue;
                }
                untake();
            }
            if (e < n && (write[e] || !possible)) {
                e = next[e];
            } else {
                e = back();
                if (e < 0) {
                    return Result.NO_ORDER;
                }
            }
        }
        return Result.ORDER;
    }

    /** Returns how many states were looked at. */
    int steps() {
        return seen.size();
    }

    private boolean isPossible(int i) {
        for (int k = 0; k < slots[i].length; k++) {
            int now = cells[firstCell[i] + k];
            if (write[i] ? toRead[now] > 0 : now != slots[i][k]) {
                return false;
            }
        }
        return true;
    }

    private void take(int i) {
        order[depth] = i;
        top[depth + 1] = Math.max(top[depth], i);
        depth++;
        done[i / Long.SIZE] |= 1L << i;
        unlink(i);
        unlink(n + i);
        if (!write[i]) {
            for (int slot : slots[i]) {
                toRead[slot]--;
            }
            return;
        }
        int[] old = new int[slots[i].length];
        for (int k = 0; k < old.length; k++) {
            old[k] = cells[firstCell[i] + k];
            cells[firstCell[i] + k] = slots[i][k];
        }
        before[depth - 1] = old;
    }

    private void untake() {
        depth--;
        int i = order[depth];
        done[i / Long.SIZE] &= ~(1L << i);
        relink(n + i);
        relink(i);
        for (int k = 0; k < slots[i].length; k++) {
            if (write[i]) {
                cells[firstCell[i] + k] = before[depth][k];
            } else {
                toRead[slots[i][k]]++;
            }
        }
    }

    /** Takes back the last write and what was read since; returns what to try instead, -1 if nothing is left. */
    private int back() {
        while (depth > 0) {
            untake();
            if (write[order[depth]]) {
                return next[order[depth]];
            }
        }
        return -1;
    }

    /**
     * Which operations are done, from the first word that is not full to the last that is not empty. What a cell holds needs no place in the
     * state: if it is still to be read it was not overwritten, so it follows; if not it does not matter.
     */
    private boolean isNew() {
        int from = 0;
        while (from < done.length - 1 && done[from] == -1L) {
            from++;
        }
        int length = 0;
        row[length++] = from;
        for (int w = from; w <= Math.max(from, top[depth] / Long.SIZE); w++) {
            row[length++] = done[w];
        }
        return seen.add(row, length);
    }

    private void unlink(int e) {
        next[prev[e]] = next[e];
        prev[next[e]] = prev[e];
    }

    private void relink(int e) {
        next[prev[e]] = e;
        prev[next[e]] = e;
    }
}
