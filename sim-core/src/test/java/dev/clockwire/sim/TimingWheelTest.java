package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wheel looks at its density every 2^14 events: how wide its slots are then, and that it forgets dead entries. */
class TimingWheelTest {
    private static final int PERIOD = 1 << 14;

    private final TimingWheel wheel = new TimingWheel(14, (at, key) -> (key >>> EventPort.ORDINAL_SHIFT) == 1);
    private final QueueDriver d = new QueueDriver(wheel, 1);

    /** Handles events one after the other, each {@code gap} ps after the one before. */
    private void spin(int events, long gap) {
        for (int i = 0; i < events; i++) {
            d.insert(d.now + gap, 0);
            d.instant(d.now + gap);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,3", "3,3", "8,4", "20,5", "100,7", "512,10", "513,10", "1024,12", "2000,12", "1000000,12"})
    void aSlotHoldsAboutTwoEvents(long gap, int shift) {
        spin(PERIOD - 1, gap);
        assertThat(wheel.shift).isEqualTo(12);
        spin(1, gap);
        assertThat(wheel.shift).isEqualTo(shift);
        spin(10, gap);
    }

    @Test
    void theWidthFollowsOnlyWhenItIsWrongByAFactorOfFour() {
        spin(PERIOD, 100);
        assertThat(wheel.shift).isEqualTo(7);
        spin(PERIOD, 200);
        assertThat(wheel.shift).isEqualTo(7);
        spin(PERIOD, 50);
        assertThat(wheel.shift).isEqualTo(7);
        spin(PERIOD, 400);
        assertThat(wheel.shift).isEqualTo(9);
        spin(PERIOD, 4_000_000);
        assertThat(wheel.shift).isEqualTo(12);
    }

    @Test
    void aFullWheelIsRebuiltOnlyWhenThatPays() {
        for (int i = 0; i < 5 * PERIOD; i++) {
            d.insert(1_000_000_000_000L + i, 0);
        }
        spin(PERIOD, 100);
        assertThat(wheel.shift).as("80000 events to move for 16000 handled").isEqualTo(12);
        spin(PERIOD, 100);
        assertThat(wheel.shift).isEqualTo(7);
        d.look();
    }

    private void bury(int living, int dead) {
        for (int i = 0; i < living; i++) {
            d.insert(1_000_000_000L + i, 0);
        }
        for (int i = 0; i < dead; i++) {
            wheel.insert(d.now, 2_000_000_000L + i * 1000L, (1L << EventPort.ORDINAL_SHIFT) | i << 8, 0, 0, null);
        }
        wheel.dead = dead;
        for (int i = 0; i < PERIOD; i++) {
            wheel.insert(d.now, d.now + 2048, i << 8, 0, 0, null);
            d.now = wheel.next(Long.MAX_VALUE - 1);
            wheel.pop();
        }
    }

    @ParameterizedTest
    @CsvSource({"0,65,0", "64,65,0", "65,65,65", "66,65,65", "67,65,65", "68,65,65", "0,64,64", "300,400,0"})
    void deadEntriesAreForgottenWhenTheyAreMany(int living, int dead, int left) {
        bury(living, dead);
        assertThat(wheel.dead).isEqualTo(left);
        assertThat(wheel.size).isEqualTo(living + left);
        assertThat(wheel.shift).as("the width was right").isEqualTo(12);
        if (left == 0) {
            d.look();
            for (int i = 0; i < dead; i++) {
                d.insert(3_000_000_000L + i, 0);
            }
            d.finish();
        }
    }
}
