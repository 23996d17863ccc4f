package dev.clockwire.bench.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.bench.catalogue.Outcome;
import dev.clockwire.bench.catalogue.Scenario;
import dev.clockwire.bench.catalogue.Scenarios;
import dev.clockwire.bench.practice.Practice;
import dev.clockwire.bench.practice.Practices;
import dev.clockwire.bench.practice.ScenarioReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code scenario}: faults and advice about RDMA, measured. */
@Command(
        name = "scenario",
        description = "Reproduce what goes wrong and what good practice does, name the cause, and measure the cure.")
final class ScenarioCommand extends CommandGroup {
    ScenarioCommand() {}

    /** A name and what it is about. */
    record Entry(String name, String title) {}

    private static List<Entry> entries() {
        return Stream.concat(
                        Scenarios.all().stream().map(s -> new Entry(s.name(), s.title())),
                        Practices.all().stream().map(p -> new Entry(p.name(), p.title())))
                .toList();
    }

    /** {@code scenario list}. */
    @Command(name = "list", description = "List the scenarios.")
    static final class ListAll extends ClockwireTask {
        @Mixin
        private JsonOption json = new JsonOption();

        ListAll(Console console) {
            super(console);
        }

        @Override
        public Integer call() {
            if (json.wanted()) {
                console().json(new JsonDocument("scenario-list").with("scenarios", entries()));
            } else {
                entries().forEach(e -> console().line(String.format(Locale.ROOT, "%-26s %s", e.name(), e.title())));
            }
            return ExitCode.OK;
        }
    }

    /** {@code scenario run NAME | --all}. */
    @Command(
            name = "run",
            description =
                    "Run a scenario with the fault and with the cure; exit code 1 if it is not named or not cured.")
    static final class Run extends ClockwireTask {
        @Parameters(arity = "0..1", paramLabel = "NAME", description = "A name of 'scenario list'.")
        private @Nullable String name;

        @Option(names = "--all", description = "Run all of them.")
        private boolean all;

        @Option(names = "--out", paramLabel = "DIR", description = "Leave what the runs read and printed there.")
        private @Nullable Path out;

        @Mixin
        private JsonOption json = new JsonOption();

        Run(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws IOException {
            List<String> names = chosen();
            List<ScenarioReport> reports = new ArrayList<>();
            try (OutputDirectory kept = out == null ? null : OutputDirectory.at(out)) {
                Path directory = kept == null ? Files.createTempDirectory("clockwire") : kept.file("");
                try {
                    run(names, directory, reports);
                } finally {
                    if (kept == null) {
                        remove(directory);
                    }
                }
                if (kept != null && reports.size() < names.size()) {
                    kept.keepInterrupted();
                } else if (kept != null) {
                    kept.keep();
                }
            }
            boolean interrupted = reports.size() < names.size();
            print(reports, interrupted);
            if (interrupted) {
                console().note("interrupted: " + reports.size() + " of " + names.size() + " scenarios have ended");
                return ExitCode.INTERRUPTED;
            }
            return reports.stream().allMatch(ScenarioReport::passed) ? ExitCode.OK : ExitCode.CHECK_FAILED;
        }

        /** Runs scenarios until all have ended or the user has had enough: one that was cut short shows nothing. */
        private void run(List<String> names, Path directory, List<ScenarioReport> ended) throws IOException {
            try {
                for (String one : names) {
                    if (Interrupt.requested()) {
                        return;
                    }
                    ended.add(report(one, directory));
                }
            } catch (Stopped e) {
                console().note(String.valueOf(e.getMessage()));
            }
        }

        private void print(List<ScenarioReport> reports, boolean interrupted) {
            if (!json.wanted()) {
                reports.forEach(report -> ScenarioText.print(report, out, console()::line));
                return;
            }
            JsonDocument body = new JsonDocument("scenario");
            body = all ? body.with("scenarios", reports) : reports.isEmpty() ? body : body.withAll(reports.get(0));
            console().json(interrupted ? body.with("interrupted", true) : body);
        }

        /** A run of a scenario was interrupted. */
        private static final class Stopped extends IOException {
            private static final long serialVersionUID = 1;

            Stopped(String command) {
                super("clockwire " + command + " was interrupted");
            }
        }

        private static void remove(Path directory) throws IOException {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }

        private ScenarioReport report(String wanted, Path directory) throws IOException {
            for (Scenario s : Scenarios.all()) {
                if (s.name().equals(wanted)) {
                    return s.run(line -> outcome(line, directory), directory);
                }
            }
            for (Practice p : Practices.all()) {
                if (p.name().equals(wanted)) {
                    return p.report(document(p, false), document(p, true));
                }
            }
            List<String> names = entries().stream().map(Entry::name).toList();
            throw CliException.usage(
                    CliException.unknownText("scenario", wanted, names) + " ('scenario list' shows all)");
        }

        private List<String> chosen() {
            String wanted = name;
            if (all == (wanted != null)) {
                throw CliException.usage("scenario run takes a NAME or --all");
            }
            return wanted == null ? entries().stream().map(Entry::name).toList() : List.of(wanted);
        }

        private static JsonNode document(Practice p, boolean follows) throws IOException {
            String command = p.command(follows);
            return outcome(command.startsWith("perftest ") ? command + " --counters" : command, null)
                    .document();
        }

        /** The runs are those of the command line, word for word. */
        private static Outcome outcome(String command, @Nullable Path directory) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            PrintStream to = new PrintStream(out, false, StandardCharsets.UTF_8);
            PrintStream errors = new PrintStream(err, false, StandardCharsets.UTF_8);
            int code = Main.run(to, errors, (command + " --json").split(" ", -1));
            errors.flush();
            if (code == ExitCode.OK || code == ExitCode.CHECK_FAILED) {
                String text = out.toString(StandardCharsets.UTF_8);
                return new Outcome(((ObjectNode) new ObjectMapper().readTree(text)).put("failed", 0), text);
            }
            if (code == ExitCode.INTERRUPTED) {
                throw new Stopped(command);
            }
            String text = err.toString(StandardCharsets.UTF_8);
            if (code != ExitCode.INPUT) {
                throw new dev.clockwire.sim.error.InvariantViolation(
                        "clockwire " + command + " ended with " + code + ": " + text);
            }
            String where = directory == null ? "" : directory.toString();
            String first = text.lines().findFirst().orElse("").replace(where, "");
            return new Outcome(
                    new ObjectMapper().createObjectNode().put("failed", 1).put("error", first), text);
        }
    }
}
