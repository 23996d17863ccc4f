package dev.clockwire.bench.sweep;

import dev.clockwire.sim.error.Nearest;
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
 * @param parameters that its -P knows
 */
record CommandTemplate(List<String> words, Map<String, Boolean> options, Set<String> parameters) {
    static final String SEED = "seed";
    static final String ROW = "row";

    /** Results that are called otherwise than the option that they repeat. */
    private static final Map<String, String> OTHER_NAMES =
            Map.of("iterations", "iters", "qps", "qp", "queue_depth", "io-depth");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([\\w.-]+)}");

    CommandTemplate {
        words = List.copyOf(words);
        options = Map.copyOf(options);
        parameters = Set.copyOf(parameters);
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

    /** Whether a result has the name of an option, in the document itself or in one of its rows: then it says what was asked for. */
    boolean isInput(String path) {
        String name = path.replaceFirst("^rows\\.\\d+\\.", "");
        String plain = OTHER_NAMES.getOrDefault(name, name).replace('_', '-');
        return options.containsKey("--" + plain);
    }

    /** Returns what is wrong with the name of a parameter. */
    Optional<String> parameterMistake(String path) {
        if (parameters.contains(path)) {
            return Optional.empty();
        }
        return Optional.of(
                parameters.isEmpty()
                        ? "'" + path + "' is a parameter of a profile, and '" + String.join(" ", words) + "' takes none"
                        : "unknown parameter '" + path + "'" + Nearest.hint(path, parameters));
    }

    /** Whether there is a place for a variable. */
    boolean has(String name) {
        return name.indexOf('.') >= 0
                || placeholders().contains(name)
                || option(name).isPresent();
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
