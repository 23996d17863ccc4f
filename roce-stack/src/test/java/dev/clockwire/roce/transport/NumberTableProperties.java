package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A table of numbers does what a map does. */
class NumberTableProperties {
    @Property(tries = 200)
    void itIsAMap(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int steps, @ForAll @IntRange(max = 2) int kind) {
        Random random = new Random(seed);
        Map<Integer, String> map = new TreeMap<>();
        NumberTable<String> table = new NumberTable<>();
        for (int i = 0; i < steps; i++) {
            int number = number(random, kind);
            if (random.nextInt(3) == 0) {
                map.remove(number);
                table.remove(number);
            } else {
                map.put(number, "value " + i);
                table.put(number, "value " + i);
            }
            assertThat(table.size()).isEqualTo(map.size());
            assertThat(table.get(number)).isEqualTo(map.get(number));
        }
        map.forEach((number, value) -> assertThat(table.get(number)).isEqualTo(value));
        for (int i = 0; i < 50; i++) {
            int number = number(random, kind);
            assertThat(table.get(number)).isEqualTo(map.get(number));
        }
    }

    /** Small ones come again and again, large ones share their low or their high bits. */
    private static int number(Random random, int kind) {
        return switch (kind) {
            case 0 -> random.nextInt(20);
            case 1 -> random.nextInt(40) << 24;
            default -> random.nextInt() | 0xFF;
        };
    }
}
