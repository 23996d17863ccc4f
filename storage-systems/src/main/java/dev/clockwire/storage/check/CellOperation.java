package dev.clockwire.storage.check;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Collections;
import java.util.List;

/**
 * An operation on some neighbouring cells of a key, 4 KiB of a chunk say: all of them at one instant.
 *
 * @param operation who, when and how it ended; the value of a write is that of all its cells
 * @param firstCell index of the first cell, 0 or more
 * @param cells label of each cell as written or read
 */
public record CellOperation(Operation operation, int firstCell, List<String> cells) {
    /** More cells than the largest chunk of 64 MiB has blocks of 4 KiB. */
    static final int MOST_CELLS = 1 << 14;

    /** Checks the cells. */
    public CellOperation {
        cells = List.copyOf(cells);
        if (cells.isEmpty() || firstCell < 0 || firstCell > MOST_CELLS - cells.size()) {
            throw new ConfigurationException("operation: cells " + firstCell + " to " + (firstCell + cells.size() - 1L)
                    + "; allowed: one or more of 0 to " + (MOST_CELLS - 1));
        }
        if (operation.isWrite() && Collections.frequency(cells, operation.value()) != cells.size()) {
            throw new ConfigurationException("operation: a write of \"" + operation.value() + "\" has cells " + cells
                    + "; allowed: only the same");
        }
    }

    /** Returns the operation on a key of one cell. */
    static CellOperation whole(Operation operation) {
        return new CellOperation(operation, 0, List.of(operation.value()));
    }

    /** Returns a write of {@code count} cells. */
    public static CellOperation write(Operation operation, int firstCell, int count) {
        return new CellOperation(operation, firstCell, Collections.nCopies(count, operation.value()));
    }

    /** Returns the index behind the last cell. */
    int end() {
        return firstCell + cells.size();
    }
}
