package dev.clockwire.bench.practice;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** A figure of a run's document, and whether less of it is better. */
public enum Figure {
    /** Median latency. */
    P50("latency_us.p50", true),
    /** Latency of the slowest hundredth. */
    P99("latency_us.p99", true),
    /** Latency of the slowest thousandth. */
    P999("latency_us.p999", true),
    /** Messages. */
    RATE("msg_rate_mpps", false),
    /** Payload. */
    BANDWIDTH("bandwidth_gbps", false),
    /** I/Os in a second. */
    IOPS("iops", false),
    /** Completions behind those of later work requests. */
    OUT_OF_ORDER("completions_out_of_order", true),
    /** When the first flow of a fabric ended; the end of the run if it did not. */
    FIRST_FLOW("first_flow_us", true),
    /** Flows of a fabric that did not end well. */
    FAILED_FLOWS("failed_flows", true),
    /** When the last flow of a fabric ended; the end of the run if one did not. */
    LAST_FLOW("last_flow_us", true),
    /** Pauses that switches sent. */
    PAUSES("pauses", true),
    /** Payload of all flows of a fabric while they lasted. */
    GOODPUT("goodput_gbps", false),
    /** Whether the command gave up. */
    FAILED("failed", true);

    private final String path;
    private final boolean lessIsBetter;

    Figure(String path, boolean lessIsBetter) {
        this.path = path;
        this.lessIsBetter = lessIsBetter;
    }

    private static JsonNode at(JsonNode document, String path) {
        JsonNode node = document;
        for (String name : path.split("\\.", -1)) {
            node = node.path(name);
        }
        return node;
    }

    private static double sum(JsonNode flows, ToDoubleFunction<JsonNode> of) {
        double sum = 0;
        for (JsonNode flow : flows) {
            sum += of.applyAsDouble(flow);
        }
        return flows.isEmpty() ? Double.NaN : sum;
    }

    private static double lastFlow(JsonNode document, JsonNode flows) {
        double last = flows.isEmpty() ? Double.NaN : 0;
        for (JsonNode flow : flows) {
            last = Math.max(last, ended(document, flow));
        }
        return last;
    }

    private static double ended(JsonNode document, JsonNode flow) {
        return flow.path("fct_us").asDouble(document.path("simulated_ms").asDouble() * 1000);
    }

    /** Returns the field's path. */
    public String path() {
        return path;
    }

    /** Returns the name of the field in a report. */
    public String field() {
        return path.replace('.', '_');
    }

    /** Returns the value in a document, NaN if it has none. */
    public double of(JsonNode document) {
        JsonNode flows = document.path("flows");
        return switch (this) {
            case FAILED_FLOWS ->
                sum(flows, f -> "success".equals(f.path("status").asText()) ? 0 : 1);
            case GOODPUT -> sum(flows, f -> f.path("goodput_gbps").asDouble());
            case LAST_FLOW -> lastFlow(document, flows);
            case FIRST_FLOW -> flows.isEmpty() ? Double.NaN : ended(document, flows.get(0));
            case OUT_OF_ORDER -> document.path(path).asDouble(document.has("tool") ? 0 : Double.NaN);
            default -> at(document, path).asDouble(Double.NaN);
        };
    }

    /** Returns by which factor it is better in another document. */
    public double gain(JsonNode before, JsonNode after) {
        double x = of(before);
        double y = of(after);
        return lessIsBetter ? x / y : y / x;
    }

    /** Returns all figures that a document has, by their names in a report. */
    public static Map<String, Double> all(JsonNode document) {
        Map<String, Double> all = new TreeMap<>();
        for (Figure f : values()) {
            double value = f.of(document);
            if (!Double.isNaN(value)) {
                all.put(f.field(), value);
            }
        }
        return all;
    }
}
