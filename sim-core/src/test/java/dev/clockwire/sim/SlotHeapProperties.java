package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** The rows of one slot against a priority queue: few, many, and back. */
class SlotHeapProperties {
    private final SlotHeap heap = new SlotHeap();
    private final PriorityQueue<long[]> wanted =
            new PriorityQueue<>(Comparator.<long[]>comparingLong(x -> x[0]).thenComparingLong(x -> x[1]));
    private int rows;

    private void push(RandomStream r) {
        long[] x = {r.below(12), ((long) r.below(1000) << 20) | rows, rows++};
        heap.push(x[0], x[1], (int) x[2]);
        wanted.add(x);
    }

    private void pop() {
        long[] x = wanted.remove();
        assertThat(heap.isEmpty()).isFalse();
        assertThat(heap.top()).isEqualTo(x[0]);
        assertThat(heap.pop()).isEqualTo((int) x[2]);
        assertThat(heap.isEmpty()).isEqualTo(wanted.isEmpty());
    }

    private void drain() {
        List<Integer> rest = new ArrayList<>();
        wanted.forEach(x -> rest.add((int) x[2]));
        int[] to = new int[rest.size() + 7];
        Arrays.fill(to, -1);
        assertThat(heap.drain(to, 3)).isEqualTo(3 + rest.size());
        assertThat(Arrays.stream(to, 3, 3 + rest.size()).boxed()).containsExactlyInAnyOrderElementsOf(rest);
        assertThat(to[2]).isEqualTo(-1);
        assertThat(to[3 + rest.size()]).isEqualTo(-1);
        assertThat(heap.isEmpty()).isTrue();
        wanted.clear();
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void rowsComeByTimeAndKey(@ForAll long seed) {
        RandomStream r = RandomStream.named(seed, "heap");
        for (int round = 0; round < 30; round++) {
            for (int n = r.below(4) == 0 ? r.below(200) : r.below(30); n > 0; n--) {
                push(r);
                if (r.below(3) == 0) {
                    pop();
                }
            }
            for (int n = r.below(wanted.size() + 1); n > 0; n--) {
                pop();
            }
            if (r.below(4) == 0) {
                drain();
            }
        }
    }
}
