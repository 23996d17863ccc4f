package dev.clockwire.nic.sched;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Fairness and order of the arbiters, against bounds that follow from the policies and against naive models. */
class ArbitersProperties {
    private static final int QUEUES = 40;

    private static int grant(QpArbiter arbiter) {
        arbiter.begin();
        int q = arbiter.next();
        arbiter.granted(q);
        return q;
    }

    /** With all queues ready all the time: weights in each round, and never more than a round apart. */
    @Property
    void weightsAreKeptWithinOneRound(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 9) Integer> weights) {
        QpArbiter arbiter = new WeightedRoundRobin(weights::get);
        int n = weights.size();
        int[] served = new int[n];
        for (int q = 0; q < n; q++) {
            arbiter.add(q);
        }
        int round = weights.stream().mapToInt(Integer::intValue).sum();
        for (int i = 1; i <= 5 * round; i++) {
            int q = grant(arbiter);
            served[q]++;
            arbiter.add(q);
            double least = Double.MAX_VALUE;
            double most = 0;
            for (int k = 0; k < n; k++) {
                least = Math.min(least, (double) served[k] / weights.get(k));
                most = Math.max(most, (double) served[k] / weights.get(k));
            }
            assertThat(most - least).isLessThanOrEqualTo(1.0);
            if (i % round == 0) {
                assertThat(most).isEqualTo(least);
            }
        }
    }

    /** However queues come and go: one that stays ready waits at most for what others may have in the rest of a round and in the next. */
    @Property
    void nobodyStarvesUnderWeights(
            @ForAll @Size(min = 2, max = 8) List<@IntRange(min = 1, max = 6) Integer> weights, @ForAll long seed) {
        Random random = new Random(seed);
        QpArbiter arbiter = new WeightedRoundRobin(weights::get);
        int others = weights.stream().mapToInt(Integer::intValue).sum() - weights.get(0);
        int waited = 0;
        arbiter.add(0);
        for (int i = 0; i < 500; i++) {
            arbiter.add(1 + random.nextInt(weights.size() - 1));
            int q = grant(arbiter);
            waited = q == 0 ? 0 : waited + 1;
            assertThat(waited).isLessThanOrEqualTo(2 * others);
            assertThat(arbiter.overtaken()).isBetween((long) waited, 2L * (others + weights.get(0)));
            arbiter.add(0);
        }
    }

    /** Never a lower one while a higher one is ready; equals in the order in which they got ready. */
    @Property
    void strictMeansStrict(@ForAll @Size(max = 300) List<@IntRange(min = -20, max = QUEUES - 1) Integer> steps) {
        QpArbiter arbiter = new StrictPriority(q -> q % StrictPriority.LEVELS);
        List<Deque<Integer>> model = new ArrayList<>();
        for (int level = 0; level < StrictPriority.LEVELS; level++) {
            model.add(new ArrayDeque<>());
        }
        int ready = 0;
        for (int step : steps) {
            if (step >= 0) {
                Deque<Integer> level = model.get(step % StrictPriority.LEVELS);
                if (!level.contains(step)) {
                    level.add(step);
                    ready++;
                }
                arbiter.add(step);
            } else if (ready > 0) {
                int level = StrictPriority.LEVELS - 1;
                while (model.get(level).isEmpty()) {
                    level--;
                }
                assertThat(grant(arbiter)).isEqualTo(model.get(level).remove());
                ready--;
            }
            assertThat(arbiter.size()).isEqualTo(ready);
        }
    }

    /** What is passed over is not offered until all have been looked at, costs nothing, and is not lost. */
    @Property
    void passingOverCostsNothing(
            @ForAll QueueSpec.Policy policy, @ForAll @Size(min = 1, max = 20) List<Boolean> able, @ForAll long seed) {
        QpArbiter arbiter = arbiter(policy);
        for (int q = 0; q < able.size(); q++) {
            arbiter.add(q);
        }
        TreeSet<Integer> went = new TreeSet<>();
        for (int round = 0; round < able.size() + 1; round++) {
            TreeSet<Integer> offered = new TreeSet<>();
            boolean any = false;
            long before = digest(arbiter);
            arbiter.begin();
            for (int n = arbiter.size(); n > 0; n--) {
                int q = arbiter.next();
                assertThat(offered.add(q)).as("offered once a cycle").isTrue();
                if (able.get(q)) {
                    arbiter.granted(q);
                    went.add(q);
                    any = true;
                    break;
                }
                arbiter.pass(q);
            }
            assertThat(any || digest(arbiter) == before)
                    .as("nobody went, nothing changed")
                    .isTrue();
        }
        assertThat(went).hasSize((int) able.stream().filter(x -> x).count());
        assertThat(arbiter.size()).isEqualTo(able.size() - went.size());
        assertThat(arbiter.overtaken()).as("who cannot go is not overtaken").isLessThan(able.size());
    }

    private static long digest(QpArbiter arbiter) {
        Snapshot digest = Snapshot.forDigest();
        arbiter.save(digest);
        return digest.digest();
    }

    private static QpArbiter arbiter(QueueSpec.Policy policy) {
        return switch (policy) {
            case RR -> QpArbiter.of(QueueSpec.Policy.RR, new ContextTable());
            case WRR -> new WeightedRoundRobin(q -> 1 + q % 5);
            case STRICT -> new StrictPriority(q -> q % StrictPriority.LEVELS);
        };
    }

    @Property
    void aSnapshotGoesOnInTheSameOrder(
            @ForAll QueueSpec.Policy policy, @ForAll @IntRange(min = 1, max = 200) int before, @ForAll long seed) {
        Random random = new Random(seed);
        QpArbiter one = arbiter(policy);
        for (int i = 0; i < before; i++) {
            one.add(random.nextInt(QUEUES));
            if (random.nextBoolean()) {
                grant(one);
            }
        }
        Snapshot saved = new Snapshot();
        one.save(saved);
        QpArbiter other = arbiter(policy);
        other.add(3);
        saved.rewind();
        other.load(saved);
        int[] found = new int[60];
        int[] wanted = new int[60];
        for (int i = 0; i < found.length; i++) {
            int q = random.nextInt(QUEUES);
            one.add(q);
            other.add(q);
            wanted[i] = grant(one);
            found[i] = grant(other);
        }
        assertThat(Arrays.toString(found)).isEqualTo(Arrays.toString(wanted));
        assertThat(other.overtaken()).isEqualTo(one.overtaken());
    }
}
