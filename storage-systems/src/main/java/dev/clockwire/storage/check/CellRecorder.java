package dev.clockwire.storage.check;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Notes operations on cells of keys while a simulation runs, as {@link HistoryRecorder} does those on whole keys. */
public final class CellRecorder implements State {
    private static final int FIRST_ROOM = 64;

    private final HistoryRecorder whole;
    private int[] firstCell = new int[FIRST_ROOM];
    private int[] count = new int[FIRST_ROOM];
    private int[] start = new int[FIRST_ROOM];
    private long[] cells = new long[FIRST_ROOM];
    private int used;

    /**
     * Creates a recorder of no operations.
     *
     * @param keys names of the keys; operations name them by their index
     */
    public CellRecorder(List<String> keys) {
        whole = new HistoryRecorder(keys);
    }

    /**
     * Notes a call.
     *
     * @param written what a write writes to all its cells, not 0; ignored for a read
     * @return handle of the operation
     */
    public int begin(int client, Kind kind, int key, long written, int first, int cellCount, long ps) {
        if (first < 0 || cellCount < 1 || first > CellOperation.MOST_CELLS - cellCount) {
            throw new ConfigurationException("operation: " + cellCount + " cells from " + first
                    + "; allowed: one or more of 0 to " + (CellOperation.MOST_CELLS - 1));
        }
        int handle = whole.begin(client, kind, key, written, ps);
        room(handle + 1, used + cellCount);
        firstCell[handle] = first;
        count[handle] = cellCount;
        start[handle] = used;
        Arrays.fill(cells, used, used + cellCount, kind == Kind.WRITE ? written : 0);
        used += cellCount;
        return handle;
    }

    /** Notes what a read has read of one of its cells, 0 = never written; before its end. */
    public void cell(int handle, int cell, long read) {
        int at = cell - firstCell[handle];
        if (at < 0 || at >= count[handle]) {
            throw new ConfigurationException("operation: cell " + cell + "; allowed: " + firstCell[handle] + " to "
                    + (firstCell[handle] + count[handle] - 1));
        }
        cells[start[handle] + at] = read;
    }

    /** Notes that the client sends an operation again. */
    public void retried(int handle) {
        whole.retried(handle);
    }

    /** Notes the answer, or that the client gives up; see {@link HistoryRecorder#end}. */
    public void end(int handle, Outcome how, long named, long ps) {
        whole.end(handle, how, cells[start[handle]], named, ps);
    }

    /** Returns how many operations were begun. */
    public int size() {
        return whole.size();
    }

    /** Returns what was noted so far, in the order of the calls' notes; operations without an answer are unknown. */
    public List<CellOperation> operations() {
        List<CellOperation> ops = new ArrayList<>(whole.size());
        for (int i = 0; i < whole.size(); i++) {
            List<String> values = new ArrayList<>(count[i]);
            for (int c = 0; c < count[i]; c++) {
                values.add(HistoryRecorder.label(cells[start[i] + c]));
            }
            ops.add(new CellOperation(whole.operation(i), firstCell[i], values));
        }
        return ops;
    }

    private void room(int operations, int allCells) {
        if (operations > count.length) {
            int larger = Math.max(operations, 2 * count.length);
            firstCell = Arrays.copyOf(firstCell, larger);
            count = Arrays.copyOf(count, larger);
            start = Arrays.copyOf(start, larger);
        }
        if (allCells > cells.length) {
            cells = Arrays.copyOf(cells, Math.max(allCells, 2 * cells.length));
        }
    }

    @Override
    public void save(Snapshot out) {
        whole.save(out);
        out.putInt(used);
        for (int i = 0; i < whole.size(); i++) {
            out.putInt(firstCell[i]);
            out.putInt(count[i]);
        }
        for (int c = 0; c < used; c++) {
            out.putLong(cells[c]);
        }
    }

    @Override
    public void load(Snapshot in) {
        whole.load(in);
        used = in.getInt();
        room(whole.size(), used);
        int at = 0;
        for (int i = 0; i < whole.size(); i++) {
            firstCell[i] = in.getInt();
            count[i] = in.getInt();
            start[i] = at;
            at += count[i];
        }
        for (int c = 0; c < used; c++) {
            cells[c] = in.getLong();
        }
    }
}
