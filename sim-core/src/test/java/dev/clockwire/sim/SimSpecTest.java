package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies change what they say and nothing else; ranges include their ends. */
class SimSpecTest {
    private static final SimSpec BASE = SimSpec.of(9);

    private static Set<String> changed(SimSpec x) throws ReflectiveOperationException {
        Set<String> names = new TreeSet<>();
        for (var c : SimSpec.class.getRecordComponents()) {
            if (!c.getAccessor().invoke(BASE).equals(c.getAccessor().invoke(x))) {
                names.add(c.getName());
            }
        }
        return names;
    }

    @Test
    void copiesChangeOneThing() throws ReflectiveOperationException {
        assertThat(BASE.seed()).isEqualTo(9);
        assertThat(changed(BASE.withMode(KernelMode.EXHAUSTIVE))).containsExactly("mode");
        assertThat(changed(BASE.withLoop(LoopKind.PLAIN))).containsExactly("loop");
        assertThat(changed(BASE.withFullHash(true))).containsExactly("fullHash");
        assertThat(changed(BASE.withWheelBits(2))).containsExactly("wheelBits");
        assertThat(changed(BASE.withWatchdogPs(5))).containsExactly("watchdogPs");
        assertThat(changed(BASE.withShuffle(3, 4))).containsExactly("shuffleEvaluation", "shuffleScheduling");
        assertThat(changed(BASE.withChecked(true))).containsExactly("checked");
        SimSpec all = BASE.withMode(KernelMode.EXHAUSTIVE)
                .withLoop(LoopKind.PLAIN)
                .withFullHash(true)
                .withWheelBits(2)
                .withWatchdogPs(5)
                .withShuffle(3, 4)
                .withChecked(true);
        assertThat(all)
                .isEqualTo(new SimSpec(9, KernelMode.EXHAUSTIVE, LoopKind.PLAIN, true, 2, 5, 3, 4, true))
                .isEqualTo(all.withWheelBits(2).withMode(KernelMode.EXHAUSTIVE));
    }

    @Test
    void theSlowWayIsForTests() {
        assertThat(BASE.careful()).isFalse();
        assertThat(BASE.withShuffle(0, 4).careful()).isFalse();
        assertThat(BASE.withShuffle(4, 0).careful()).isTrue();
        assertThat(BASE.withChecked(true).careful()).isTrue();
        assertThat(BASE.withMode(KernelMode.EXHAUSTIVE).careful()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16})
    void theSmallestAndTheLargestWheel(int bits) {
        assertThat(BASE.withWheelBits(bits).wheelBits()).isEqualTo(bits);
    }

    @Test
    void rangesEnd() {
        assertThat(BASE.withWatchdogPs(0).watchdogPs()).isZero();
        assertThatThrownBy(() -> BASE.withWheelBits(17)).hasMessageContaining("wheelBits 17 is not in 2..16");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1000001,1000000", "1000000000000,1", "1000000000000,999999", "2000000000000,2"})
    void theLimitsOfAPeriod(long num, long den) {
        Frequency f = Frequency.ofPeriodPs(num, den);
        assertThat((double) f.periodNum() / f.periodDen()).isEqualTo((double) num / den);
    }

    @Test
    void periodsBeyondTheLimits() {
        assertThatThrownBy(() -> Frequency.ofPeriodPs(1_000_000_000_001L, 1)).hasMessageContaining("numerator");
        assertThatThrownBy(() -> Frequency.ofPeriodPs(1_000_003, 1_000_001)).hasMessageContaining("denominator");
        assertThatThrownBy(() -> Frequency.ofPeriodPs(999_999, 1_000_000)).hasMessageContaining("at least 1 ps");
        assertThatThrownBy(() -> Frequency.ofPeriodPs(1, 0)).hasMessageContaining("1/0 ps is not positive");
    }
}
