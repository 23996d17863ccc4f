package dev.clockwire.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LossesTest {
    @Test
    void anInstantOfAnOperationCountsOnceForACause() {
        StageRegistry names = new StageRegistry();
        int rate = names.id("rate");
        int numa = names.id("numa");
        JourneyLog log = new JourneyLog(64);
        log.stamp(3, names.id("post"), 0, 0, 100, 0);
        log.delay(3, names.id("a"), 1, rate, 10, 30);
        log.delay(3, names.id("b"), 2, rate, 10, 30); // the same wait, in another stage
        log.delay(3, JourneyLog.WHOLE, rate, 20, 35);
        log.delay(3, JourneyLog.WHOLE, rate, 12, 14);
        log.delay(3, JourneyLog.WHOLE, numa, 10, 12);
        log.delay(4, JourneyLog.WHOLE, rate, 10, 30); // another operation
        log.delay(4, JourneyLog.WHOLE, rate, 50, 51);
        log.queueDelay(JourneyLog.queue(3, 7), rate, 0, 1000); // counted with those that it held up
        Losses losses = new Losses(log, names);
        assertThat(losses.operations()).isEqualTo(2);
        assertThat(losses.perCause()).isEqualTo(Map.of("numa", 2L, "rate", 25L + 21L));
        assertThat(new Losses(new JourneyLog(1), names).perCause()).isEmpty();
    }
}
