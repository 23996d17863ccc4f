package dev.clockwire.storage.check.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Beside a map: numbers that share a place, come, go and come back. */
class NumberedTest {
    @Test
    void itIsAMap() {
        Numbered<String> numbered = new Numbered<>();
        TreeMap<Integer, String> map = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 20_000; i++) {
            int number = random.nextInt(4) * 256 + random.nextInt(40);
            switch (random.nextInt(4)) {
                case 0 -> assertThat(numbered.put(number, "t" + i)).isEqualTo(map.put(number, "t" + i));
                case 1 -> assertThat(numbered.remove(number)).isEqualTo(map.remove(number));
                default -> assertThat(numbered.get(number)).isEqualTo(map.get(number));
            }
        }
        List<String> all = new ArrayList<>();
        numbered.forEach(all::add);
        assertThat(all).containsExactlyElementsOf(map.values());
    }
}
