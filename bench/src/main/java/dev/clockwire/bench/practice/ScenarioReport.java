package dev.clockwire.bench.practice;

import java.util.Map;

/**
 * What came of a scenario; the component names are those of the JSON document.
 *
 * @param name of the scenario
 * @param symptom the figure that is bad without the advice, and the command that shows it
 * @param diagnosis why, and by which factor the advice helps
 * @param cure what changes, and the command that shows it
 * @param before figures without
 * @param after figures with
 * @param counters of both devices
 * @param passed whether it helped as much as it must
 */
public record ScenarioReport(
        String name,
        Map<String, Object> symptom,
        String diagnosis,
        Map<String, Object> cure,
        Map<String, Double> before,
        Map<String, Double> after,
        Counters counters,
        boolean passed) {

    /** Counters of both devices together, without and with. */
    public record Counters(Map<String, Long> before, Map<String, Long> after) {}
}
