package dev.clockwire.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.cli.Main;
import dev.clockwire.spark.Local.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SparkSweepTest {
    private static final String MASTER = "spark.master";

    @TempDir
    private Path folder;

    /** System properties of one test; those of all are in the pom. */
    private final List<String> set = new ArrayList<>();

    @AfterEach
    void clear() {
        set.forEach(System::clearProperty);
    }

    private void set(String name, String value) {
        System.setProperty(name, value);
        set.add(name);
    }

    private Path plan(String text) throws IOException {
        return Files.writeString(folder.resolve("plan.yaml"), text);
    }

    private Said sweep(Path plan, String out, String... more) {
        List<String> words = new ArrayList<>(List.of(plan.toString(), "--out", at(out).toString()));
        words.addAll(List.of(more));
        return Said.by((to, err) -> Main.run(to, err, SparkSweep::new, words.toArray(String[]::new)));
    }

    private Path at(String name) {
        return folder.resolve(name);
    }

    @ParameterizedTest
    @CsvSource({"local[2],1", "local[2],5", "local[*],12", "local[*],10000"})
    void leavesAndSaysWhatTheLocalEngineDoes(String master, String tasks) throws IOException {
        Path plan = plan(Local.EVERYTHING);
        Said local = Local.sweep(plan, at("out"));
        Map<String, String> expected = Local.files(at("out"));
        Files.move(at("out"), at("local"));
        assertThat(local.code()).isEqualTo(1);
        assertThat(expected).hasSize(16);
        assertThat(expected.get("results.csv")).hasLineCount(13).contains("outside its range");

        set(MASTER, master);
        assertThat(sweep(plan, "out", "--tasks", tasks)).isEqualTo(local);
        assertThat(Local.files(at("out"))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "grid: {size: [64, 4096], qp: [1, 2]}",
                "list: [{size: 64, ipv6: true}, {s: 4096}]",
                "random: {samples: 3, size: {integer: [1, 9000]}, link.gbps: {log_uniform: [1, 400]}}",
                "repeat: 3\nmeasure: [latency_us.avg, cycles]",
                "grid: {nic.core_mhz: [-1, 1e9]}"
            })
    void everyKindOfPlan(String kind) throws IOException {
        Path plan = plan("command: perftest write-lat -n 5\n" + kind + "\n");
        Said local = Local.sweep(plan, at("local"));
        set(MASTER, "local[2]");
        assertThat(sweep(plan, "spark").code()).isEqualTo(local.code());
        assertThat(Local.files(at("spark"))).isEqualTo(Local.files(at("local")));
    }

    /** Told so, Kryo refuses what Spark has not named to it; arrays of strings it has. */
    @Test
    void onlyStringsTravel() throws IOException {
        Path plan = plan("command: perftest write-lat -n 5\ngrid: {size: [64, -1]}\n");
        Local.sweep(plan, at("local"));
        set(MASTER, "local[2]");
        set("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
        set("spark.kryo.registrationRequired", "true");
        assertThat(sweep(plan, "spark").code()).isEqualTo(1);
        assertThat(Local.files(at("spark"))).isEqualTo(Local.files(at("local")));
    }

    @Test
    void resumesWhatEitherEngineHasBegun() throws IOException {
        Path plan = plan(Local.EVERYTHING);
        Local.sweep(plan, at("out"));
        Map<String, String> expected = Local.files(at("out"));
        Files.delete(at("out/rows/000001.json"));
        Files.delete(at("out/rows/000012.json"));
        Files.delete(at("out/results.csv"));
        set(MASTER, "local[2]");
        assertThat(sweep(plan, "out").err())
                .contains("--resume runs what is missing")
                .hasLineCount(1);
        sweep(plan, "out", "--resume", "--tasks", "2");
        assertThat(Local.files(at("out"))).isEqualTo(expected);
    }

    @Test
    void aFinishedSweepNeedsNoSpark() throws IOException {
        Path plan = plan("command: perftest write-lat -n 5\n");
        Local.sweep(plan, at("out"));
        Map<String, String> expected = Local.files(at("out"));
        Files.delete(at("out/results.csv"));
        assertThat(sweep(plan, "out", "--resume").code()).isZero();
        assertThat(Local.files(at("out"))).isEqualTo(expected);
    }

    @Test
    void aRowThatCannotBeKeptIsToldAsTheLocalEngineDoes() throws IOException {
        Path plan = plan("command: perftest write-lat -n 5\n");
        Files.createDirectories(at("out/rows/.000001.json.partial"));
        Said local = Local.sweep(plan, at("out"));
        assertThat(local.err()).contains("000001.json").hasLineCount(1);
        set(MASTER, "local[2]");
        assertThat(sweep(plan, "out")).isEqualTo(local);
    }

    @Test
    void mistakesAreToldInOneLineAndBeforeSparkIsAsked() throws IOException {
        Path wrong = plan("command: perftest write-lat\ngrid: {szie: [1]}\n");
        assertThat(sweep(wrong, "out")).isEqualTo(Local.sweep(wrong, at("out")));
        Path right = plan("command: perftest write-lat -n 5\n");
        assertThat(sweep(right, "out", "--tasks", "0").err())
                .isEqualTo("clockwire: --tasks 0 is outside its range 1 to 100000\n");
        assertThat(sweep(right, "out", "--task", "1").err()).contains("unknown option '--task'", "--tasks");
        Said masterless = sweep(right, "out");
        assertThat(masterless.code()).isEqualTo(3);
        assertThat(masterless.err())
                .startsWith("clockwire: Spark: ")
                .contains("master")
                .hasLineCount(1);
        assertThat(at("out/rows")).isEmptyDirectory();

        Path unmeasured = plan("command: perftest write-lat -n 5\nmeasure: [latency]\n");
        set(MASTER, "local[2]");
        Said told = sweep(unmeasured, "spark");
        assertThat(told.err()).contains("measure 'latency' is in no result", "--resume");
        assertThat(told).isEqualTo(Local.sweep(unmeasured, at("local")));
    }
}
