package dev.clockwire.bench.config.lint;

import dev.clockwire.bench.config.model.Finding;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.Rule;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects findings: one for each rule and line, however many ports it concerns. */
final class Book {
    private final ImportLog log;
    private final Map<String, Finding> first = new LinkedHashMap<>();
    private final Map<String, Integer> more = new LinkedHashMap<>();

    Book(ImportLog log) {
        this.log = log;
    }

    void find(Rule rule, String where, long number, String message, String cure) {
        find(rule, rule.severity(), where, number, message, cure);
    }

    void find(Rule rule, String severity, String where, long number, String message, String cure) {
        String key = rule.id() + "@" + where + "#" + number;
        if (first.putIfAbsent(key, new Finding(rule.id(), severity, where, number, message, cure)) != null) {
            more.merge(key, 1, Integer::sum);
        }
    }

    /** Writes everything down. */
    void close() {
        first.forEach((key, f) -> {
            int others = more.getOrDefault(key, 0);
            String text = f.message() + (others == 0 ? "" : " (and " + others + " more like it)");
            log.finding(Rule.of(f.rule()), f.severity(), f.where(), f.number(), text, f.cure());
        });
    }
}
