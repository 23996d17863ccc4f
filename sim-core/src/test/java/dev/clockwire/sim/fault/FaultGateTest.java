package dev.clockwire.sim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FaultGateTest {
    private static final FaultAction DROP = new FaultAction.Drop();

    private static final class Thing extends Token {
        final int number;

        Thing(int number) {
            this.number = number;
        }

        @Override
        protected Token copy() {
            return new Thing(number);
        }
    }

    private static final FaultFilter EVEN = t -> t instanceof Thing thing && thing.number % 2 == 0;

    /** Returns which of the things 1 to 20, one every 10 ps, are hit. */
    private static List<Integer> hits(FaultRule rule) {
        FaultGate gate = new FaultGate(rule, new RandomStream(1));
        List<Integer> hits = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            if (gate.hits(i * 10L, new Thing(i))) {
                hits.add(i);
            }
        }
        assertThat(gate.hits()).isEqualTo(hits.size());
        return hits;
    }

    private static FaultRule frames(long... numbers) {
        return FaultRule.of(
                DROP, new FaultTrigger.Frames(LongStream.of(numbers).boxed().toList()));
    }

    @Test
    void numbersCountWhatTheFilterPasses() {
        assertThat(hits(frames(1, 3))).containsExactly(1, 3);
        assertThat(hits(frames(1, 3).where(EVEN))).containsExactly(2, 6);
    }

    @Test
    void aDurationHitsEverythingWithinIt() {
        assertThat(hits(frames(2).lasting(30))).containsExactly(2, 3, 4);
        assertThat(hits(frames(2).where(EVEN).lasting(30))).containsExactly(4, 6);
        FaultRule late = FaultRule.of(new FaultAction.Delay(), new FaultTrigger.Frames(List.of(2L)));
        assertThat(hits(late.lasting(30))).as("of a delay it is the delay").containsExactly(2);
        assertThat(late.lasting(30).delayPs()).isEqualTo(30);
    }

    @Test
    void timesHitTheNextThatMatches() {
        FaultRule rule = FaultRule.of(DROP, new FaultTrigger.At(45));
        assertThat(hits(rule)).containsExactly(5);
        assertThat(hits(rule.where(EVEN))).containsExactly(6);
        assertThat(hits(rule.lasting(35))).containsExactly(5, 6, 7);
        assertThat(hits(rule.lasting(36))).containsExactly(5, 6, 7, 8);
    }

    @Test
    void anEventHitsItselfOrTheNextThatMatches() {
        FaultFilter seven = t -> t instanceof Thing thing && thing.number >= 7;
        FaultRule rule = FaultRule.of(DROP, new FaultTrigger.AtEvent("seven", seven));
        assertThat(hits(rule)).containsExactly(7);
        assertThat(hits(rule.where(EVEN))).containsExactly(8);
        assertThat(hits(rule.where(EVEN).lasting(21))).containsExactly(8, 10);
    }

    @Test
    void alwaysIsForPredicates() {
        assertThat(hits(FaultRule.of(DROP, new FaultTrigger.Always())
                        .where(t -> EVEN.matches(t) && ((Thing) t).number > 15)))
                .containsExactly(16, 18, 20);
    }

    @Test
    void certaintyAndImpossibility() {
        assertThat(hits(FaultRule.of(DROP, new FaultTrigger.Probability(1)))).hasSize(20);
        assertThat(hits(FaultRule.of(DROP, new FaultTrigger.Probability(0)))).isEmpty();
    }

    @Test
    void goesOnFromASnapshot() {
        FaultRule rule = FaultRule.of(DROP, new FaultTrigger.Probability(0.3)).lasting(25);
        FaultGate whole = new FaultGate(rule, new RandomStream(5));
        FaultGate restored = new FaultGate(rule, new RandomStream(5));
        for (int i = 1; i <= 500; i++) {
            if (i % 7 == 0) {
                Snapshot s = new Snapshot();
                whole.save(s);
                s.rewind();
                restored = new FaultGate(rule, new RandomStream(5));
                restored.load(s);
                assertThat(restored.hits()).isEqualTo(whole.hits());
            }
            Thing thing = new Thing(i);
            boolean expected = whole.hits(i * 10L, thing);
            assertThat(i < 7 || restored.hits(i * 10L, thing) == expected).isTrue();
        }
    }

    @Test
    void plansNumberTheirRulesAndRefuseNonsense() {
        FaultPlan plan = FaultPlan.of(frames(1), frames(2).named("x").in(FaultDirection.FORWARD));
        assertThat(plan.rules()).extracting(FaultRule::name).containsExactly("1", "x");
        assertThat(plan.onFrames(true)).hasSize(2);
        assertThat(plan.onFrames(false)).hasSize(1);
        assertThatThrownBy(() -> FaultPlan.of(frames(1).named("2"), frames(2)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("two fault rules are called 2");
        assertThatThrownBy(() -> frames(3, 3)).hasMessageContaining("3 follows 3");
        assertThatThrownBy(() -> new FaultTrigger.Probability(Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> frames(1).lasting(-1)).hasMessageContaining("-1 ps");
    }
}
