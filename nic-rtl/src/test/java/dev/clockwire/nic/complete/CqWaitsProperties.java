package dev.clockwire.nic.complete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;

/** Waits for completion queues against a list of them in numbers that do not wrap. */
class CqWaitsProperties {
    private static final int QUEUES = 3;
    private static final int SLOTS = 6;
    private static final long PERIOD = 1000;

    /** A wait that has not ended. */
    private record Wait(int cqn, long until, int question) {}

    /** Gets the answers. */
    private static final class Ear extends SimNode {
        final List<Long> answers = new ArrayList<>();
        final EventPort port;

        Ear(Sim sim) {
            super(sim.root(), "ear");
            port = new EventPort(this, "port") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    answers.add(a << 40 | b);
                }
            };
        }
    }

    @Property(tries = 200)
    void eachIsLetGoOnceAndNotTooEarly(@ForAll long seed, @ForAll @LongRange(min = 0, max = 1L << 33) long start) {
        Random random = new Random(seed);
        Sim sim = new Sim(SimSpec.of(1));
        Ear ear = new Ear(sim);
        sim.elaborate();
        CqWaits waits = new CqWaits();
        waits.answer(ear.port, 7);
        long[] produced = new long[QUEUES];
        Arrays.fill(produced, start);
        Map<Integer, Wait> model = new TreeMap<>();
        for (int step = 1; step <= 300; step++) {
            List<Long> expected = new ArrayList<>();
            int cqn = random.nextInt(QUEUES);
            if (random.nextInt(40) == 0) {
                waits.refuse(cqn, sim.now() + 1);
                take(model, w -> w.cqn() == cqn, false, expected);
            } else if (random.nextBoolean()) {
                int slot = random.nextInt(SLOTS);
                long until = produced[cqn] + 1 + random.nextInt(5);
                assertThat(CqWaits.reached(produced[cqn], until & 0xFFFF_FFFFL)).isFalse();
                waits.add((long) slot << 32 | cqn, (long) step << 32 | (until & 0xFFFF_FFFFL));
                model.put(slot, new Wait(cqn, until, step));
            } else {
                produced[cqn] += 1 + random.nextInt(3);
                waits.produced(cqn, produced[cqn], sim.now() + 1);
                long now = produced[cqn];
                take(model, w -> w.cqn() == cqn && w.until() <= now, true, expected);
            }
            sim.run(sim.now() + PERIOD);
            assertThat(ear.answers).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(waits.isEmpty()).isEqualTo(model.isEmpty());
            ear.answers.clear();
        }
    }

    private static void take(Map<Integer, Wait> model, Predicate<Wait> which, boolean well, List<Long> expected) {
        model.entrySet().removeIf(e -> {
            boolean ends = which.test(e.getValue());
            if (ends) {
                expected.add((long) e.getKey() << 40 | e.getValue().question() | (well ? 1L << 32 : 0));
            }
            return ends;
        });
    }
}
