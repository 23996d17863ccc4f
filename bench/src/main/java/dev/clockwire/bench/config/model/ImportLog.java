package dev.clockwire.bench.config.model;

import dev.clockwire.sim.error.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What readers of files have to say: each line they know and what it does, each they do not, and what is wrong. */
public final class ImportLog {
    private final List<Recognised> recognised = new ArrayList<>();
    private final List<Unknown> unknown = new ArrayList<>();
    private final Set<Finding> findings = new LinkedHashSet<>();
    private String file = "";
    private int line;
    private String text = "";
    private String format = "";

    /** Creates an empty log. */
    public ImportLog() {}

    /** Turns to a line that a format knows. */
    public void begin(String inFile, int number, String words, String kind) {
        file = inFile;
        line = number;
        text = words;
        format = kind;
    }

    /** Returns file and line. */
    public String where() {
        return file + ":" + line;
    }

    /** Says what the line does. */
    public void effect(String words) {
        recognised.add(new Recognised(file, line, text, format, words));
    }

    /** Says that nobody knows a line. */
    public void unknown(String inFile, int number, String words) {
        unknown.add(new Unknown(inFile, number, words));
    }

    /** Adds a finding on the line with the rule's severity. */
    public void finding(Rule rule, long number, String message, String cure) {
        finding(rule, rule.severity(), where(), number, message, cure);
    }

    /** Adds a finding; the same once. */
    public void finding(Rule rule, String severity, String where, long number, String message, String cure) {
        findings.add(new Finding(rule.id(), severity, where, number, message, cure));
    }

    /** Says that a word is not what its place takes; the line has no effect. */
    public void bad(String what, String word, String allowed) {
        effect("no effect: " + what + " '" + word + "'");
        finding(
                Rule.BAD_VALUE,
                number(word),
                what + " '" + word + "' is not " + allowed,
                "write " + what + ": " + allowed);
    }

    /** Says that a word is none of those known, with the nearest. */
    public void unknownWord(Rule rule, String what, String word, Collection<String> known) {
        effect("no effect: there is no " + what + " '" + word + "'");
        finding(
                rule,
                number(word),
                "there is no " + what + " '" + word + "'" + Nearest.hint(word, known),
                "one of " + String.join(", ", known));
    }

    private static long number(String word) {
        return word.matches("-?\\d{1,18}") ? Long.parseLong(word) : 0;
    }

    /** Returns the lines that were understood. */
    public List<Recognised> recognised() {
        return recognised;
    }

    /** Returns the lines that nobody knows. */
    public List<Unknown> unknown() {
        return unknown;
    }

    /** Returns what is wrong. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }
}
