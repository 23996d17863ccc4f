package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.export.VcdReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which part of the waves is recorded: of the hierarchy, of the time, and the last moments of runs that end well or badly. */
class WaveOptionsTest {
    private static final long PS_PER_US = 1_000_000;

    @TempDir
    private Path folder;

    private Path at(String name) {
        return folder.resolve(name);
    }

    private CommandRunner run(String line, String out) {
        return clockwire((line + " --out " + at(out)).split(" "));
    }

    private String waves(String out) throws IOException {
        return Files.readString(at(out).resolve("waves.vcd"));
    }

    private static long time(String entry) {
        return Long.parseLong(entry.substring(0, entry.indexOf('=')));
    }

    private static String value(String entry) {
        return entry.substring(entry.indexOf('=') + 1);
    }

    /** The changes of a signal in a part of the time, the first of them being its value at its start. */
    private static List<String> cut(VcdReader whole, String signal, long from, long to) {
        List<String> inside = new ArrayList<>(List.of(""));
        for (String entry : whole.changes(signal)) {
            if (time(entry) <= from) {
                inside.set(0, from + "=" + value(entry));
            } else if (time(entry) < to) {
                inside.add(entry);
            }
        }
        return inside;
    }

    private static void isTheCut(String part, String whole, long from, long to) {
        VcdReader cut = VcdReader.parse(part);
        VcdReader all = VcdReader.parse(whole);
        assertThat(cut.signals()).isNotEmpty().isSubsetOf(all.signals());
        for (String signal : cut.signals()) {
            assertThat(cut.changes(signal)).as(signal).isEqualTo(cut(all, signal, from, to));
        }
    }

    private static long lastChange(String vcd) {
        VcdReader all = VcdReader.parse(vcd);
        return all.signals().stream()
                .flatMap(s -> all.changes(s).stream())
                .mapToLong(WaveOptionsTest::time)
                .max()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "perftest write-bw -s 9000 -n 20, host0.nic",
        "explain read -s 4096, nic.frames",
        "nvmf-perf -q 4 -o 4096 -w read -t 0.00005, pcie",
        "storage run 3fs --op write --ops 2, node0.nic"
    })
    void everyPartIsTheCutOfTheWhole(String command, String scope) throws IOException {
        String line = command.replace("nvmf-perf", "nvmf perf");
        run(line + " --waves", "whole").notes();
        String whole = waves("whole");
        long end = lastChange(whole);
        long from = end - 2 * PS_PER_US;
        long to = end - PS_PER_US / 2;
        run(line + " --waves " + scope + " --from " + from + "ps --to " + to + "ps", "window")
                .notes();
        isTheCut(waves("window"), whole, from, to);
        run(line + " --waves " + scope + "@" + from + "ps.." + to + "ps", "suffix")
                .notes();
        assertThat(waves("suffix")).isEqualTo(waves("window"));
        run(line + " --waves --ring 2us", "ring").notes();
        isTheCut(waves("ring"), whole, from, Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--waves --ring 2us --from 1us | 2 | --ring 2us cannot stand beside --from 1us",
                "--waves --ring 2us --to 9us | 2 | --to 9us",
                "--waves nic@1us..2.5us --ring 2us | 2 | --waves nic@1us..2.5us",
                "--waves nic@..2us --to 1us | 2 | --waves nic@..2us",
                "--ring 2us | 2 | needs --waves",
                "--from 2us | 2 | --from 2us",
                "--to 2us | 2 | --to 2us",
                "--waves --ring 0 | 2 | --ring 0 is outside its range 1ps to 9223372s",
                "--waves --ring 1parsec | 2 | --ring: '1parsec' is not a time",
                "--waves --from x | 2 | --from: 'x'",
                "--waves --from 99999999999s | 2 | range 0 to 9223372 s",
                "--waves --from 2us --to 1us | 2 | --from 2us --to 1us: the window ends before it begins",
                "--waves --to 0 | 2 | --to 0",
                "--waves host0.nic.frmes --ring 2us | 3 | did you mean host0.nic.frames?",
                "--waves nic.frmes | 3 | did you mean nic.frames?",
                "--waves nothingLikeIt | 3 | at the top are host0, host1"
            })
    void wrongPartsAreOneLine(String options, int code, String words) {
        run("perftest write-lat -n 5 " + options, "no").failsWith(code, words);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theseCommandsHaveNoWaves() {
        clockwire("selfcheck", "--ring", "1us").failsWith(2, "selfcheck leaves no files");
        clockwire("live", "rping-server", "--listen", "5", "--peer", "6", "--from", "1us")
                .failsWith(2, "--from 1us");
    }

    @Test
    void aWindowBehindTheEndIsTold() throws IOException {
        assertThat(run("perftest write-lat -n 5 --waves --from 5s", "late").notes())
                .isEqualTo("clockwire: waves.vcd has no changes: its window begins at 5000000 us, the run ended at 58"
                        + " us\n");
        assertThat(VcdReader.parse(waves("late")).signals()).isNotEmpty();
    }

    private Path hangs() throws IOException {
        return Files.writeString(
                at("f.yaml"), "faults:\n  - {drop: frame, frames: [3], match: {opcode: UD_SEND_ONLY}}\n");
    }

    /** A message is lost for good, and nobody sends it again: the real tool hangs. */
    @Test
    void aRunThatHangsKeepsItsRing() throws IOException, InterruptedException {
        String line = "perftest send-lat -c UD -n 10 --faults " + hangs() + " --waves";
        CommandRunner ring = run(line + " --ring 2us", "ring");
        assertThat(ring.mistakes(ExitCode.INPUT))
                .containsExactly(
                        "clockwire: the waves of the last moments are kept: " + at("ring/waves.vcd"),
                        "clockwire: [5000080000.000 ns] no message has ended for 5 s after 2 messages: one was lost"
                                + " for good");
        run(line + " --ring 1s", "all").mistakes(ExitCode.INPUT);
        long end = lastChange(waves("all"));
        isTheCut(waves("ring"), waves("all"), end - 2 * PS_PER_US, Long.MAX_VALUE);
        assertThat(waves("ring").length()).isLessThan(waves("all").length());
        assertThat(at("ring/FAILED")).content().contains("one was lost for good");
        try (Stream<Path> files = Files.list(at("ring"))) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "FAILED",
                            "capture.pcapng",
                            "operations.json",
                            "series.csv",
                            "stats.json",
                            "timeline.perfetto-trace",
                            "waves.vcd");
        }
        othersReadIt("ring");
        run("perftest write-lat -n 5", "ring").text();
        assertThat(at("ring/FAILED")).as("of an earlier run").doesNotExist();
        assertThat(at("ring/waves.vcd")).doesNotExist();
    }

    @Test
    void withoutARingAFailureLeavesNothing() throws IOException {
        String line = "perftest send-lat -c UD -n 10 --faults " + hangs() + " --waves";
        run(line, "none").failsWith(ExitCode.INPUT, "lost for good");
        assertThat(at("none")).doesNotExist();
    }

    @Test
    void brokenInvariantsKeepItToo() throws IOException {
        Console console = new Console(quiet(), quiet());
        for (Throwable broken : List.of(new InvariantViolation("told twice"), new AssertionError("told twice"))) {
            try (OutputDirectory out = OutputDirectory.at(at("broken"))) {
                assertThatThrownBy(() -> new LastMoments(console, out).of(() -> true, () -> {
                            if (broken instanceof AssertionError e) {
                                throw e;
                            }
                            throw (InvariantViolation) broken;
                        }))
                        .isSameAs(broken);
            }
            assertThat(at("broken/FAILED")).content().contains("told twice");
        }
    }

    private static PrintStream quiet() {
        return new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    }

    @Test
    void aDiagramIsDrawnFromARing() throws IOException {
        run("perftest write-lat -s 64 -n 3 --waves --ring 900ns", "ring").text();
        String file = at("ring/waves.vcd").toString();
        String drawn = clockwire("waves", file, "requestPackets.valid", "--cycles", "32")
                .text();
        assertThat(drawn).contains("\"name\": \"requestPackets.valid\"").contains("10.");
        long begin = Long.parseLong(waves("ring")
                .lines()
                .filter(l -> l.startsWith("#"))
                .findFirst()
                .orElseThrow()
                .substring(1));
        String first = clockwire("waves", file, "frames", "--from", begin + "ps", "--cycles", "4")
                .output();
        assertThat(first).doesNotContain("\"x");
    }

    /** In a process of its own, which the signal of Ctrl-C's kind ends. */
    @Test
    void anInterruptedRunKeepsIt() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(("perftest write-bw -D 3000 --exact --waves --ring 3us --out " + at("out")).split(" ")));
        Process run = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(at("printed").toFile())
                .start();
        try {
            for (int i = 0; i < 300 && !hasBegun(); i++) {
                Thread.sleep(50);
            }
            run.destroy();
            assertThat(run.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            run.destroyForcibly();
        }
        assertThat(at("out/INTERRUPTED")).exists();
        long end = lastChange(waves("out"));
        long begin = Long.parseLong(waves("out")
                .lines()
                .filter(l -> l.startsWith("#"))
                .findFirst()
                .orElseThrow()
                .substring(1));
        assertThat(end - begin).isEqualTo(3 * PS_PER_US);
        othersReadIt("out");
    }

    /** The capture in the making has so many frames that the run has been looked at. */
    private boolean hasBegun() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(f -> f.getFileName().toString().startsWith(".capture")
                    && f.toFile().length() > 1 << 22);
        }
    }

    private void othersReadIt(String out) throws IOException, InterruptedException {
        boolean found = Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(dir -> Files.isExecutable(Path.of(dir, "vcd2fst")));
        if ("true".equals(System.getenv("CI"))) {
            Assertions.assertTrue(found, "vcd2fst must be installed");
        }
        Assumptions.assumeTrue(found, "vcd2fst is not installed");
        Process judge = new ProcessBuilder(
                        "vcd2fst",
                        at(out).resolve("waves.vcd").toString(),
                        at("waves.fst").toString())
                .redirectErrorStream(true)
                .redirectOutput(at("judged").toFile())
                .start();
        assertThat(judge.waitFor()).as(Files.readString(at("judged"))).isZero();
        assertThat(at("waves.fst")).isNotEmptyFile();
    }
}
