package dev.clockwire.storage.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {
    @Test
    void recordsWhatClientsSaw() {
        HistoryRecorder r = new HistoryRecorder(List.of("a", "b"));
        int w = r.begin(1, Kind.WRITE, 1, 7, 100);
        int x = r.begin(2, Kind.READ, 1, 99, 150);
        int never = r.begin(3, Kind.WRITE, 0, 8, 50);
        r.retried(w);
        r.end(x, Outcome.OK, 0, 0, 160);
        r.end(w, Outcome.OK, 99, 4, 300);
        assertThat(never).isEqualTo(2);
        assertThat(r.size()).isEqualTo(3);
        History h = r.history();
        assertThat(h.keys()).containsExactly("a", "b");
        assertThat(h.operations("a"))
                .containsExactly(Operation.of(3, Kind.WRITE, "a", "8", 50, Operation.NEVER, Outcome.UNKNOWN));
        assertThat(h.operations("b"))
                .containsExactly(
                        new Operation(1, Kind.WRITE, "b", "7", 100, 300, Outcome.OK, 4, 2),
                        new Operation(2, Kind.READ, "b", "", 150, 160, Outcome.OK, 0, 1));
        assertThat(h.operations("c")).isEmpty();
        assertThat(h.operations()).extracting(Operation::client).containsExactly(3, 1, 2);
    }

    @Test
    void recorderGoesOnFromASnapshot() {
        HistoryRecorder r = new HistoryRecorder(List.of("a"));
        for (int i = 0; i < 200; i++) {
            r.end(r.begin(i, Kind.WRITE, 0, i + 1, i), Outcome.OK, 0, i, i + 5);
        }
        int open = r.begin(7, Kind.READ, 0, 0, 1000);
        Snapshot s = new Snapshot();
        r.save(s);
        r.end(open, Outcome.OK, 3, 3, 1010);
        History whole = r.history();
        HistoryRecorder other = new HistoryRecorder(List.of("a"));
        other.load(s);
        assertThat(other.history().operations()).hasSize(201).isNotEqualTo(whole.operations());
        other.end(open, Outcome.OK, 3, 3, 1010);
        assertThat(other.history().operations()).isEqualTo(whole.operations());
    }

    @Test
    void recorderRefusesWhatCannotBe() {
        HistoryRecorder r = new HistoryRecorder(List.of("a"));
        assertThatThrownBy(() -> r.begin(0, Kind.READ, 1, 0, 0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("key 1 of a history; allowed: 0 to 0");
        assertThatThrownBy(() -> r.begin(0, Kind.WRITE, 0, 0, 0)).hasMessageContaining("value 0");
        int w = r.begin(0, Kind.WRITE, 0, 1, 0);
        r.end(w, Outcome.FAIL, 0, -1, 1);
        assertThatThrownBy(() -> r.end(w, Outcome.OK, 0, 1, 2)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> r.retried(1)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> r.retried(-1)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void aLabelIsWrittenOnce() {
        Ops same = new Ops().write("x", 1, 0, 5).unknownWrite("x", 7);
        assertThatThrownBy(same::history)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "key k is written twice with the same label: write \"x\" by client 0 [0 ps to 5 ps, ok, version 1] and"
                                + " write \"x\" by client 1 [7 ps to never, unknown]; labels must be unique among the writes of a key");
    }

    @Test
    void operationsSayWhatIsWrongWithThem() {
        assertThatThrownBy(() -> new Ops().write("", 1, 0, 5)).hasMessageContaining("value of a write is \"\"");
        assertThatThrownBy(() -> new Ops().write("a", -2, 0, 5)).hasMessageContaining("version is -2");
        assertThatThrownBy(() -> new Ops().write("a", 1, -1, 5)).hasMessageContaining("invoke_ps is -1");
        assertThatThrownBy(() -> new Ops().write("a", 1, 6, 5))
                .hasMessage("operation: return_ps is 5; allowed: invoke_ps (6) or later");
        assertThatThrownBy(() -> new Ops().write("a", 1, 6, Operation.NEVER))
                .hasMessageContaining("return_ps is never");
        assertThatThrownBy(() -> new Ops().add(Kind.READ, "a", 1, 0, 5, Outcome.OK, 0))
                .hasMessageContaining("attempts is 0");
        assertThatThrownBy(() -> Operation.of(-1, Kind.READ, "k", "a", 0, 5, Outcome.OK))
                .hasMessageContaining("client is -1");
        assertThatThrownBy(() -> Operation.of(0, Kind.READ, "", "a", 0, 5, Outcome.OK))
                .hasMessageContaining("key is \"\"");
    }

    /** Only an answer ends the time in which an operation may happen. */
    @Test
    void whoGaveUpMayStillHappen() {
        Operation gaveUp = Operation.of(0, Kind.WRITE, "k", "a", 0, 5, Outcome.UNKNOWN);
        Operation answered = Operation.of(0, Kind.WRITE, "k", "b", 0, 5, Outcome.OK);
        Operation later = Operation.of(1, Kind.READ, "k", "", 6, 7, Outcome.OK);
        Operation sameInstant = Operation.of(1, Kind.READ, "k", "", 5, 7, Outcome.OK);
        assertThat(gaveUp.precedes(later)).isFalse();
        assertThat(answered.precedes(later)).isTrue();
        assertThat(answered.precedes(sameInstant)).isFalse();
    }
}
