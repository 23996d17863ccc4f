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

    /** A figure and whether less of it is better. */
    public enum Figure {
        /** Median latency. */
        P50("latency_us.p50", true),
        /** Latency of the slowest thousandth. */
        P999("latency_us.p999", true),
        /** Messages. */
        RATE("msg_rate_mpps", false),
        /** Payload. */
        BANDWIDTH("bandwidth_gbps", false);

        private final String path;
        private final boolean lessIsBetter;

        Figure(String path, boolean lessIsBetter) {
            this.path = path;
            this.lessIsBetter = lessIsBetter;
        }

        /** Returns the field's path. */
        public String path() {
            return path;
        }

        double of(JsonNode document) {
            JsonNode node = document;
            for (String name : path.split("\\.", -1)) {
                node = node.path(name);
            }
            return node.asDouble();
        }
    }

    /** Returns the command line of one of the runs. */
    public String command(boolean follows) {
        return (run + " " + (follows ? with : without)).strip();
    }

    /** Compares the documents of the two runs. */
    public PracticeReport report(JsonNode before, JsonNode after) {
        double x = figure.of(before);
        double y = figure.of(after);
        double gain = figure.lessIsBetter ? x / y : y / x;
        boolean passed = least >= 1 ? gain >= least : gain <= 1 / least && gain >= least;
        return new PracticeReport(
                name,
                Map.of("figure", figure.path(), "value", x, "command", command(false)),
                String.format(Locale.ROOT, "%s (factor %.2f)", diagnosis, gain),
                Map.of("change", with.isEmpty() ? "without " + without : with, "command", command(true)),
                figures(before),
                figures(after),
                new PracticeReport.Counters(counters(before), counters(after)),
                passed);
    }

    private static Map<String, Double> figures(JsonNode document) {
        Map<String, Double> all = new TreeMap<>();
        for (Figure f : Figure.values()) {
            all.put(f.path().replace("latency_us.", "latency_us_"), f.of(document));
        }
        return all;
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
