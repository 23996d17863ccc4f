package dev.clockwire.bench.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.diagnose.Counters;
import dev.clockwire.bench.diagnose.Diagnosis;
import dev.clockwire.bench.diagnose.Finding;
import dev.clockwire.bench.practice.Figure;
import dev.clockwire.bench.practice.ScenarioReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fault and its cure: two runs that differ in one setting. The diagnosis is what {@link Diagnosis} says of the first run, and of nothing else.
 *
 * @param name for scripts
 * @param title what goes wrong
 * @param command of both runs, without {@code clockwire}; {@code VALUE} in it is one of the two settings, which else stand behind the
 *     command; {@code FILE} is a file of the catalogue, in which {@code VALUE} is one of them too
 * @param bad setting of the run with the fault
 * @param good setting of the run without
 * @param figure what the user complains about
 * @param least by this factor it must get better
 * @param rule which rule of the diagnosis must be the first to speak of the first run, and say nothing of the second
 * @param cure what an operator does on a real machine
 * @param remark what people get wrong about it, empty if nothing
 */
public record Scenario(
        String name,
        String title,
        String command,
        String bad,
        String good,
        Figure figure,
        double least,
        String rule,
        String cure,
        String remark) {
    private static final String FILE = "FILE";
    private static final String VALUE = "VALUE";
    private static final Pattern KEY = Pattern.compile("([\\w.]+): " + VALUE);

    /** Returns the command line of one of the runs as a user would type it. */
    public String command(boolean cured) {
        return line(cured, file(cured));
    }

    private String line(boolean cured, String file) {
        String setting = cured ? good : bad;
        return hasFile() || command.contains(VALUE)
                ? command.replace(FILE, file).replace(VALUE, setting)
                : (command + " " + setting).strip();
    }

    /** Whether a file belongs to it. */
    public boolean hasFile() {
        return command.contains(FILE);
    }

    /** Returns the name of the file of one of the runs. */
    public String file(boolean cured) {
        return name + (cured ? "-cured" : "") + ".yaml";
    }

    /** Returns the file of one of the runs. */
    public String fileText(boolean cured) throws IOException {
        return template().replace(VALUE, cured ? good : bad);
    }

    private String template() throws IOException {
        try (InputStream in = Objects.requireNonNull(Scenario.class.getResourceAsStream(name + ".yaml"), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns what the cure changes; a value in a file with the key that it belongs to. */
    private String change() throws IOException {
        Matcher key = KEY.matcher(hasFile() ? template() : "");
        return (key.find() ? key.group(1) + ": " : "") + bad + " -> " + good;
    }

    /** Runs it; its files are in a directory for as long as that takes. */
    public ScenarioReport run(Commands commands, Path directory) throws IOException {
        Outcome before = run(commands, directory, false);
        Outcome after = run(commands, directory, true);
        Counters first = Counters.read(before.text());
        Counters second = Counters.read(after.text());
        List<Finding> found = Diagnosis.of(first);
        List<Finding> left = Diagnosis.of(second);
        double gain = figure.gain(before.document(), after.document());
        boolean named = !found.isEmpty() && found.get(0).rule().equals(rule);
        boolean gone = left.stream().noneMatch(f -> f.rule().equals(rule));
        return new ScenarioReport(
                name,
                symptom(before.document(), found),
                text(found),
                Map.of("change", change(), "command", command(true), "operator", cure),
                Figure.all(before.document()),
                Figure.all(after.document()),
                new ScenarioReport.Counters(first.sums(), second.sums()),
                named && gone && gain >= least);
    }

    private Map<String, Object> symptom(JsonNode before, List<Finding> found) {
        Map<String, Object> all = new TreeMap<>();
        all.put("figure", figure.path());
        all.put("value", figure.of(before));
        all.put("command", command(false));
        if (before.has("error")) {
            all.put("error", before.get("error").asText());
        }
        if (!found.isEmpty()) {
            all.put("cause", found.get(0).cause());
            all.put("evidence", found.get(0).evidence());
        }
        return all;
    }

    private static String text(List<Finding> found) {
        if (found.isEmpty()) {
            return "the counters say nothing";
        }
        Finding first = found.get(0);
        String more = found.size() == 1
                ? ""
                : "; also "
                        + String.join(
                                ", ",
                                found.subList(1, found.size()).stream()
                                        .map(Finding::rule)
                                        .toList());
        return String.format(Locale.ROOT, "%s: %s (%s)%s", first.rule(), first.cause(), first.evidence(), more);
    }

    private Outcome run(Commands commands, Path directory, boolean cured) throws IOException {
        if (!hasFile()) {
            return commands.run(command(cured));
        }
        Path file = Files.writeString(directory.resolve(file(cured)), fileText(cured));
        return commands.run(line(cured, file.toString()));
    }
}
