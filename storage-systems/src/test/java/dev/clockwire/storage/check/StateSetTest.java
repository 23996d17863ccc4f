package dev.clockwire.storage.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StateSetTest {
    /** As a set of lists does, over many rows of few values, which begin alike. */
    @Test
    void knowsWhatItHasSeen() {
        Random random = new Random(5);
        StateSet set = new StateSet();
        Set<List<Long>> expected = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            long[] row = random.longs(1 + random.nextInt(6), 0, 5).toArray();
            int length = 1 + random.nextInt(row.length);
            List<Long> same = Arrays.stream(row, 0, length).boxed().toList();
            assertThat(set.add(row, length)).isEqualTo(expected.add(same));
        }
        assertThat(set.size()).isEqualTo(expected.size());
        assertThat(set.isFull()).isFalse();
    }
}
