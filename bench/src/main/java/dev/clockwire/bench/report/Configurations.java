package dev.clockwire.bench.report;

import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What differs between the configurations of runs: options of their commands, and parameters of their hardware, those of the profiles included.
 *
 * @param options by name; the words before the first one are called {@code command}
 * @param parameters by path
 * @param unknown profiles of which this program does not know the values
 */
record Configurations(List<Difference> options, List<Difference> parameters, Set<String> unknown) {
    /** A word, or several between quotes, as {@code TypedCommand} writes them. */
    private static final Pattern WORD = Pattern.compile("(?:[^\\s']|'[^']*')+");

    private static final String PARAMETER = "-P";

    /**
     * What is not the same in all.
     *
     * @param values one for each run, empty where it is not said
     */
    record Difference(String name, String unit, List<String> values) {}

    /**
     * One run's.
     *
     * @param command that makes it again
     * @param profile name of the hardware
     */
    record Source(String command, String profile) {}

    static Configurations of(List<Source> runs) {
        List<Map<String, String>> options = new ArrayList<>();
        List<Map<String, String>> parameters = new ArrayList<>();
        Set<String> unknown = new LinkedHashSet<>();
        for (Source run : runs) {
            Map<String, String> said = new LinkedHashMap<>();
            Map<String, String> laid = new LinkedHashMap<>();
            read(words(run.command()), said, laid);
            said.put("--profile", run.profile());
            options.add(said);
            parameters.add(parameters(run.profile(), laid, unknown));
        }
        return new Configurations(differences(options, false), differences(parameters, true), unknown);
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher m = WORD.matcher(command);
        while (m.find()) {
            words.add(m.group().replace("'", ""));
        }
        return words;
    }

    private static void read(List<String> words, Map<String, String> options, Map<String, String> parameters) {
        int at = 0;
        StringBuilder command = new StringBuilder();
        for (; at < words.size() && !words.get(at).startsWith("-"); at++) {
            command.append(command.length() == 0 ? "" : " ").append(words.get(at));
        }
        options.put("command", command.toString());
        while (at < words.size()) {
            String name = words.get(at++);
            boolean valued = at < words.size() && !words.get(at).matches("-[A-Za-z-].*");
            String value = valued ? words.get(at++) : "given";
            int end = value.indexOf('=');
            if (name.equals(PARAMETER) && end > 0) {
                parameters.put(value.substring(0, end), value.substring(end + 1));
            } else {
                options.merge(name, value, (a, b) -> a + " " + b);
            }
        }
    }

    private static Map<String, String> parameters(String name, Map<String, String> laid, Set<String> unknown) {
        Map<String, String> all = new LinkedHashMap<>();
        try {
            Profile profile = Profiles.named(name);
            profile.settings().keySet().forEach(path -> all.put(path, profile.text(path)));
        } catch (ConfigurationException e) {
            unknown.add(name);
        }
        all.putAll(laid);
        return all;
    }

    private static List<Difference> differences(List<Map<String, String>> runs, boolean parameters) {
        Set<String> names = new LinkedHashSet<>();
        runs.forEach(r -> names.addAll(r.keySet()));
        List<Difference> found = new ArrayList<>();
        for (String name : names) {
            List<String> values =
                    runs.stream().map(r -> r.getOrDefault(name, "")).toList();
            if (values.stream().distinct().count() > 1) {
                found.add(new Difference(name, parameters ? unit(name) : "", values));
            }
        }
        return found;
    }

    private static String unit(String path) {
        return Parameters.all().stream()
                .filter(p -> p.path().equals(path))
                .map(p -> p.unit())
                .findFirst()
                .orElse("");
    }
}
