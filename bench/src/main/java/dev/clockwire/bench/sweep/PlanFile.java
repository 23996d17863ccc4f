package dev.clockwire.bench.sweep;

import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads a plan; the keys are described in docs/sweeps.md. */
public final class PlanFile {
    private static final Set<String> COLUMNS = Set.of("row", "point", "repetition", "exit", "error");
    private static final String SAMPLES = "samples";
    private static final int MOST_ROWS = 1_000_000;

    /** What a plan may hold; names of variables follow from its command. */
    public static final Shape SHAPE = Shape.of()
            .required("command", Kind.listOrOne(Kind.text()), "command line to run, with {name} where values go")
            .key("grid", Kind.named(Kind.listOrOne(Kind.text())), "variables: every value with every other")
            .key(
                    "random",
                    Kind.group(Shape.of()
                            .required(SAMPLES, Kind.integer(1, MOST_ROWS), "how many points are drawn")
                            .others(Kind.group(RandomValues.SHAPE))),
                    "variables that are drawn")
            .key("list", Kind.list(Kind.named(Kind.text())), "points, each with its values")
            .key("repeat", Kind.integer(1, MOST_ROWS), "runs of each point, with seeds of their own")
            .key("seed", Kind.integer(0, Long.MAX_VALUE), "root of all seeds")
            .key("measure", Kind.listOrOne(Kind.text()), "paths in the documents of the runs that become columns");

    private final CommandSyntax syntax;

    /** The values of variables as they stand in the file; those that are drawn between bounds stand in none. */
    private final Map<String, List<YamlValue>> given = new LinkedHashMap<>();

    private PlanFile(CommandSyntax syntax) {
        this.syntax = syntax;
    }

    /**
     * Reads a plan.
     *
     * @throws IOException if the file cannot be read
     * @throws ConfigurationException with all that is wrong in it, with file, line and column
     */
    public static SweepPlan read(Path file, CommandSyntax syntax) throws IOException {
        return YamlValue.read(file, new PlanFile(syntax)::plan);
    }

    private SweepPlan plan(YamlValue file) {
        YamlValue root = file.as(Kind.group(SHAPE));
        Map<String, YamlValue> parts = root.entries();
        SweptCommand swept = swept(root.get("command"));
        CommandTemplate command = command(root.get("command"), swept);
        long seed = parts.containsKey("seed") ? root.get("seed").integer() : 1;
        int repeat = parts.containsKey("repeat") ? (int) root.get("repeat").integer() : 1;
        Set<String> names = new LinkedHashSet<>();
        List<Map<String, String>> points = List.of(Map.of());
        List<ConfigurationException> unreadable = new ArrayList<>();
        for (Map.Entry<String, YamlValue> part : parts.entrySet()) {
            YamlValue value = part.getValue();
            try {
                List<Map<String, String>> own = switch (part.getKey()) {
                    case "grid" -> grid(value, command, names);
                    case "random" -> random(value, command, names, seed);
                    case "list" -> list(value, command, names);
                    default -> List.of(Map.of());
                };
                points = product(points, own, value, repeat);
            } catch (ConfigurationException e) {
                unreadable.add(e);
            }
        }
        List<String> measures = new ArrayList<>();
        try {
            measures.addAll(measures(root, names));
        } catch (ConfigurationException e) {
            unreadable.add(e);
        }
        tell(root, unreadable);
        checkPlaceholders(root.get("command"), command, names);
        if (names.contains(CommandTemplate.SEED) && repeat > 1) {
            root.refuse(root.get("repeat").error("repetitions of a given seed are equal: leave out one of them"));
        }
        SweepPlan plan = new SweepPlan(command, points, repeat, seed, measures);
        new PlanCheck(plan, command, swept, root.get("command"), given).check();
        return plan;
    }

    /** A part that cannot be read gives no names: what is asked of all names would find mistakes that are none. */
    private static void tell(YamlValue root, List<ConfigurationException> unreadable) {
        if (!unreadable.isEmpty()) {
            unreadable.subList(1, unreadable.size()).forEach(root::refuse);
            throw unreadable.get(0);
        }
    }

    private SweptCommand swept(YamlValue value) {
        List<String> words = words(value);
        try {
            return syntax.command(words);
        } catch (ConfigurationException e) {
            throw value.error(String.valueOf(e.getMessage()));
        }
    }

    private static List<String> words(YamlValue value) {
        List<String> words = new ArrayList<>();
        List<YamlValue> parts = value.listOrOne();
        parts.forEach(w -> words.addAll(
                parts.size() > 1
                        ? List.of(w.text())
                        : Arrays.asList(w.text().strip().split("\\s+"))));
        return words;
    }

    private static boolean quoted(String word) {
        return word.matches("['\"].*|.*['\"]");
    }

    /** No shell reads the command: what it would take off becomes part of names of files. */
    private static ConfigurationException quotes(YamlValue command, String word) {
        return command.error("no shell takes the quotes off " + word
                + ": write the command as a list of its words, command: [perftest, write-lat]");
    }

    private static CommandTemplate command(YamlValue value, SweptCommand swept) {
        List<String> words = words(value);
        if (value.listOrOne().size() == 1) {
            words.stream().filter(PlanFile::quoted).findFirst().ifPresent(w -> value.refuse(quotes(value, w)));
        }
        Map<String, Boolean> options = swept.options();
        if (!options.containsKey("--json")) {
            throw value.error("'" + String.join(" ", words) + "' has no --json: nothing could be gathered from it");
        }
        for (String own : List.of("--json", "--seed")) {
            if (words.stream().anyMatch(w -> w.equals(own) || w.startsWith(own + "="))) {
                value.refuse(value.error(own + " is given by the sweep; 'seed:' in the plan is the root of all seeds"));
            }
        }
        return new CommandTemplate(words, options, swept.parameters());
    }

    private List<Map<String, String>> grid(YamlValue part, CommandTemplate command, Set<String> names) {
        List<Map<String, String>> points = List.of(Map.of());
        Map<String, YamlValue> variables = part.map();
        Set<String> own = new LinkedHashSet<>();
        check(part, command, names, own);
        names.addAll(own);
        for (Map.Entry<String, YamlValue> v : variables.entrySet()) {
            List<Map<String, String>> values = new ArrayList<>();
            for (YamlValue one : v.getValue().listOrOne()) {
                values.add(Map.of(v.getKey(), value(command, v.getKey(), one)));
            }
            points = product(points, values, part, 1);
        }
        return points;
    }

    private List<Map<String, String>> list(YamlValue part, CommandTemplate command, Set<String> names) {
        List<Map<String, String>> points = new ArrayList<>();
        Set<String> own = new LinkedHashSet<>();
        for (YamlValue entry : part.list()) {
            Map<String, String> point = new LinkedHashMap<>();
            entry.map().forEach((name, v) -> point.put(name, value(command, name, v)));
            check(entry, command, names, own);
            points.add(point);
        }
        names.addAll(own);
        return points;
    }

    private List<Map<String, String>> random(YamlValue part, CommandTemplate command, Set<String> names, long seed) {
        Map<String, YamlValue> variables = part.map();
        int samples = (int) part.get(SAMPLES).integer();
        Set<String> own = new LinkedHashSet<>(Set.of(SAMPLES));
        check(part, command, names, own);
        own.remove(SAMPLES);
        names.addAll(own);
        List<Map<String, String>> points = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            points.add(new LinkedHashMap<>());
        }
        variables.forEach((name, kind) -> {
            if (!name.equals(SAMPLES)) {
                List<String> drawn = RandomValues.draw(kind, name, seed, samples);
                kind.find(RandomValues.CHOICE).ifPresent(c -> c.list().forEach(one -> value(command, name, one)));
                for (int i = 0; i < drawn.size(); i++) {
                    points.get(i).put(name, drawn.get(i));
                }
            }
        });
        return points;
    }

    /** Checks the names of variables; those of this part may stand in it several times, those of other parts not again. */
    private static void check(YamlValue part, CommandTemplate command, Set<String> others, Set<String> own) {
        for (YamlValue key : part.keys()) {
            String name = key.text();
            if (own.contains(name)) {
                continue;
            }
            if (others.contains(name)) {
                part.refuse(key.error("'" + name + "' varies in another part of the plan already"));
            }
            if (COLUMNS.contains(name)) {
                part.refuse(key.error("'" + name + "' is the name of a column of the results"));
            }
            Set<String> placed = command.placeholders();
            if (!command.has(name)) {
                Set<String> valid = new TreeSet<>(placed);
                command.options().keySet().forEach(o -> valid.add(o.replaceFirst("^--?", "")));
                part.refuse(key.unknown("option", name, valid));
            }
            if (name.indexOf('.') >= 0 && !placed.contains(name)) {
                command.parameterMistake(name).ifPresent(m -> part.refuse(key.error(m)));
            }
            own.add(name);
        }
    }

    private String value(CommandTemplate command, String name, YamlValue value) {
        String text = value.text();
        if (command.isSwitch(name) && !text.equals("true") && !text.equals("false")) {
            value.refuse(value.error("'" + name + "' takes no value: expected true or false, found '" + text + "'"));
        }
        given.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
        return text;
    }

    private static List<Map<String, String>> product(
            List<Map<String, String>> outer, List<Map<String, String>> inner, YamlValue place, int repeat) {
        long rows = (long) outer.size() * inner.size() * repeat;
        if (rows > MOST_ROWS || rows == 0) {
            place.refuse(place.error(rows == 0 ? "no values" : rows + " runs are more than " + MOST_ROWS));
            return outer;
        }
        List<Map<String, String>> all = new ArrayList<>();
        for (Map<String, String> a : outer) {
            for (Map<String, String> b : inner) {
                Map<String, String> both = new LinkedHashMap<>(a);
                both.putAll(b);
                all.add(both);
            }
        }
        return all;
    }

    private static void checkPlaceholders(YamlValue place, CommandTemplate command, Set<String> names) {
        Set<String> valid = new TreeSet<>(names);
        valid.addAll(Set.of(CommandTemplate.ROW, CommandTemplate.SEED));
        for (String name : command.placeholders()) {
            if (!valid.contains(name)) {
                place.refuse(
                        place.error("nothing in the plan gives {" + name + "} a value" + Nearest.hint(name, valid)));
            }
        }
    }

    private static List<String> measures(YamlValue root, Set<String> names) {
        List<String> paths = new ArrayList<>();
        root.find("measure")
                .ifPresent(m -> m.listOrOne().forEach(one -> {
                    if (names.contains(one.text()) || paths.contains(one.text())) {
                        root.refuse(one.error("'" + one.text() + "' is a column already"));
                    }
                    paths.add(one.text());
                }));
        return paths;
    }
}
