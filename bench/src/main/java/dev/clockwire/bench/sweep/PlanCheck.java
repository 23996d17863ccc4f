package dev.clockwire.bench.sweep;

import dev.clockwire.bench.yaml.YamlValue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** Finds what no run of a plan could do before the first one is begun: thousands of rows that all fail for one wrong letter help nobody. */
final class PlanCheck {
    private static final String PARAMETER = "-P";

    private final SweepPlan plan;
    private final CommandTemplate template;
    private final SweptCommand command;
    private final YamlValue place;
    private final Map<String, List<YamlValue>> given;
    private final Set<String> told = new HashSet<>();

    /**
     * Creates the check.
     *
     * @param place where the command stands
     * @param given the values that stand in the file, by variable
     */
    PlanCheck(
            SweepPlan plan,
            CommandTemplate template,
            SweptCommand command,
            YamlValue place,
            Map<String, List<YamlValue>> given) {
        this.plan = plan;
        this.template = template;
        this.command = command;
        this.place = place;
        this.given = given;
    }

    /** Refuses all that it finds, each where it stands. */
    void check() {
        checkParameters();
        Map<String, Map<String, Map<String, String>>> points = new HashMap<>();
        for (Map<String, String> point : plan.points()) {
            point.forEach((name, value) ->
                    points.computeIfAbsent(name, n -> new HashMap<>()).putIfAbsent(value, point));
        }
        checkPoint(plan.points().get(0));
        given.forEach((name, values) -> values.forEach(value -> {
            Map<String, String> point = points.getOrDefault(name, Map.of()).get(value.text());
            if (point != null) {
                checkPoint(point);
            }
        }));
        checkFiles();
    }

    private void checkParameters() {
        List<String> words = template.words();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String next = i + 1 < words.size() ? words.get(i + 1) : "";
            String change = word.equals(PARAMETER) ? next : word.startsWith(PARAMETER) ? word.substring(2) : "";
            int end = change.indexOf('=');
            if (end > 0 && change.indexOf('{') < 0) {
                template.parameterMistake(change.substring(0, end)).ifPresent(this::refuse);
            }
        }
    }

    /** A parser stops at the first thing that it does not know; without that there may be others. */
    private void checkPoint(Map<String, String> point) {
        Map<String, String> left = new LinkedHashMap<>(point);
        if (!left.keySet().stream().allMatch(template::has)) {
            return; // told already
        }
        left.keySet()
                .removeIf(n -> n.indexOf('.') >= 0
                        && !template.placeholders().contains(n)
                        && template.parameterMistake(n).isPresent());
        boolean whole = true;
        Optional<String> mistake = mistake(left);
        while (mistake.isPresent()) {
            String text = mistake.get();
            Optional<String> name = left.keySet().stream()
                    .filter(n -> names(text, String.valueOf(left.get(n))))
                    .findFirst();
            if (name.isEmpty()) {
                if (whole) { // without it, what is missing may be what was taken out
                    refuse(text);
                }
                return;
            }
            whole = false;
            refuse(name.get(), String.valueOf(left.remove(name.get())), text);
            if (template.placeholders().contains(name.get())) {
                return;
            }
            mistake = mistake(left);
        }
    }

    private Optional<String> mistake(Map<String, String> values) {
        return command.mistake(template.arguments(1, "1", values));
    }

    private static boolean names(String mistake, String value) {
        return Pattern.compile("(?<![\\w-])" + Pattern.quote(value) + "(?![\\w-])")
                .matcher(mistake)
                .find();
    }

    private void refuse(String mistake) {
        if (told.add(mistake)) {
            place.refuse(place.error(mistake));
        }
    }

    private void refuse(String name, String value, String mistake) {
        for (YamlValue one : given.getOrDefault(name, List.of())) {
            if (one.text().equals(value) && told.add(one.place())) {
                one.refuse(one.error(mistake));
            }
        }
    }

    /** No row may write what another one has written. */
    private void checkFiles() {
        Map<String, Map<String, Integer>> writers = new TreeMap<>();
        boolean some = template.words().stream().anyMatch(w -> command.written().contains(w.replaceFirst("=.*", "")))
                || given.keySet().stream()
                        .anyMatch(n -> template.option(n)
                                .filter(command.written()::contains)
                                .isPresent());
        boolean whole = some && plan.variables().stream().allMatch(template::has);
        for (SweepRow row : whole ? plan.rows() : List.<SweepRow>of()) {
            eachFile(row.arguments(), (option, file) -> {
                Integer other =
                        writers.computeIfAbsent(option, o -> new HashMap<>()).putIfAbsent(file, row.number());
                if (other != null && told.add(option)) {
                    place.refuse(place.error(option + " " + file + ": rows " + other + " and " + row.number()
                            + " would both write there; " + option + " NAME-{row} gives each its own"));
                }
            });
        }
    }

    private void eachFile(List<String> arguments, BiConsumer<String, String> use) {
        for (int i = 0; i < arguments.size(); i++) {
            String[] word = arguments.get(i).split("=", 2);
            if (command.written().contains(word[0])) {
                if (word.length > 1) {
                    use.accept(word[0], word[1]);
                } else if (i + 1 < arguments.size()) {
                    use.accept(word[0], arguments.get(i + 1));
                }
            }
        }
    }
}
