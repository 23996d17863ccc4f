package dev.clockwire.sim.mem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetTagsTest {
    /** Against a list of each set, last used first. */
    @ParameterizedTest
    @CsvSource({"1, 1, 0", "4, 4, 0", "16, 2, 0", "16, 4, 2", "64, 1, 3"})
    void tagsStayAsLongAsFewerOthersOfTheirSetCame(int entries, int ways, int shift) {
        SetTags tags = new SetTags(entries, ways, shift, null);
        List<List<Long>> sets = new ArrayList<>();
        for (int i = 0; i < entries / ways; i++) {
            sets.add(new ArrayList<>());
        }
        Random random = new Random(entries + shift);
        for (int i = 0; i < 20_000; i++) {
            Long tag = (long) random.nextInt(3 * entries) << random.nextInt(shift + 1);
            List<Long> set = sets.get((int) (tag >> shift) % sets.size());
            assertThat(tags.holds(tag)).isEqualTo(set.contains(tag));
            switch (random.nextInt(8)) {
                case 0 -> {
                    tags.remove(tag);
                    set.remove(tag);
                }
                case 1 -> {
                    tags.removeIf(t -> t % 5 == tag % 5);
                    sets.forEach(s -> s.removeIf(t -> t % 5 == tag % 5));
                }
                case 2, 3, 4 -> {
                    assertThat(tags.touch(tag)).isEqualTo(set.contains(tag));
                    if (set.remove(tag)) {
                        set.add(0, tag);
                    }
                }
                default -> {
                    boolean full = !set.remove(tag) && set.size() == ways;
                    assertThat(tags.fill(tag)).isEqualTo(full);
                    if (full) {
                        set.remove(ways - 1);
                    }
                    set.add(0, tag);
                }
            }
        }
        tags.clear();
        assertThat(sets).allSatisfy(set -> assertThat(set).noneMatch(tags::holds));
    }
}
