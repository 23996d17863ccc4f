package dev.clockwire.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepPartsTest {
    /** Two-sided 95 % quantiles of Student's t as tables print them (NIST/SEMATECH e-Handbook, 1.3.6.7.2). */
    @ParameterizedTest
    @CsvSource({"2, 12.706", "3, 4.303", "5, 2.776", "11, 2.228", "31, 2.042", "101, 1.984"})
    void theIntervalIsThatOfThePublishedTable(int n, double t) {
        List<Double> values = new ArrayList<>();
        IntStream.range(0, n).forEach(i -> values.add(10.0 + i));
        double variance = n * (n + 1.0) / 12; // of n numbers in a row
        Interval interval = Interval.of(values);
        assertThat(interval.mean()).isEqualTo(10 + (n - 1) / 2.0, within(1e-12));
        assertThat(interval.half() / Math.sqrt(variance / n)).isEqualTo(t, within(0.0005));
    }

    @Test
    void everyRowIsInOneShard() {
        for (int row = 1; row <= 20; row++) {
            SweepRow r = row(row);
            assertThat(IntStream.rangeClosed(1, 7).filter(i -> new Shard(i, 7).has(r)))
                    .hasSize(1);
        }
    }

    @Test
    void slurmAndKubernetesGiveTheShard() {
        assertThat(Shard.of(Map.of())).isEqualTo(Shard.ALL);
        Map<String, String> slurm = Map.of(
                "SLURM_ARRAY_TASK_ID", "9",
                "SLURM_ARRAY_TASK_MIN", "5",
                "SLURM_ARRAY_TASK_STEP", "2",
                "SLURM_ARRAY_TASK_COUNT", "4");
        assertThat(Shard.of(slurm)).isEqualTo(new Shard(3, 4));
        assertThat(Shard.of(Map.of("JOB_COMPLETION_INDEX", "0", Shard.SHARDS, "8")))
                .isEqualTo(new Shard(1, 8));
        assertThatThrownBy(() -> Shard.of(Map.of("JOB_COMPLETION_INDEX", "3")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(Shard.SHARDS);
        assertThatThrownBy(() -> Shard.of(Map.of("JOB_COMPLETION_INDEX", "8", Shard.SHARDS, "8")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("9/8");
    }

    /** After the stop no row is begun, and a run that gave up (exit code 130) is no result. */
    @Test
    void whatWasCompleteAtTheStopIsKept(@TempDir Path folder) throws IOException {
        RowStore store = store(folder);
        AtomicInteger begun = new AtomicInteger();
        Runner runner = line -> begun.incrementAndGet() > 3
                ? new Runner.Ended(130, "{\"x\": 1}", "")
                : new Runner.Ended(0, "{\"x\": 1, \"wall_s\": 2, \"rows\": [{\"cpu_s\": 1}]}", "");
        List<SweepRow> rows =
                IntStream.rangeClosed(1, 9).mapToObj(SweepPartsTest::row).toList();
        new Pool(runner, () -> begun.get() > 3, store::write).run(rows, 1);
        assertThat(begun).hasValue(4);
        assertThat(rows).filteredOn(store::has).hasSize(3);
        assertThat(store.read(rows.get(2)).orElseThrow().result().toString()).isEqualTo("{\"x\":1,\"rows\":[{}]}");
    }

    @Test
    void aRowThatCannotBeKeptEndsTheSweep(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("rows"), "a file where a folder should be");
        RowStore store = new RowStore(List.of(folder));
        Runner runner = line -> new Runner.Ended(0, "{}", "");
        assertThatThrownBy(() -> new Pool(runner, () -> false, store::write).run(List.of(row(1)), 2))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("000001.json");
    }

    @Test
    void aResultTravelsAsText() {
        Runner.Ended ended = new Runner.Ended(1, "{\"a\": [1, 2.50, 1e300, \"\\u00e4\"]}", "clockwire: b\nc\n");
        RowResult result = RowResult.of(ended).orElseThrow();
        assertThat(result.notes()).containsExactly("b", "c");
        assertThat(RowResult.parse(result.text())).isEqualTo(result);
    }

    private static RowStore store(Path folder) throws IOException {
        Files.createDirectories(folder.resolve(RowStore.FOLDER));
        return new RowStore(List.of(folder));
    }

    private static SweepRow row(int number) {
        return new SweepRow(number, number, 1, "1", List.of("x", Integer.toString(number)));
    }

    /** Were it rounded down, two tasks would run the same rows and none some others. */
    @ParameterizedTest
    @CsvSource({"2, 1, 2", "4, 5, 1"})
    void aTaskThatIsNotOfTheArrayIsRefused(String task, String least, String step) {
        Map<String, String> slurm = Map.of(
                "SLURM_ARRAY_TASK_ID", task,
                "SLURM_ARRAY_TASK_MIN", least,
                "SLURM_ARRAY_TASK_STEP", step,
                "SLURM_ARRAY_TASK_COUNT", "9");
        assertThatThrownBy(() -> Shard.of(slurm))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("SLURM_ARRAY_TASK_ID=" + task);
    }

    /** 0.1 + 0.1 + 0.1 is not 0.3: what has no chance in it must not get an interval by rounding. */
    @ParameterizedTest
    @CsvSource({"0.1, 3", "0.76192, 5", "1.355, 7", "0.72506, 1000"})
    void equalValuesHaveAnIntervalWithoutWidth(double value, int n) {
        Interval interval = Interval.of(Collections.nCopies(n, value));
        assertThat(interval.mean()).isEqualTo(value);
        assertThat(interval.half()).isZero();
    }
}
