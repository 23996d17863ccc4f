package dev.clockwire.spark;

import dev.clockwire.bench.sweep.RowResult;
import dev.clockwire.bench.sweep.Runner;
import dev.clockwire.bench.sweep.SweepRow;
import java.io.Serializable;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Function1;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

/**
 * Runs rows on a cluster. Command lines travel there and results back as plain strings, whatever serializer the cluster is told to use; files
 * are written here only, so a row that is run twice, because its machine was lost, leaves what it leaves when run once.
 */
final class SparkPool {
    private final JavaSparkContext spark;
    private final RowRunner runner;

    /** What runs a row; it is sent to the cluster. */
    @FunctionalInterface
    interface RowRunner extends Runner, Serializable {}

    /** What a task returns of its rows; Scala's functions do not say that they can be sent. */
    @FunctionalInterface
    private interface TaskResult extends Function1<Iterator<String[]>, String[]>, Serializable {}

    SparkPool(JavaSparkContext spark, RowRunner runner) {
        this.spark = spark;
        this.runner = runner;
    }

    /**
     * Runs the rows; returns when all have ended.
     *
     * @param tasks how many parts Spark hands out; the rows of one come back together
     * @param done takes each row, from one thread
     */
    void run(List<SweepRow> rows, int tasks, BiConsumer<SweepRow, RowResult> done) {
        int parts = Math.min(tasks, rows.size());
        List<String[][]> lines = IntStream.range(0, parts)
                .mapToObj(part -> dealt(rows, part, parts)
                        .map(row -> row.arguments().toArray(String[]::new))
                        .toArray(String[][]::new))
                .toList();
        RowRunner sent = runner;
        JavaRDD<String[]> results = spark.parallelize(lines, parts).map(part -> results(sent, part));
        TaskResult only = Iterator::next; // each part is one element
        spark.sc()
                .runJob(
                        results.rdd(),
                        only,
                        (part, texts) -> {
                            tell(dealt(rows, (Integer) part, parts).toList(), texts, done);
                            return BoxedUnit.UNIT;
                        },
                        ClassTag$.MODULE$.apply(String[].class));
    }

    /** Neighbours are alike in what they cost, so they are dealt like cards, as shards are. */
    private static Stream<SweepRow> dealt(List<SweepRow> rows, int part, int parts) {
        return IntStream.iterate(part, i -> i < rows.size(), i -> i + parts).mapToObj(rows::get);
    }

    /** Runs on the cluster; an empty text is a row that was interrupted. */
    private static String[] results(Runner runner, String[][] lines) {
        return Stream.of(lines)
                .map(line -> RowResult.of(runner.run(List.of(line)))
                        .map(RowResult::text)
                        .orElse(""))
                .toArray(String[]::new);
    }

    private static void tell(List<SweepRow> rows, String[] texts, BiConsumer<SweepRow, RowResult> done) {
        for (int i = 0; i < texts.length; i++) {
            if (!texts[i].isEmpty()) {
                done.accept(rows.get(i), RowResult.parse(texts[i]));
            }
        }
    }
}
