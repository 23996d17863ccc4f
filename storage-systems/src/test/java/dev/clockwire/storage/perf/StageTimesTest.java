package dev.clockwire.storage.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageTimesTest {
    private static StageTimes times() {
        return new StageTimes(1, List.of("post", "device", "response"));
    }

    /** An I/O of three stages; what is behind the last stamp belongs to the last one. */
    private static void io(StageTimes t, long post, long device, long response) {
        t.begin(0);
        t.stamp(0, 0, 1_000 + post);
        t.stamp(1, 0, 1_000 + post + device);
        t.count(0, 1_000, 1_000 + post + device + response);
    }

    @Test
    void theNearestIoIsFoundWithItsStages() {
        StageTimes t = times();
        assertThat(t.nearest(5)).isEmpty();
        io(t, 1, 2, 3);
        io(t, 10, 20, 30);
        io(t, 100, 200, 300);
        assertThat(t.nearest(0)).containsExactly(1, 2, 3);
        assertThat(t.nearest(61)).containsExactly(10, 20, 30);
        assertThat(t.nearest(1_000_000)).containsExactly(100, 200, 300);
    }

    /** An I/O that has not all stages has none of the missing ones. */
    @Test
    void aStageThatIsNotThereTakesNoTime() {
        StageTimes t = times();
        t.begin(0);
        t.stamp(1, 0, 1_007);
        t.count(0, 1_000, 1_010);
        assertThat(t.nearest(10)).containsExactly(0, 7, 3);
        assertThat(t.sumPs(1)).isEqualTo(7);
    }

    /** The ends are known of a run of any length, what lies between of its last thousands; several queues are one. */
    @Test
    void theEndsOutliveTheRing() {
        StageTimes t = times();
        io(t, 1, 1, 1);
        io(t, 1_000, 1_000, 1_000);
        io(t, 500, 500, 500);
        for (int i = 0; i < 10_000; i++) {
            io(t, 10, 20, 30);
        }
        assertThat(t.nearest(0)).containsExactly(1, 1, 1);
        assertThat(t.nearest(3_000)).containsExactly(1_000, 1_000, 1_000);
        assertThat(t.nearest(1_500)).as("overwritten").containsExactly(10, 20, 30);
        StageTimes other = times();
        io(other, 500, 500, 500);
        StageTimes both = new StageTimes(0, t.names());
        both.add(t);
        both.add(other);
        assertThat(both.nearest(1_500)).containsExactly(500, 500, 500);
        assertThat(both.count()).isEqualTo(10_004);
    }

    /** Of more I/Os than are kept the fastest and the slowest are told of still, each once, with their begin. */
    @Test
    void theLastIosAreTheExtremesToo() {
        StageTimes t = times();
        for (int i = 0; i < 5_000; i++) {
            long begun = 10L * i;
            t.begin(0);
            t.stamp(0, 0, begun + (i == 7 ? 1 : i == 9 ? 900 : 5));
            t.count(0, begun, begun + (i == 7 ? 2 : i == 9 ? 1_000 : 20 + i % 3));
        }
        List<String> seen = new ArrayList<>();
        t.each((begun, ps) -> seen.add(begun + " " + Arrays.toString(ps)));
        assertThat(seen).hasSize(4_098).startsWith("70 [1, 0, 1]", "90 [900, 0, 100]", "9040 [5, 0, 16]");
        assertThat(seen).endsWith("49990 [5, 0, 16]").doesNotHaveDuplicates();
        StageTimes few = times();
        io(few, 1, 2, 3);
        StageTimes sum = new StageTimes(0, few.names());
        sum.add(few);
        List<Long> begins = new ArrayList<>();
        sum.each((begun, ps) -> begins.add(begun));
        assertThat(begins).containsExactly(1_000L);
    }
}
