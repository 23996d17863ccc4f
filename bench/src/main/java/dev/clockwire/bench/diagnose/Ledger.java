package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What rules have asked for, what of it is known, and how near to their limits the ratios were: who finds nothing says so. */
final class Ledger {
    /** A ratio of a quarter of its limit is worth to be known: twice the load and twice the bad luck, and it is a finding. */
    private static final double NEAR = 0.25;

    private static final int SHOWN = 3;
    private static final Pattern CLASS = Pattern.compile("prio[0-7]");

    /**
     * A ratio that has come near to its limit.
     *
     * @param rule whose limit it is
     * @param evidence the counters
     * @param ratio what they come to
     * @param limit from which on the rule speaks
     */
    record Near(String rule, String evidence, double ratio, double limit) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s: %s is %.2g, limit %.2g", rule, evidence, ratio, limit);
        }
    }

    /**
     * A rule that nobody could judge.
     *
     * @param rule its name
     * @param missing what it would have to be told
     */
    record Unjudged(String rule, List<String> missing) {
        @Override
        public String toString() {
            int shown = Math.min(SHOWN, missing.size());
            return rule + " (" + String.join(", ", missing.subList(0, shown)) + (shown < missing.size() ? ", ..." : "")
                    + ")";
        }
    }

    private final NavigableSet<String> looked = new TreeSet<>();
    private final NavigableMap<String, NavigableSet<String>> missing = new TreeMap<>();
    private final NavigableSet<String> judged = new TreeSet<>();
    private final NavigableSet<String> noNumbers = new TreeSet<>();
    private final List<Near> near = new ArrayList<>();
    private String rule = "";

    /** The rule that asks from now on; empty: nobody does. */
    void begin(String name) {
        rule = name;
    }

    void asked(String name, boolean known) {
        if (rule.isEmpty()) {
            return;
        }
        String shown = CLASS.matcher(name).replaceFirst("prioN");
        if (known) {
            looked.add(shown);
            judged.add(rule);
        } else {
            missing.computeIfAbsent(rule, r -> new TreeSet<>()).add(shown);
        }
    }

    /** A counter that a rule asks for has something else for its value. */
    void noNumber(String line) {
        if (!rule.isEmpty()) {
            noNumbers.add(line);
        }
    }

    List<String> noNumbers() {
        return List.copyOf(noNumbers);
    }

    /** Whether a ratio reaches its limit. */
    boolean reaches(String evidence, double ratio, double limit) {
        if (ratio >= NEAR * limit && ratio < limit && !rule.isEmpty()) {
            near.add(new Near(rule, evidence, ratio, limit));
        }
        return ratio > 0 && ratio >= limit;
    }

    List<String> looked() {
        return List.copyOf(looked);
    }

    List<Near> near() {
        return Collections.unmodifiableList(near);
    }

    /** Returns the rules of which not one counter was known. */
    List<Unjudged> unjudged() {
        return missing.entrySet().stream()
                .filter(e -> !judged.contains(e.getKey()))
                .map(e -> new Unjudged(e.getKey(), List.copyOf(e.getValue())))
                .toList();
    }
}
