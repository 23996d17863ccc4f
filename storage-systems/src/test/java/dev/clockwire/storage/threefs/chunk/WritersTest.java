package dev.clockwire.storage.threefs.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that share what they have not changed are as tables of their own: each is compared with a map that is copied at once. */
class WritersTest {
    private static final int CHANNELS = 12;

    /** What is known of a channel. */
    private record Last(int version, long sequence) {}

    private static void assertSame(Writers table, Map<Integer, Last> model) {
        for (int channel = 0; channel < CHANNELS; channel++) {
            Last last = model.get(channel);
            if (last == null) {
                assertThat(table.isPast(channel % 3, channel, Long.MIN_VALUE)).isFalse();
            } else {
                assertThat(table.versionOf(channel % 3, channel, last.sequence()))
                        .isEqualTo(last.version());
                assertThat(table.isPast(channel % 3, channel, last.sequence() - 1))
                        .isTrue();
                assertThat(table.isPast(channel % 3, channel, last.sequence())).isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aCopyKeepsWhatItWasWhateverBecomesOfTheOther(int seed) {
        Random random = new Random(seed);
        List<Writers> tables = new ArrayList<>(List.of(new Writers()));
        List<Map<Integer, Last>> models = new ArrayList<>(List.of(new TreeMap<>()));
        for (int i = 0; i < 400; i++) {
            int at = random.nextInt(tables.size());
            Writers table = tables.get(at);
            Map<Integer, Last> model = models.get(at);
            switch (random.nextInt(8)) {
                case 0 -> {
                    tables.add(table.copy());
                    models.add(new TreeMap<>(model));
                }
                case 1 -> {
                    int version = random.nextInt(400);
                    table.forgetBehind(version);
                    model.values().removeIf(last -> last.version() > version);
                }
                case 2 -> {
                    int version = random.nextInt(400);
                    Writers told = new Writers();
                    byte[] b = table.encode(version);
                    told.noteAll(b, 0, b.length);
                    Map<Integer, Last> upTo = new TreeMap<>(model);
                    upTo.values().removeIf(last -> last.version() > version);
                    assertSame(told, upTo);
                }
                default -> {
                    int channel = random.nextInt(CHANNELS);
                    long sequence = random.nextInt(60);
                    table.note(channel % 3, channel, sequence, i);
                    Last known = model.get(channel);
                    if (known == null || known.sequence() <= sequence) {
                        model.put(channel, new Last(i, sequence));
                    }
                }
            }
            for (int k = 0; k < tables.size(); k++) {
                assertSame(tables.get(k), models.get(k));
            }
        }
    }
}
