package dev.clockwire.bench.practice;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One piece of advice.
 *
 * @param name for scripts
 * @param title what it is about
 * @param run command line of both runs, without {@code clockwire}
 * @param without options of the run that does not follow it
 * @param with options of the run that does
 * @param figure which figure of the run's document tells, a path with dots
 * @param least with this the figure must at least get better by, as a factor; below 1 the gain must stay within its inverse
 * @param diagnosis why
 */
public record Practice(
        String name,
        String title,
        String run,
        String without,
        String with,
        Figure figure,
        double least,
        String diagnosis) {

    /** Returns the command line of one of the runs. */
    public String command(boolean follows) {
        return (run + " " + (follows ? with : without)).strip();
    }

    /** Compares the documents of the two runs. */
    public ScenarioReport report(JsonNode before, JsonNode after) {
        double gain = figure.gain(before, after);
        boolean passed = least >= 1 ? gain >= least : gain <= 1 / least && gain >= least;
        return new ScenarioReport(
                name,
                Map.of("figure", figure.path(), "value", figure.of(before), "command", command(false)),
                String.format(Locale.ROOT, "%s (factor %.2f)", diagnosis, gain),
                Map.of("change", with.isEmpty() ? "without " + without : with, "command", command(true)),
                Figure.all(before),
                Figure.all(after),
                new ScenarioReport.Counters(counters(before), counters(after)),
                passed);
    }

    /** Counters of both hosts together, as far as a run has them. */
    private static Map<String, Long> counters(JsonNode document) {
        Map<String, Long> sums = new TreeMap<>();
        document.path("counters").forEach(host -> {
            for (String kind : new String[] {"hw_counters", "ethtool", "model"}) {
                for (Map.Entry<String, JsonNode> e : host.path(kind).properties()) {
                    sums.merge(e.getKey(), e.getValue().asLong(), Long::sum);
                }
            }
        });
        return sums;
    }
}
