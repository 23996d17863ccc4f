package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.doc.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {
    private static final List<String> FILES = List.of("results.csv", "intervals.csv", "results.json");

    /** Eight runs, four of which fail. */
    private static final String PLAN = """
        command: perftest write-lat -n 5 --provider soft
        grid: {size: [64, -1]}
        list:
          - {host.isolcpus: false}
        random: {samples: 2, link.gbps: {uniform: [100, 400]}}
        repeat: 2
        measure: [latency_us.avg, latency_us.max]
        """;

    @TempDir
    private Path folder;

    private Path plan(String text) throws IOException {
        return Files.writeString(folder.resolve("plan.yaml"), text);
    }

    private CommandRunner sweep(Path plan, String out, String... more) {
        List<String> words = new ArrayList<>(List.of("sweep", plan.toString(), "--out", at(out), "--json"));
        words.addAll(List.of(more));
        return clockwire(words.toArray(String[]::new));
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private List<String> left(String out) throws IOException {
        List<String> texts = new ArrayList<>();
        for (String file : FILES) {
            texts.add(Files.readString(folder.resolve(out).resolve(file)));
        }
        return texts;
    }

    @Test
    void theSameBytesHoweverItWasRun() throws IOException {
        Path plan = plan(PLAN);
        assertThat(sweep(plan, "one", "--jobs", "1").document(1).get("failed").asInt())
                .isEqualTo(4);
        List<String> expected = left("one");
        assertThat(expected.get(0)).hasLineCount(9).contains("outside its range");
        sweep(plan, "four", "--jobs", "4").document(1);
        assertThat(left("four")).isEqualTo(expected);

        for (int i = 3; i >= 1; i--) {
            sweep(plan, "shared", "--shard", i + "/3");
            sweep(plan, "apart/shard" + i, "--shard", i + "/3");
        }
        for (String shards : List.of("shared", "apart")) {
            JsonNode merged = clockwire("sweep", "merge", at(shards), "--json").document(1);
            assertThat(merged.get("runs").asInt()).isEqualTo(8);
            assertThat(left(shards)).isEqualTo(expected);
            assertThat(folder.resolve(shards).resolve("plan.yaml")).hasContent(PLAN);
        }

        Files.delete(folder.resolve("one/rows/000002.json"));
        Files.delete(folder.resolve("one/rows/000007.json"));
        JsonNode partly = clockwire("sweep", "merge", at("one"), "--json").document(1);
        assertThat(partly.get("missing").asInt()).isEqualTo(2);
        assertThat(folder.resolve("one/INTERRUPTED")).exists();
        assertThat(left("one").get(0)).hasLineCount(7);
        sweep(plan, "one", "--resume").document(1);
        assertThat(left("one")).isEqualTo(expected);
        assertThat(folder.resolve("one/INTERRUPTED")).doesNotExist();
    }

    @Test
    void rowsSayWhatTheyRan() throws IOException {
        Path plan = plan("""
            command: perftest {tool} -n 5 --out %s/{row}
            list:
              - {tool: write-lat, ipv6: true, nic.core_mhz: 500}
              - {tool: read-bw, ipv6: false, s: 4096}
            seed: 3
            """.formatted(folder.resolve("each")));
        sweep(plan, "out", "--jobs", "2").json();
        JsonNode rows = new ObjectMapper()
                .readTree(folder.resolve("out/results.json").toFile())
                .get("rows");
        String first = rows.get(0).get("command").asText();
        assertThat(first.replaceAll("--seed \\d+", "--seed N"))
                .isEqualTo("clockwire perftest write-lat -n 5 --out " + at("each/1")
                        + " --ipv6 -P nic.core_mhz=500 --seed N --json");
        assertThat(rows.get(1).get("command").asText())
                .contains("read-bw", "-s 4096")
                .doesNotContain("ipv6");
        assertThat(folder.resolve("each/2/stats.json")).exists();
        JsonNode alone = clockwire(first.replace("clockwire ", "").split(" ")).json();
        assertThat(rows.get(0).get("measures").get("latency_us.p99"))
                .isEqualTo(alone.get("latency_us").get("p99"));
        assertThat(rows.get(0).get("measures").has("stages.wire.duration_ns")).isTrue();
        assertThat(rows.get(0).get("measures").has("wall_s")).isFalse();
    }

    /** A remark of the runs is told once, with the first row that it is of; a seed of the plan's own makes the runs of that seed. */
    @Test
    void remarksAreToldOnce() throws IOException {
        Path plan = plan("command: perftest write-lat -n 5\ngrid: {seed: [7, 8], outs: [4]}\n");
        CommandRunner ran = sweep(plan, "out");
        JsonNode rows = new ObjectMapper()
                .readTree(folder.resolve("out/results.json").toFile())
                .get("rows");
        assertThat(rows.get(1).get("seed").asLong()).isEqualTo(8);
        assertThat(rows.get(1).get("command").asText()).contains("--seed 8").doesNotContain("--seed 7");
        assertThat(ran.notes().lines().filter(l -> l.contains("has no effect")))
                .hasSize(1)
                .allMatch(l -> l.startsWith("clockwire: row 1: "));
    }

    @Test
    void rowsOfAnotherPlanAreRefused() throws IOException {
        Path plan = plan("command: explain write\ngrid: {size: [64, 128]}\nmeasure: total_n\n");
        sweep(plan, "out")
                .failsWith(
                        ExitCode.INPUT,
                        "'total_n' is in no result; did you mean total_ns? the rows are kept",
                        "--resume");
        assertThat(folder.resolve("out/results.csv")).doesNotExist();
        sweep(plan, "out").failsWith(ExitCode.INPUT, "has rows of a sweep", "--resume");
        plan("command: explain write\ngrid: {size: [64, 256]}\n");
        sweep(plan, "out", "--resume").failsWith(ExitCode.INPUT, "000002.json", "--size 128", "--size 256");
        plan("command: explain write\ngrid: {size: [64]}\n");
        sweep(plan, "out", "--resume").failsWith(ExitCode.INPUT, "000002.json", "1 row");
        plan("command: explain write\ngrid: {size: [64, 128]}\nmeasure: total_ns\n");
        sweep(plan, "out", "--resume").json();
        assertThat(left("out").get(0)).contains("error,total_ns\n");
    }

    @Test
    void allThatIsWrongWithAPlanIsTold() throws IOException {
        Path plan = plan("""
            command: perftest write-lat {too} --seed 3
            grid:
              siz: [64, 4096]
              nic.core_mhz: []
            random:
              samples: 0
              a.b: {unifrm: [1, 2]}
              c.d: {integer: [1, 2.5]}
            list:
              - {ipv6: x, error: 1}
              - {nic.core_mhz: 1}
            repeats: 3
            """);
        assertThat(String.join("\n", sweep(plan, "out").mistakes(ExitCode.INPUT))
                        .replace(plan.toString(), "plan"))
                .contains(
                        "plan:1:10: --seed is given by the sweep",
                        "plan:1:10: nothing in the plan gives {too} a value",
                        "plan:3:3: unknown option 'siz'; did you mean size?",
                        "plan:6:12: 0 is outside its range",
                        "plan:7:9: unknown key 'unifrm'; did you mean uniform?",
                        "plan:8:18: expected two whole numbers",
                        "plan:10:12: 'ipv6' takes no value",
                        "plan:10:15: 'error' is the name of a column",
                        "plan:11:6: 'nic.core_mhz' varies in another part",
                        "plan:12:1: unknown key 'repeats'; did you mean repeat?");
        assertThat(folder.resolve("out")).doesNotExist();
        plan("command: perftst write-lat\n");
        sweep(plan, "out").failsWith(ExitCode.INPUT, ":1:10:", "did you mean perftest?");
        plan("command: sweep x.yaml\n");
        sweep(plan, "out").failsWith(ExitCode.INPUT, "cannot run sweeps");
        plan("command: explain write\n");
        sweep(plan, "out", "--shard", "0/2").failsWith(ExitCode.USAGE, "0/2", "i from 1 to n");
        sweep(plan, "out", "--jobs", "0").failsWith(ExitCode.USAGE, "--jobs 0", "1 to 1024");
        clockwire("sweep").failsWith(ExitCode.USAGE, "FILE.yaml");
        clockwire("sweep", "merge", folder.toString()).failsWith(ExitCode.INPUT, "no sweep");
    }

    /** What no run could do is told before the first one, each where it stands. */
    @Test
    void namesThatAreNotThereAreToldBeforeTheFirstRun() throws IOException {
        Path plan = plan("""
            command: perftest {tool} -P pcie.lane=8
            grid:
              tool: [write-lat, writ-lat, read-bw]
              nic.core_mzh: [500]
              provider: [hw, sfot]
            random:
              samples: 3
              s: {choice: [64, many]}
              n: {integer: [5, 9]}
            """);
        assertThat(String.join("\n", sweep(plan, "out").mistakes(ExitCode.INPUT))
                        .replace(plan.toString(), "plan"))
                .contains(
                        "plan:1:10: unknown parameter 'pcie.lane'; did you mean pcie.lanes?",
                        "plan:3:21: unknown tool 'writ-lat'; did you mean write-lat?",
                        "plan:4:3: unknown parameter 'nic.core_mzh'; did you mean nic.core_mhz?",
                        "plan:5:18: unknown provider 'sfot'; did you mean soft?",
                        "plan:8:20: -s many: expected a whole number")
                .hasLineCount(5);
        plan("command: perftest write-lat --iterz 5\ngrid: {s: [64, 128]}\n");
        assertThat(sweep(plan, "out").mistakes(ExitCode.INPUT))
                .singleElement()
                .asString()
                .contains("plan.yaml:1:10: unknown option '--iterz'", "did you mean --iters?");
        plan("command: diagnose x.txt\ngrid: {nic.core_mhz: [500]}\n");
        assertThat(sweep(plan, "out").mistakes(ExitCode.INPUT))
                .singleElement()
                .asString()
                .contains(":2:8: 'nic.core_mhz' is a parameter of a profile", "takes none");
        plan("command: nvmf perf -o 4096 -w randread\ngrid: {q: [1], ssd.units: [4], t: [0.002]}\n");
        sweep(plan, "ssd").json();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** Two rows may not write one file, whatever option names it. */
    @Test
    void filesOfRowsAreTheirOwn() throws IOException {
        for (String option : List.of("--out x", "--out=x", "--history h.jsonl", "--diagram {size}.svg")) {
            Path plan = plan("command: storage run 3fs " + option + "\ngrid: {size: [4096, 8192]}\nrepeat: 2\n");
            sweep(plan, "out")
                    .failsWith(
                            ExitCode.INPUT,
                            "plan.yaml:1:10: " + option.replaceFirst("[ =].*", ""),
                            "rows 1 and ",
                            "{row}");
        }
        Path plan = plan("command: explain write\ngrid: {s: [64, 128], out: [%s]}\n".formatted(at("one")));
        sweep(plan, "out").failsWith(ExitCode.INPUT, "rows 1 and 2 would both write there");
        plan("command: explain write --out %s-{s}\ngrid: {s: [64, 128]}\n".formatted(at("of")));
        sweep(plan, "out").json();
        assertThat(folder.resolve("of-128/stats.json")).exists();
        assertThat(left("out").get(0).lines().findFirst().orElseThrow())
                .as("size is what was asked for")
                .contains("error,total_ns,total_cycles,stages.post.start_ns");
    }

    /** The plan in the page makes the table below it. */
    @Test
    void thePageShowsWhatItsPlanGives() throws IOException {
        String page = Files.readString(Path.of("../docs/sweeps.md"));
        int from = page.indexOf("```yaml\n") + 8;
        Path plan = plan(page.substring(from, page.indexOf("```", from)));
        sweep(plan, "out").json();
        GeneratedPart.check(
                "sweeps.md",
                "intervals",
                "\n```text\n" + Files.readString(folder.resolve("out/intervals.csv")) + "```\n",
                (shown, made) -> assertThat(shown).isEqualTo(made));
    }

    /** Rows are written whole, but disks and editors are not: such a file is no row, and nobody is told of another plan. */
    @Test
    void aRowThatWasSpoiltIsNamedWithItsCure() throws IOException {
        Path plan = plan("command: perftest write-lat -n 5 --provider soft\nrepeat: 2\n");
        sweep(plan, "out").document(0);
        Path row = folder.resolve("out/rows/000001.json");
        String whole = Files.readString(row);
        for (String spoilt :
                List.of("", "{}", "[1]", whole.substring(0, 60), whole.replace("\"exit\":0", "\"exit\":\"\""))) {
            Files.writeString(row, spoilt);
            for (CommandRunner run : List.of(sweep(plan, "out", "--resume"), clockwire("sweep", "merge", at("out")))) {
                run.failsWith(
                        3, "000001.json: is no row of a sweep: ", "without the file sweep --resume runs it again");
            }
        }
        Files.delete(row);
        sweep(plan, "out", "--resume").document(0);
        assertThat(row).hasContent(whole);

        Files.delete(row);
        Files.createDirectory(row);
        sweep(plan, "out", "--resume").failsWith(3, "000001.json: is a directory, expected a file");
        clockwire("sweep", "merge", plan.toString()).failsWith(3, "is a file, expected a directory");
    }

    @Test
    void partsThatCannotBeReadAreToldTogether() throws IOException {
        CommandRunner run = sweep(plan("""
            command: perftest write-lat -n {many}
            grid: [1, 2]
            list: {size: 3}
            random: 5
            measure: [{a: b}]
            repeat: x
            """), "out");
        assertThat(run.mistakes(3))
                .extracting(line -> line.replaceFirst(".*plan.yaml:", ""))
                .containsExactly(
                        "2:7: expected a mapping (key: value), found a list",
                        "3:7: expected a list, found a mapping",
                        "4:9: expected a mapping (key: value), found '5'",
                        "5:11: expected a single value, found a mapping",
                        "6:9: expected an integer, found 'x'");

        String once =
                sweep(plan("command: [perftest, {a: b}]\n"), "out").mistakes(3).get(0);
        assertThat(once.split("plan.yaml", -1)).as(once).hasSize(2);
    }

    /** Words with blanks or quotes in them are the same words when a shell has read them. */
    @Test
    void commandsOfRowsCanBePasted() throws IOException {
        String each = at("my runs/it's");
        Path plan = plan("command: [perftest, write-lat, -n, 5, --provider, soft, --out, \"" + each + "\"]\n");
        sweep(plan, "out").document(0);
        assertThat(Path.of(each)).isDirectory();
        String command = new ObjectMapper()
                .readTree(folder.resolve("out/results.json").toFile())
                .at("/rows/0/command")
                .asText();
        assertThat(command).contains(" --out '" + each.replace("'", "'\\''") + "' --seed");

        plan("command: perftest write-lat -n 5 --out \"my runs\"\n");
        sweep(plan, "quoted").failsWith(3, "plan.yaml:1:10: no shell takes the quotes off \"my", "a list of its words");
    }

    /** Which of two folders comes first by its name says nothing of whose row is right. */
    @Test
    void rowsThatSeveralFoldersHaveMustAgree() throws IOException {
        Path plan = plan("command: perftest write-lat -n 5 --provider soft\nrepeat: 2\n");
        sweep(plan, "all/a", "--shard", "1/2").document(0);
        sweep(plan, "all/b").document(0);
        clockwire("sweep", "merge", at("all")).text();
        Path row = folder.resolve("all/a/rows/000001.json");
        String whole = Files.readString(row);

        Files.writeString(row, whole.replace("\"exit\":0,\"error\":\"\"", "\"exit\":4,\"error\":\"out of memory\""));
        assertThat(Files.readString(row)).contains("out of memory");
        assertThat(clockwire("sweep", "merge", at("all"), "--json")
                        .document(0)
                        .get("failed")
                        .asInt())
                .isZero();

        Files.writeString(row, whole.replaceFirst("\"avg\":", "\"avg\":1"));
        clockwire("sweep", "merge", at("all"))
                .failsWith(3, "a/rows/000001.json and ", "b/rows/000001.json: ", "different results", "remove one");
    }
}
