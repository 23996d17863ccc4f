package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.error.ProtocolViolation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class CliTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder = Path.of("");

    enum Tool {
        WRITE_LAT,
        READ_LAT
    }

    static final class ToolConverter extends EnumConverter<Tool> {
        ToolConverter() {
            super("tool", Tool.values());
        }
    }

    record Result(long bandwidthGbps, List<String> stages) {}

    @Command(name = "probe")
    static final class Probe extends ClockwireTask {
        @Parameters(converter = ToolConverter.class)
        Tool tool = Tool.WRITE_LAT;

        @Option(names = "-s", defaultValue = "64")
        long size;

        @Option(names = "--fail", defaultValue = "")
        String fail = "";

        @Mixin
        RunOptions run = new RunOptions();

        Probe(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws Exception {
            Range.check("-s", size, 1, 1L << 31, "bytes");
            if (run.out().isPresent()) {
                try (OutputDirectory output = OutputDirectory.at(run.out().get())) {
                    Files.writeString(output.file("stats.json"), "{}");
                    failAsTold();
                    output.keep();
                }
            }
            console().line("half a result");
            failAsTold();
            if (run.json()) {
                console().discard();
                console()
                        .json(new JsonDocument("probe")
                                .with("seed", run.seed())
                                .withAll(new Result(7, List.of("wire"))));
            }
            return "check".equals(fail) ? ExitCode.CHECK_FAILED : ExitCode.OK;
        }

        private void failAsTold() throws IOException {
            switch (fail) {
                case "usage" -> throw CliException.usage("usage text");
                case "configuration" -> throw new ConfigurationException("nic", 1500, "a\nvalue");
                case "invariant" -> throw new InvariantViolation("broken law");
                case "protocol" -> throw new ProtocolViolation("broken rule");
                case "memory" -> throw new OutOfMemoryError("heap");
                case "bug" -> throw new IllegalStateException("odd");
                case "file" -> Files.readString(Path.of("/nonexistent/x.pcap"));
                default -> {}
            }
        }
    }

    private int run(String... args) {
        Console console = new Console(stream(out), stream(err));
        CommandLine parser = new CommandLine(new Root());
        parser.addSubcommand(new Probe(console));
        parser.addSubcommand(new CommandLine(new Group()).addSubcommand(new Probe(console)));
        return Main.run(parser, console, args);
    }

    @Command(name = "clockwire")
    static final class Root extends CommandGroup {}

    @Command(name = "group")
    static final class Group extends CommandGroup {}

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private String text(ByteArrayOutputStream from) {
        return from.toString(StandardCharsets.UTF_8);
    }

    private void assertOneErrorLine(String... words) {
        assertThat(text(out)).isEmpty();
        assertThat(text(err))
                .startsWith("clockwire: ")
                .endsWith("\n")
                .hasLineCount(1)
                .contains(words);
    }

    @ParameterizedTest
    @CsvSource({"usage,2", "configuration,3", "file,3", "invariant,4", "protocol,4", "bug,4", "memory,3"})
    void everyFailureHasItsExitCodeAndLeavesNothing(String kind, int code) {
        Path target = folder.resolve("deep/out");
        assertThat(run("probe", "write-lat", "--fail", kind, "--out", target.toString()))
                .isEqualTo(code);
        assertOneErrorLine(" ");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFailedCheckPrintsItsResult() {
        assertThat(run("probe", "write-lat", "--fail", "check")).isEqualTo(1);
        assertThat(text(out)).isEqualTo("half a result\n");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void anUnknownCommandIsNamedWithTheNearest() {
        assertThat(run("prbe", "write-lat")).isEqualTo(2);
        assertOneErrorLine("prbe", "did you mean probe?");
    }

    @Test
    void anUnknownCommandOfAGroupIsNamed() {
        assertThat(run("group", "frobnicate")).isEqualTo(2);
        assertOneErrorLine("frobnicate", "probe");
    }

    @Test
    void aGroupAloneAsksForACommand() {
        assertThat(run("group")).isEqualTo(2);
        assertOneErrorLine("'clockwire group'", "probe");
    }

    @Test
    void anUnknownToolIsNamedWithTheNearest() {
        assertThat(run("probe", "write-lta")).isEqualTo(2);
        assertOneErrorLine("tool 'write-lta'", "did you mean write-lat?");
    }

    @Test
    void anUnknownOptionIsNamedWithTheNearest() {
        assertThat(run("probe", "write-lat", "--profle=x")).isEqualTo(2);
        assertOneErrorLine("'--profle'", "did you mean --profile?");
    }

    @ParameterizedTest
    @CsvSource({"-1", "0", "99999999999", "4k", "99999999999999999999"})
    void aSizeOutsideItsRangeIsNamed(String size) {
        assertThat(run("probe", "write-lat", "-s", size)).isEqualTo(2);
        assertOneErrorLine("-s", size);
    }

    @Test
    void anOverrideWithoutValueIsAUsageError() {
        assertThat(run("probe", "write-lat", "-P", "pcie.lanes")).isEqualTo(2);
        assertOneErrorLine("pcie.lanes", "PATH=VALUE");
    }

    @Test
    void anExtraArgumentIsAUsageError() {
        assertThat(run("probe", "write-lat", "10.0.0.2")).isEqualTo(2);
        assertOneErrorLine("10.0.0.2");
    }

    @Test
    void jsonIsOneDocumentWithTheHeader() {
        assertThat(run("probe", "write-lat", "--json", "--seed", "7")).isZero();
        assertThat(text(out))
                .isEqualTo("{\"schema\":\"clockwire.probe/1\",\"version\":\"" + Version.text()
                        + "\",\"seed\":7,\"bandwidth_gbps\":7,\"stages\":[\"wire\"]}\n");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void textBesideJsonIsOurMistake() {
        Console console = new Console(stream(out), stream(err));
        console.line("text");
        console.json(new JsonDocument("probe"));
        assertThatThrownBy(console::flush).isInstanceOf(InvariantViolation.class);
        assertThat(text(out)).isEmpty();
    }

    @Test
    void theRealParserKnowsNoSuchCommand() {
        assertThat(Main.run(stream(out), stream(err), "frobnicate")).isEqualTo(2);
        assertOneErrorLine("frobnicate");
    }

    @Test
    void theRealParserTellsItsVersion() {
        assertThat(Main.run(stream(out), stream(err), "--version")).isZero();
        assertThat(text(out)).matches("clockwire \\d+\\.\\d+\\.\\d+.*\n");
    }

    /** A parser for one command has the same as the one for all. */
    @Test
    void eachCommandIsFoundAlone() {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Console console = new Console(nowhere, nowhere);
        CommandLine all = ClockwireCommand.parser(console, List.of());
        assertThat(all.getSubcommands()).hasSizeGreaterThan(15);
        all.getSubcommands().forEach((name, command) -> {
            assertThat(command.getCommandName()).isEqualTo(name);
            CommandLine alone = ClockwireCommand.parser(console, List.of(name));
            assertThat(alone.getSubcommands())
                    .hasSize(1)
                    .hasEntrySatisfying(
                            name, one -> assertThat(one.getUsageMessage()).isEqualTo(command.getUsageMessage()));
        });
    }
}
