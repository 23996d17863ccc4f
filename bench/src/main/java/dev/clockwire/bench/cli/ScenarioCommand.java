package dev.clockwire.bench.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.practice.Practice;
import dev.clockwire.bench.practice.PracticeReport;
import dev.clockwire.bench.practice.Practices;
import dev.clockwire.sim.error.InvariantViolation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code scenario}: advice about RDMA, measured. */
@Command(name = "scenario", description = "Reproduce what good and bad practice do, and measure it.")
final class ScenarioCommand extends CommandGroup {
    ScenarioCommand() {}

    /** {@code scenario list}. */
    @Command(name = "list", description = "List the scenarios.")
    static final class ListAll extends ClockwireTask {
        @Mixin
        private JsonOption json = new JsonOption();

        ListAll(Console console) {
            super(console);
        }

        /** A name and what it is about. */
        record Entry(String name, String title) {}

        @Override
        public Integer call() {
            List<Entry> all = Practices.all().stream()
                    .map(p -> new Entry(p.name(), p.title()))
                    .toList();
            if (json.wanted()) {
                console().json(new JsonDocument("scenario-list").with("scenarios", all));
            } else {
                all.forEach(e -> console().line(String.format(Locale.ROOT, "%-26s %s", e.name(), e.title())));
            }
            return ExitCode.OK;
        }
    }

    /** {@code scenario run NAME | --all}. */
    @Command(name = "run", description = "Run a scenario without and with the advice; exit code 1 if it does not help.")
    static final class Run extends ClockwireTask {
        @Parameters(arity = "0..1", paramLabel = "NAME", description = "A name of 'scenario list'.")
        private @Nullable String name;

        @Option(names = "--all", description = "Run all of them.")
        private boolean all;

        @Mixin
        private JsonOption json = new JsonOption();

        Run(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws IOException {
            List<PracticeReport> reports = new ArrayList<>();
            for (Practice p : chosen()) {
                PracticeReport report = p.report(document(p.command(false)), document(p.command(true)));
                reports.add(report);
                if (!json.wanted()) {
                    console().line((report.passed() ? "passed " : "FAILED ") + p.name() + ": " + p.title());
                    String figure = String.valueOf(report.symptom().get("figure"));
                    console().line("    " + figure + ": " + report.diagnosis());
                    console()
                            .line("    without: " + value(figure, report.before()) + "  clockwire " + p.command(false));
                    console().line("    with:    " + value(figure, report.after()) + "  clockwire " + p.command(true));
                }
            }
            if (json.wanted()) {
                JsonDocument body = new JsonDocument("scenario");
                console().json(all ? body.with("scenarios", reports) : body.withAll(reports.get(0)));
            }
            return reports.stream().allMatch(PracticeReport::passed) ? ExitCode.OK : ExitCode.CHECK_FAILED;
        }

        private static String value(String figure, Map<String, Double> figures) {
            return String.format(Locale.ROOT, "%8.4g", figures.get(figure.replace("latency_us.", "latency_us_")));
        }

        private List<Practice> chosen() {
            String wanted = name;
            if (all == (wanted != null)) {
                throw CliException.usage("scenario run takes a NAME or --all");
            }
            if (wanted == null) {
                return Practices.all();
            }
            List<Practice> found = Practices.all().stream()
                    .filter(p -> p.name().equals(wanted))
                    .toList();
            if (found.isEmpty()) {
                throw CliException.unknown(
                        "scenario",
                        wanted,
                        Practices.all().stream().map(Practice::name).toList());
            }
            return found;
        }

        /** The runs are those of the command line, word for word. */
        private static JsonNode document(String command) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            PrintStream to = new PrintStream(out, false, StandardCharsets.UTF_8);
            PrintStream errors = new PrintStream(err, false, StandardCharsets.UTF_8);
            String form = command.startsWith("perftest ") ? " --counters --json" : " --json";
            int code = Main.run(to, errors, (command + form).split(" ", -1));
            errors.flush();
            if (code != ExitCode.OK) {
                throw new InvariantViolation("clockwire " + command + " ended with " + code + ": " + err);
            }
            return new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        }
    }
}
