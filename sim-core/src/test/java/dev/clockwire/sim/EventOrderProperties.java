package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** Events and timers against a sorted set of what is due: ties, near and far times, timers moved and cancelled. */
class EventOrderProperties {
    private static final int PORTS = 20;

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void eventsComeInOrderOfTimePortAndSending(@ForAll long seed, @ForAll @IntRange(min = 2, max = 16) int wheelBits) {
        run(SimSpec.of(seed).withWheelBits(wheelBits));
    }

    @Property(tries = 20, shrinking = ShrinkingMode.OFF)
    void theSmallestWheelKeepsTheOrder(@ForAll long seed) {
        run(SimSpec.of(seed).withWheelBits(2));
    }

    @Property(tries = 20, shrinking = ShrinkingMode.OFF)
    void theSortedSetKeepsTheOrder(@ForAll long seed) {
        run(SimSpec.of(seed).withMode(KernelMode.EXHAUSTIVE));
    }

    private static void run(SimSpec spec) {
        Sim sim = new Sim(spec);
        Oracle o = new Oracle(sim);
        sim.elaborate();
        o.send(0, 5);
        long end = 1;
        while (o.seen < 3000 && !o.due.isEmpty()) {
            end += 1 + end / 50;
            sim.run(end);
            if (!o.due.isEmpty()) {
                assertThat(o.due.first().at).isGreaterThanOrEqualTo(sim.now());
            }
        }
        assertThat(o.seen).isGreaterThan(1000);
    }

    private record Due(long at, int ordinal, long count) implements Comparable<Due> {
        @Override
        public int compareTo(Due o) {
            int c = Long.compare(at, o.at);
            c = c != 0 ? c : Integer.compare(ordinal, o.ordinal);
            return c != 0 ? c : Long.compare(count, o.count);
        }
    }

    private static final class Oracle extends SimNode {
        private final TreeSet<Due> due = new TreeSet<>();
        private final RandomStream r = random("r");
        private final EventPort[] ports = new EventPort[PORTS];
        private final Timer[] timers = new Timer[PORTS];
        private final @Nullable Due[] armed = new Due[PORTS];
        private final long[] sent = new long[PORTS];
        private int seen;

        Oracle(Sim sim) {
            super(sim.root(), "oracle");
            for (int i = 0; i < PORTS; i++) {
                int j = i;
                ports[i] = new EventPort(this, "port" + i) {
                    @Override
                    protected void event(int kind, long a, long b, @Nullable Token t) {
                        hit(new Due(now(), 2 * j, a));
                    }
                };
                timers[i] = new Timer(this, "timer" + i) {
                    @Override
                    protected void expired(long at) {
                        assertThat(at).isEqualTo(now());
                        assertThat(armed()).isFalse();
                        armed[j] = null;
                        hit(new Due(at, 2 * j + 1, 0));
                    }
                };
            }
        }

        void send(int p, long at) {
            due.add(new Due(at, 2 * p, sent[p]));
            ports[p].send(at, 1, sent[p]++, 0);
        }

        private long delay() {
            int k = r.below(8);
            return 1 + (k < 5 ? r.below(4) : k < 7 ? r.below(5000) : r.below(Integer.MAX_VALUE) * (long) r.below(100));
        }

        private void hit(Due d) {
            assertThat(d).isEqualTo(due.pollFirst());
            seen++;
            for (int i = due.size() < 20 ? 2 : due.size() < 300 ? r.below(4) : 0; i > 0; i--) {
                send(r.below(PORTS), now() + delay());
            }
            for (int i = r.below(4); i > 0; i--) {
                int p = r.below(PORTS);
                Due old = armed[p];
                if (old != null) {
                    due.remove(old);
                }
                if (r.below(4) == 0) {
                    timers[p].cancel();
                    armed[p] = null;
                } else {
                    Due next = new Due(now() + delay(), 2 * p + 1, 0);
                    timers[p].arm(next.at);
                    due.add(next);
                    armed[p] = next;
                }
            }
        }
    }
}
