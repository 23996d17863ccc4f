package dev.clockwire.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The modules, packages and channels of docs/architecture.md are those of the code. */
class ArchitecturePagesTest {
    private static final String PAGE = "architecture.md";
    private static final String EXPORTS = "exports ([\\w.]+);";
    private static final String JAVADOC = "(?s)/\\*\\*(.*?)\\*/";

    /** Returns the text of a module's module-info by the module's folder, those without one apart. */
    private static Map<String, String> modules() {
        Map<String, String> found = new LinkedHashMap<>();
        for (String folder : all("<module>(.*?)</module>", Page.read(Page.ROOT.resolve("pom.xml")))) {
            Path info = Page.ROOT.resolve(folder).resolve("src/main/java/module-info.java");
            if (Files.exists(info)) {
                found.put(folder, Page.read(info));
            }
        }
        return found;
    }

    private static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult m) -> m.group(1))
                .toList();
    }

    @Test
    void everyPublicPackageIsOnThePage() {
        StringBuilder text = new StringBuilder();
        modules().forEach((folder, info) -> {
            Table table = new Table("package of `" + folder + "`", "what is in it");
            for (String name : all(EXPORTS, info)) {
                table.row("`" + name.replace("dev.clockwire.", "") + "`", words(folder, name));
            }
            text.append(text.length() == 0 ? "" : "\n").append(table.orNone());
        });
        Page page = new Page(PAGE);
        page.section("packages", text.toString());
        page.assertAgrees();
    }

    /** Returns the first sentence of a package's documentation. */
    private static String words(String folder, String name) {
        Path info = Page.ROOT
                .resolve(folder)
                .resolve("src/main/java")
                .resolve(name.replace('.', '/'))
                .resolve("package-info.java");
        List<String> found = all(JAVADOC, Page.read(info));
        assertThat(found).as(info.toString()).isNotEmpty();
        String plain = found.get(0)
                .replaceAll("\n +\\*", " ")
                .replaceAll("<[^>]+>", "")
                .replaceAll("\\s+", " ")
                .replaceAll("\\{@(?:link|code) (?:dev\\.clockwire\\.[a-z.]+\\.)?([^}]+)}", "`$1`")
                .strip();
        return plain.replaceFirst("\\. .*|\\.$", "").replace("|", "\\|");
    }

    /** What a module may use by the table is what it requires, each with all that it leads to. */
    @Test
    void theArrowsAreThoseOfTheModules() {
        String page = Page.read(Page.DOCS.resolve(PAGE));
        Map<String, String> infos = modules();
        Map<String, Set<String>> required = new LinkedHashMap<>();
        Map<String, Set<String>> told = new LinkedHashMap<>();
        Map<String, String> folders = new LinkedHashMap<>();
        infos.forEach(
                (folder, info) -> folders.put(all("\nmodule ([\\w.]+)", info).get(0), folder));
        infos.forEach((folder, info) -> {
            required.put(folder, new TreeSet<>());
            all("requires [^;]*?(dev\\.clockwire[\\w.]*);", info)
                    .forEach(m -> required.get(folder).add(folders.get(m)));
            String row = all("\n\\| `" + folder + "` \\|([^\n]*)\\|\n", page).get(0);
            String may = row.substring(row.lastIndexOf('|') + 1);
            told.put(folder, new TreeSet<>());
            infos.keySet().stream()
                    .filter(m -> may.matches(".*(^|[ ,])" + m + "([,;].*|\\s*)"))
                    .forEach(m -> told.get(folder).add(m));
        });
        for (String folder : infos.keySet()) {
            assertThat(closure(folder, told)).as(folder).isEqualTo(closure(folder, required));
        }
    }

    private static Set<String> closure(String folder, Map<String, Set<String>> arrows) {
        Set<String> found = new TreeSet<>();
        List<String> next = new ArrayList<>(List.of(folder));
        while (!next.isEmpty()) {
            for (String to : arrows.getOrDefault(next.remove(0), Set.of())) {
                if (found.add(to)) {
                    next.add(to);
                }
            }
        }
        return found;
    }

    /** The drawing of the NIC has channels by the names that the device gives them. */
    @Test
    void theDrawingNamesChannelsOfTheDevice() {
        String page = Page.read(Page.DOCS.resolve(PAGE));
        int from = page.indexOf("```\n BAR 2");
        String drawing = page.substring(from, page.indexOf("```", from + 3));
        Set<String> names = new TreeSet<>();
        new Specimen().lab.sim().wires().forEach(w -> names.add(w.path().replaceFirst(".*\\.", "")));
        List<String> drawn = all("-([a-z]\\w+)-", drawing);
        assertThat(drawn).hasSizeGreaterThan(8);
        assertThat(names).containsAll(drawn);
    }
}
