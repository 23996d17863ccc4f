package dev.clockwire.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.bench.sweep.Runner.Ended;
import dev.clockwire.bench.sweep.SweepRow;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

class SparkPoolTest {
    private static final List<SweepRow> ROWS = IntStream.rangeClosed(1, 7)
            .mapToObj(n -> new SweepRow(n, n, 1, "1", List.of("row", Integer.toString(n))))
            .toList();

    /** The tasks run in this process. */
    private static final AtomicInteger RUNS = new AtomicInteger();

    private List<String> run(int tasks, SparkPool.RowRunner runner) {
        SparkConf conf = new SparkConf().setAppName("test").setMaster("local[2,3]"); // two at a time, three tries
        RUNS.set(0);
        List<String> told = new ArrayList<>();
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            new SparkPool(spark, runner).run(ROWS, tasks, (row, r) -> told.add(row.number() + " " + r.result()));
        }
        return told.stream().sorted().toList();
    }

    private static Ended echo(List<String> line) {
        RUNS.incrementAndGet();
        return new Ended(0, "{\"ran\": " + line.get(1) + ", \"wall_s\": " + RUNS + "}", "");
    }

    private static final List<String> ALL = IntStream.rangeClosed(1, 7)
            .mapToObj(n -> n + " {\"ran\":" + n + "}")
            .toList();

    /** A task that is lost half-way is run again from its beginning; each of its rows is told of once. */
    @Test
    void aTaskThatIsLostChangesNothing() {
        assertThat(run(2, SparkPoolTest::echo)).isEqualTo(ALL);
        assertThat(RUNS).hasValue(7);
        assertThat(run(2, line -> {
                    if (line.get(1).equals("5") && TaskContext.get().attemptNumber() < 2) {
                        throw new IllegalStateException("lost");
                    }
                    return echo(line);
                }))
                .isEqualTo(ALL);
        assertThat(RUNS).as("rows 1 and 3 three times").hasValue(11);
    }

    @Test
    void aRowThatWasInterruptedIsNotToldOf() {
        assertThat(run(3, line -> line.get(1).equals("4") ? new Ended(130, "{\"ran\": 4}", "") : echo(line)))
                .isEqualTo(ALL.stream().filter(t -> !t.startsWith("4")).toList());
    }

    @Test
    void aBugOfOursComesBackWithItsKind() {
        assertThatThrownBy(() -> run(7, line -> new Ended(0, "no JSON", "")))
                .hasRootCauseInstanceOf(InvariantViolation.class)
                .hasStackTraceContaining("printed no JSON document");
    }
}
