package dev.clockwire.storage.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which operations are kept, and whose steps are whose. */
class OperationTrailTest {
    private static final int CLIENT = 3;
    private final OperationTrail trail = new OperationTrail();

    private void run(boolean write, long from, long ps, boolean counts) {
        int handle = trail.invoked(CLIENT, write, from);
        trail.named(CLIENT, from);
        trail.step(CLIENT, from, 0, "step", from + ps / 2);
        trail.returned(handle, from + ps, counts);
    }

    /** However many there were, each percentile has one within 1 %, and both ends are those that were. */
    @Test
    void anOperationForEachPercentile() {
        Random random = new Random(1);
        for (int i = 0; i < 50_000; i++) {
            run(true, i, 100_000 + (long) (1e6 * Math.exp(3 * random.nextGaussian())), true);
        }
        KeptOperations kept = trail.writes();
        assertThat(kept.latency().count()).isEqualTo(50_000);
        assertThat(kept.all()).hasSizeLessThan(4000);
        for (double percentile : new double[] {1, 50, 90, 99, 99.9, 99.99}) {
            long wanted = kept.latency().percentile(percentile);
            OperationSteps near = Objects.requireNonNull(kept.nearest(wanted));
            assertThat(Math.abs(near.latencyPs() - wanted) / (double) wanted).isLessThan(0.01);
            assertThat(near.count()).isEqualTo(1);
        }
        List<OperationSteps> all = kept.all();
        assertThat(all.get(0).latencyPs()).isEqualTo(kept.latency().min());
        assertThat(all.get(all.size() - 1).latencyPs()).isEqualTo(kept.latency().max());
        assertThat(all).extracting(OperationSteps::latencyPs).isSorted();
        assertThat(trail.reads().all()).isEmpty();
    }

    @Test
    void whatDoesNotCountIsNotKept() {
        run(true, 10, 5, false);
        run(false, 20, 7, true);
        assertThat(trail.writes().all()).isEmpty();
        assertThat(trail.writes().nearest(5)).isNull();
        assertThat(trail.reads().all()).extracting(OperationSteps::latencyPs).containsExactly(7L);
    }

    /** Operations under way at once, one of which is called otherwise by its second message. */
    @Test
    void stepsBelongToTheirOperation() {
        int first = trail.invoked(CLIENT, true, 0);
        trail.named(CLIENT, 7);
        int second = trail.invoked(CLIENT, false, 1);
        trail.named(CLIENT, -1);
        trail.named(CLIENT, 8); // nobody has said that it begins
        trail.step(CLIENT, 7, 1, "a", 2);
        trail.step(CLIENT, 8, 1, "stranger", 2);
        trail.step(CLIENT + 1, 7, 1, "stranger", 2);
        trail.renamed(CLIENT, -1, -2);
        trail.step(CLIENT, -1, 1, "late", 3);
        trail.step(CLIENT, -2, 1, "b", 3);
        trail.returned(second, 5, true);
        trail.step(CLIENT, -2, 1, "late", 6);
        trail.returned(first, 9, true);
        assertThat(trail.reads().all()).hasToString("[read of host 3, 1 to 5 ps: b@1+2]");
        assertThat(trail.writes().all()).hasToString("[write of host 3, 0 to 9 ps: a@1+2]");
    }
}
