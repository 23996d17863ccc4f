package dev.clockwire.sim.fsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.trace.Signals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FsmTest {
    private enum Phase {
        IDLE,
        FETCH,
        DONE
    }

    /** Walks through the phases, one step each 100 ps. */
    private static final class Walker extends SimNode {
        final Fsm<Phase> fsm = state(new Fsm<>(this, "phase", Phase.IDLE)
                .edge(Phase.IDLE, Phase.FETCH)
                .edge(Phase.FETCH, Phase.DONE)
                .fromAny(Phase.IDLE)
                .statistics(sim().stats()));

        Walker(Sim sim) {
            super(sim.root(), "walker");
            Timer timer = new Timer(this, "step") {
                @Override
                protected void expired(long at) {
                    switch (fsm.now()) {
                        case IDLE -> fsm.go(Phase.FETCH);
                        case FETCH -> fsm.go(Phase.DONE);
                        case DONE -> fsm.go(Phase.IDLE);
                    }
                    arm(at + 100);
                }
            };
            timer.arm(100);
        }
    }

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Walker walker = new Walker(sim);
    private final Fsm<Phase> fsm = walker.fsm;

    @Test
    void timesAndVisitsAreThoseOfTheWalk() {
        sim.run(551); // IDLE 0, FETCH 100, DONE 200, IDLE 300, FETCH 400, DONE 500
        assertThat(fsm.now()).isEqualTo(Phase.DONE);
        assertThat(fsm.since()).isEqualTo(500);
        assertThat(fsm.transitions()).isEqualTo(5);
        assertThat(fsm.visits(Phase.IDLE)).isEqualTo(2);
        assertThat(fsm.timeIn(Phase.IDLE, 551)).isEqualTo(200);
        assertThat(fsm.timeIn(Phase.FETCH, 551)).isEqualTo(200);
        assertThat(fsm.timeIn(Phase.DONE, 551)).isEqualTo(151);
        assertThat(sim.stats().value("walker.phase.transitions")).isEqualTo(5);
        assertThat(sim.stats().value("walker.phase.visits.DONE")).isEqualTo(2);
        assertThat(sim.stats().value("walker.phase.time.DONE")).isEqualTo(100);
        assertThat(fsm.name()).isEqualTo("phase");
    }

    @Test
    void anUndeclaredEdgeIsOurBugAndTellsTheStory() {
        assertThatThrownBy(() -> fsm.go(Phase.DONE))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageEndingWith(
                        "walker.phase: no edge IDLE -> DONE; from IDLE there are IDLE, FETCH; before: nothing");
        sim.run(1001);
        assertThatThrownBy(() -> fsm.go(Phase.FETCH))
                .hasMessageContaining("no edge")
                .hasMessageEndingWith("FETCH -> DONE at 800 ps, DONE -> IDLE at 900 ps, IDLE -> FETCH at 1000 ps");
        assertThat(fsm.now()).isEqualTo(Phase.FETCH);
    }

    @Test
    void wavesShowEachTransition() {
        Signals signals = new Signals();
        List<String> seen = new ArrayList<>();
        fsm.trace(signals, (signal, ps, value) -> seen.add(signals.path(signal) + "@" + ps + "=" + value), 0);
        sim.run(250);
        assertThat(seen).containsExactly("walker.phase@0=0", "walker.phase@100=1", "walker.phase@200=2");
        assertThat(signals.stateNames(0)).containsExactly("IDLE", "FETCH", "DONE");
        assertThatThrownBy(() -> fsm.trace(signals, (s, ps, v) -> {}, 0)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aRestoredMachineGoesOnAsSaved() {
        sim.run(450);
        Snapshot s = sim.save();
        sim.run(1250);
        String history = fsm.history();
        sim.restore(s);
        assertThat(fsm.now()).isEqualTo(Phase.FETCH);
        assertThat(fsm.visits(Phase.FETCH)).isEqualTo(2);
        sim.run(1250);
        assertThat(fsm.history()).isEqualTo(history);
        assertThat(fsm.transitions()).isEqualTo(12);
    }
}
