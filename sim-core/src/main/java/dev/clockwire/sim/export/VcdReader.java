package dev.clockwire.sim.export;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A value change dump read back, ours or another simulator's: all changes of each signal, by full name. A change to the value a signal
 * has already is left out, as is a shorter life than an instant: of several changes at one time the last counts.
 */
public final class VcdReader {
    private static final String TIMESCALE = "$timescale";
    private static final List<String> REMARKS = List.of("$date", "$version", "$comment", TIMESCALE);
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern LEADING_ZEROS = Pattern.compile("^0+(?=.)");
    private static final Pattern UNKNOWN = Pattern.compile("^x+$");

    private final Map<String, List<String>> changes = new TreeMap<>();
    private final Map<String, Integer> widths = new TreeMap<>();
    private final Map<String, String> names = new TreeMap<>();
    private final List<String> scope = new ArrayList<>();
    private String time = "none";
    private String timescale = "";
    private int line;

    private VcdReader() {}

    /**
     * Reads a dump.
     *
     * @throws ConfigurationException with the line if it is not one
     */
    public static VcdReader parse(String text) {
        VcdReader vcd = new VcdReader();
        String remark = "";
        for (String raw : text.split("\n", -1)) {
            vcd.line++;
            String[] w = BLANKS.split(raw.trim(), -1);
            if (!remark.isEmpty() || REMARKS.contains(w[0])) {
                remark = vcd.remark(remark.isEmpty() ? w[0] : remark, w);
            } else if (w[0].startsWith("$")) {
                vcd.declaration(w);
            } else if (!w[0].isEmpty()) {
                vcd.change(w);
            }
        }
        return vcd;
    }

    /** Takes a line of a remark; returns the remark that goes on behind it, empty if it has ended. */
    private String remark(String kind, String[] words) {
        if (kind.equals(TIMESCALE)) {
            for (String word : words) {
                timescale += word.startsWith("$") ? "" : word;
            }
        }
        return words[words.length - 1].equals("$end") ? "" : kind;
    }

    /** Returns the unit of its times as it stands there, without blanks: {@code 1ps}; empty if it names none. */
    public String timescale() {
        return timescale;
    }

    /** Returns "time=value" in time order, the value in binary without leading zeros. */
    public List<String> changes(String signal) {
        return List.copyOf(known(changes, signal));
    }

    /** Returns the bits of a signal. */
    public int width(String signal) {
        return known(widths, signal);
    }

    /** Returns the full names of all signals, in alphabetical order. */
    public Set<String> signals() {
        return Collections.unmodifiableSet(changes.keySet());
    }

    private static <V> V known(Map<String, V> map, String signal) {
        V found = map.get(signal);
        if (found == null) {
            throw new ConfigurationException("there is no signal '" + signal + "' in this dump");
        }
        return found;
    }

    private void declaration(String[] w) {
        switch (w[0]) {
            case "$scope" -> scope.add(w[need(w, 3) - 1]);
            case "$upscope" -> {
                if (scope.isEmpty()) {
                    throw bad("$upscope outside of a scope");
                }
                scope.remove(scope.size() - 1);
            }
            case "$var" -> variable(w);
            default -> {} // $enddefinitions, $dumpvars, $end
        }
    }

    private void variable(String[] w) {
        need(w, 5);
        int bracket = w[4].indexOf('[');
        String last = bracket > 0 ? w[4].substring(0, bracket) : w[4];
        String name = scope.isEmpty() ? last : String.join(".", scope) + "." + last;
        names.put(w[3], name);
        changes.put(name, new ArrayList<>());
        try {
            widths.put(name, Integer.parseInt(w[2]));
        } catch (NumberFormatException e) {
            throw bad("width '" + w[2] + "' is not a number");
        }
    }

    private void change(String[] w) {
        char first = w[0].charAt(0);
        if (first == '#') {
            time = w[0].substring(1);
        } else if (first == 'b' || first == 'B') {
            change(w[need(w, 2) - 1], w[0].substring(1));
        } else if ("01xzXZ".indexOf(first) >= 0) {
            change(w[0].substring(1), w[0].substring(0, 1));
        } else {
            throw bad("'" + w[0] + "' is no change");
        }
    }

    private void change(String id, String value) {
        String name = names.get(id);
        if (name == null) {
            throw bad("no signal was declared as '" + id + "'");
        }
        String zeros = LEADING_ZEROS.matcher(value.toLowerCase(Locale.ROOT)).replaceFirst("");
        String v = UNKNOWN.matcher(zeros).replaceFirst("x");
        List<String> all = known(changes, name);
        String now = time + "=";
        if (!all.isEmpty() && all.get(all.size() - 1).startsWith(now)) {
            all.remove(all.size() - 1);
        }
        if (all.isEmpty() || !all.get(all.size() - 1).endsWith("=" + v)) {
            all.add(now + v);
        }
    }

    private int need(String[] w, int words) {
        if (w.length < words) {
            throw bad("'" + String.join(" ", w) + "' is too short");
        }
        return words;
    }

    private ConfigurationException bad(String what) {
        return new ConfigurationException("value change dump, line " + line + ": " + what);
    }
}
