package dev.clockwire.bench.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What Maven could be told here: the profiles, properties, modules and tests that there are. */
final class PageMaven {
    private static final Path ROOT = Path.of("..");
    /** Properties of Maven's own plugins. */
    private static final Set<String> PLUGINS = Set.of(
            "test",
            "skipTests",
            "surefire.failIfNoSpecifiedTests",
            "altDeploymentRepository",
            "maven.test.skip",
            "gpg.keyname",
            "revision");

    private static final Set<String> PHASES =
            Set.of("validate", "clean", "compile", "test-compile", "test", "package", "verify", "install", "deploy");
    private static final Pattern PREFIX = Pattern.compile("([a-z][a-z0-9.-]*:)*[a-zA-Z-]+");

    private final String poms;
    private final List<Path> tests;

    PageMaven() throws IOException {
        StringBuilder all = new StringBuilder(Files.readString(ROOT.resolve("pom.xml")));
        Pattern.compile("<module>(.*?)</module>")
                .matcher(all.toString())
                .results()
                .forEach(m -> all.append(read(ROOT.resolve(m.group(1)).resolve("pom.xml"))));
        all.append(read(ROOT.resolve("bench/src/main/resources/dev/clockwire/bench/cli/version.properties")));
        poms = all.append(read(ROOT.resolve("docs/examples/consumer/pom.xml"))).toString();
        try (Stream<Path> files = Files.walk(ROOT, 12)) {
            tests = files.filter(f -> f.toString().contains("src/test/java")
                            && f.toString().endsWith(".java"))
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what is wrong with the words of a command, nothing if it can be typed. */
    List<String> mistakes(List<String> words) {
        List<String> wrong = new ArrayList<>();
        for (int i = 1; i < words.size(); i++) {
            String w = words.get(i);
            if (w.startsWith("-P") && !poms.contains("<id>" + w.substring(2) + "</id>")) {
                wrong.add("no profile " + w.substring(2));
            } else if (w.startsWith("-D")) {
                property(w.substring(2), wrong);
            } else if (w.equals("-pl")) {
                modules(words.get(++i), wrong);
            } else if (w.equals("-f")) {
                w = words.get(++i);
                if (!Files.exists(ROOT.resolve(w).resolve("pom.xml"))) {
                    wrong.add("no project " + w);
                }
            } else if (!w.startsWith("-") && !isGoal(w)) {
                wrong.add("no goal or phase " + w);
            }
        }
        return wrong;
    }

    private boolean isGoal(String word) {
        if (!word.contains(":")) {
            return PHASES.contains(word);
        }
        String plugin = word.substring(0, word.lastIndexOf(':'));
        return PREFIX.matcher(word).matches() && poms.contains(plugin.substring(plugin.lastIndexOf(':') + 1));
    }

    private void property(String text, List<String> wrong) {
        String name = text.replaceFirst("=.*", "");
        boolean known = PLUGINS.contains(name)
                || poms.contains("<" + name + ">")
                || poms.contains("<name>" + name + "</name>")
                || poms.contains("${" + name + "}");
        if (!known && !tests.stream().anyMatch(f -> read(f).contains('"' + name + '"'))) {
            wrong.add("no property " + name);
        }
        if (name.equals("test")) {
            String[] parts = text.substring(text.indexOf('=') + 1).split("[#$]", -1);
            Pattern glob = Pattern.compile(parts[0].replace("*", ".*") + "\\.java");
            List<Path> named = tests.stream()
                    .filter(f -> glob.matcher(f.getFileName().toString()).matches())
                    .toList();
            for (String part : parts) {
                Pattern word = Pattern.compile("\\b" + Pattern.quote(part) + "\\b");
                if (!part.equals(parts[0])
                        && named.stream().noneMatch(f -> word.matcher(read(f)).find())) {
                    wrong.add("no " + part + " in " + parts[0]);
                }
            }
            if (named.isEmpty()) {
                wrong.add("no test " + parts[0]);
            }
        }
    }

    private void modules(String list, List<String> wrong) {
        for (String module : list.split(",", -1)) {
            if (!module.equals("MODULE") && !poms.contains("<module>" + module + "</module>")) {
                wrong.add("no module " + module);
            }
        }
    }
}
