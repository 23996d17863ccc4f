package dev.clockwire.bench.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command of a plan. A variable stands in it as {@code {name}}, or becomes a parameter of the profile if its name has a dot, or an option.
 *
 * @param words of the command, without {@code clockwire}
 * @param options of that command, each with whether it takes a value
 */
record CommandTemplate(List<String> words, Map<String, Boolean> options) {
    static final String SEED = "seed";
    static final String ROW = "row";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([\\w.-]+)}");

    CommandTemplate {
        words = List.copyOf(words);
        options = Map.copyOf(options);
    }

    /** Returns the names that stand in braces. */
    Set<String> placeholders() {
        Set<String> names = new TreeSet<>();
        for (String word : words) {
            PLACEHOLDER.matcher(word).results().forEach(m -> names.add(m.group(1)));
        }
        return names;
    }

    /** Returns the option of a variable that is neither in braces nor a parameter. */
    Optional<String> option(String name) {
        for (String option : List.of(name, "--" + name, "-" + name)) {
            if (options.containsKey(option)) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }

    /** Whether the variable is the value of an option, or its presence. */
    boolean isSwitch(String name) {
        return !placeholders().contains(name)
                && option(name).map(o -> !options.getOrDefault(o, true)).orElse(false);
    }

    /** Returns the command line of one run. */
    List<String> arguments(int row, String seed, Map<String, String> values) {
        List<String> line = new ArrayList<>();
        for (String word : words) {
            line.add(PLACEHOLDER
                    .matcher(word)
                    .replaceAll(m -> Matcher.quoteReplacement(value(m.group(1), row, seed, values))));
        }
        Set<String> placed = placeholders();
        values.forEach((name, value) -> {
            if (!placed.contains(name)) {
                add(line, name, value);
            }
        });
        if (!values.containsKey(SEED) && !placed.contains(SEED) && options.containsKey("--seed")) {
            line.addAll(List.of("--seed", seed));
        }
        line.add("--json");
        return line;
    }

    private static String value(String name, int row, String seed, Map<String, String> values) {
        String own = name.equals(ROW) ? Integer.toString(row) : name.equals(SEED) ? seed : "";
        return values.getOrDefault(name, own);
    }

    private void add(List<String> line, String name, String value) {
        if (name.indexOf('.') >= 0) {
            line.addAll(List.of("-P", name + "=" + value));
            return;
        }
        String option = option(name).orElseThrow();
        if (options.getOrDefault(option, true)) {
            line.addAll(List.of(option, value));
        } else if (value.equals("true")) {
            line.add(option);
        }
    }
}
