package dev.clockwire.spark;

import dev.clockwire.bench.cli.CliException;
import dev.clockwire.bench.cli.Console;
import dev.clockwire.bench.cli.ExitCode;
import dev.clockwire.bench.cli.Interrupt;
import dev.clockwire.bench.cli.Main;
import dev.clockwire.bench.cli.Range;
import dev.clockwire.bench.cli.SweepCommands;
import dev.clockwire.bench.cli.SweepTask;
import dev.clockwire.bench.sweep.RowResult;
import dev.clockwire.bench.sweep.SweepRow;
import dev.clockwire.sim.error.SimException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clockwire sweep} on Apache Spark, for {@code spark-submit}: the same plan, the same files; docs/sweeps.md says how it is started. */
@Command(name = "SparkSweep", description = "Run a command many times, as a plan of 'clockwire sweep' says, on Spark.")
public final class SparkSweep extends SweepTask {
    private static final int MOST_TASKS = 100_000;

    @Parameters(index = "0", paramLabel = "FILE.yaml", description = "The plan.")
    private Path plan = Path.of("");

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "Tasks that the rows are dealt to; results come back, and are kept, by the task (default:"
                    + " ${DEFAULT-VALUE}, a task for each row if there are no more rows).")
    private int tasks = 10_000;

    SparkSweep(Console console) {
        super(console);
    }

    /** Runs a sweep as the process's only business. */
    public static void main(String[] args) {
        int code = Main.process(SparkSweep::new, args);
        if (code != ExitCode.OK) {
            System.exit(code); // not always: YARN takes any exit from inside a driver for a failure
        }
    }

    @Override
    protected Path plan() {
        Range.check("--tasks", tasks, 1, MOST_TASKS, "");
        return plan;
    }

    @Override
    protected void run(List<SweepRow> rows, BiConsumer<SweepRow, RowResult> done) {
        if (rows.isEmpty() || Interrupt.requested()) {
            return;
        }
        // the limit of results counts those of all rows together, but none is held: they are written as they come
        SparkConf conf = new SparkConf()
                .setIfMissing("spark.app.name", "clockwire sweep " + plan.getFileName())
                .setIfMissing("spark.driver.maxResultSize", "0");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            new SparkPool(spark, SweepCommands::run).run(rows, tasks, done);
        } catch (Exception e) { // Scala declares none of what it throws
            if (!Interrupt.requested()) { // Ctrl-C ends Spark, too
                throw reason(e);
            }
        }
    }

    /** Spark wraps what went wrong in a row, or in keeping it; otherwise what went wrong is Spark's, and its first line says it. */
    private static RuntimeException reason(Exception thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof SimException known) {
                return known;
            }
        }
        String text = String.valueOf(thrown.getMessage());
        return CliException.input("Spark: " + text.lines().findFirst().orElse(text));
    }
}
