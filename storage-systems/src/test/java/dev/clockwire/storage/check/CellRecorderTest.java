package dev.clockwire.storage.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.storage.check.Linearizability.Bounds;
import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellRecorderTest {
    private final CellRecorder r = new CellRecorder(List.of("a", "b"));

    @Test
    void recordsWhatEachCellHeld() {
        int w = r.begin(1, Kind.WRITE, 1, 7, 2, 3, 100);
        int x = r.begin(2, Kind.READ, 1, 0, 1, 2, 150);
        r.cell(x, 2, 7);
        r.retried(w);
        r.end(x, Outcome.OK, 1, 160);
        r.end(w, Outcome.OK, 1, 200);
        int open = r.begin(3, Kind.WRITE, 0, 9, 0, 1, 300);
        assertThat(open).isEqualTo(2);
        assertThat(r.size()).isEqualTo(3);
        assertThat(r.operations())
                .containsExactly(
                        CellOperation.write(new Operation(1, Kind.WRITE, "b", "7", 100, 200, Outcome.OK, 1, 2), 2, 3),
                        new CellOperation(
                                new Operation(2, Kind.READ, "b", "", 150, 160, Outcome.OK, 1, 1), 1, List.of("", "7")),
                        CellOperation.write(
                                Operation.of(3, Kind.WRITE, "a", "9", 300, Operation.NEVER, Outcome.UNKNOWN), 0, 1));
        assertThat(Linearizability.checkCells(r.operations(), Bounds.DEFAULT).isLinearizable())
                .isTrue();
    }

    @Test
    void goesOnFromASnapshot() {
        for (int i = 0; i < 100; i++) {
            r.end(r.begin(i, Kind.WRITE, 0, i + 1, i, 2, i), Outcome.OK, i, i + 5);
        }
        int open = r.begin(7, Kind.READ, 0, 0, 5, 9, 1000);
        Snapshot s = new Snapshot();
        r.save(s);
        finish(r, open);
        CellRecorder other = new CellRecorder(List.of("a", "b"));
        other.load(s);
        assertThat(other.operations()).hasSize(101).isNotEqualTo(r.operations());
        finish(other, open);
        assertThat(other.operations()).isEqualTo(r.operations());
    }

    private static void finish(CellRecorder recorder, int open) {
        recorder.cell(open, 13, 14);
        recorder.end(open, Outcome.OK, 100, 1010);
        recorder.end(recorder.begin(8, Kind.WRITE, 1, 3, 0, 4, 2000), Outcome.FAIL, -1, 2001);
    }

    @Test
    void refusesCellsThatAreNotThere() {
        int x = r.begin(2, Kind.READ, 1, 0, 1, 2, 150);
        assertThatThrownBy(() -> r.cell(x, 3, 7)).hasMessage("operation: cell 3; allowed: 1 to 2");
        assertThatThrownBy(() -> r.cell(x, 0, 7)).hasMessage("operation: cell 0; allowed: 1 to 2");
        assertThatThrownBy(() -> r.begin(2, Kind.READ, 1, 0, 16_383, 2, 150))
                .hasMessage("operation: 2 cells from 16383; allowed: one or more of 0 to 16383");
        assertThatThrownBy(() -> r.begin(2, Kind.READ, 1, 0, 0, 0, 150)).hasMessageContaining("0 cells from 0");
        assertThatThrownBy(() -> r.begin(2, Kind.READ, 1, 0, -1, 1, 150)).hasMessageContaining("1 cells from -1");
    }
}
