package dev.clockwire.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command that a page tells its reader to type.
 *
 * @param page path from the root of the repository
 * @param text the command as it stands there, on one line, without {@code ./}
 * @param fenced whether it stands in a block of its own, not between words
 * @param shown lines below it that it prints, as the page has them; none if it shows none
 */
record PageCommand(String page, String text, boolean fenced, List<String> shown) {
    private static final Path ROOT = Path.of("..");
    private static final Pattern START = Pattern.compile("(?:\\./)?(clockwire|mvn) (.*)");
    private static final Pattern INLINE = Pattern.compile("`(?:\\./)?((?:clockwire|mvn) [^`\n]+)`");
    private static final Pattern WORD = Pattern.compile("([#>].*)|(?:'[^']*'|\"[^\"]*\"|\\$\\([^)]*\\)|[^\\s'\"])+");
    private static final Pattern OUTPUT = Pattern.compile("[^#]* > *(\\S+)(?: .*)?");
    private static final Pattern PLACEHOLDER =
            Pattern.compile("[A-Z][A-Z_]*(\\.[a-z]+)?|.*(?:…|\\.\\.\\.|[^ ]\\|[^ ]).*");

    /** Returns the commands of all pages in their order, those of the history of versions apart. */
    static List<PageCommand> all() throws IOException {
        List<PageCommand> found = new ArrayList<>();
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> root = Files.list(ROOT)) {
            for (Path file : Stream.concat(root, docs).sorted().toList()) {
                String page = ROOT.relativize(file).toString().replace('\\', '/');
                if (page.endsWith(".md") && !page.contains("target/") && !page.equals("CHANGELOG.md")) {
                    found.addAll(of(page, Files.readString(file)));
                }
            }
        }
        return found;
    }

    /** Returns the commands of a page. */
    static List<PageCommand> of(String page, String text) {
        List<PageCommand> found = new ArrayList<>();
        boolean inside = false;
        StringBuilder block = new StringBuilder();
        StringBuilder prose = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            if (line.strip().startsWith("```")) {
                inside = !inside;
                if (inside) {
                    inline(page, prose, found);
                    block.append(line.strip()).append('\n');
                } else {
                    fenced(page, block.toString(), found);
                    block.setLength(0);
                }
            } else {
                (inside ? block : prose).append(line).append('\n');
            }
        }
        inline(page, prose, found);
        found.removeIf(c -> c.text().isEmpty());
        return found;
    }

    private static void inline(String page, StringBuilder prose, List<PageCommand> found) {
        INLINE.matcher(prose)
                .results()
                .forEach(m -> found.add(new PageCommand(page, m.group(1).replace("\\|", "|"), false, List.of())));
        boolean blank = prose.toString().isBlank();
        prose.setLength(0);
        if (!blank) {
            found.add(new PageCommand(
                    page, "", false, List.of())); // words: what follows is no output of what went before
        }
    }

    private static void fenced(String page, String block, List<PageCommand> found) {
        List<String> lines = block.replace("\\\n", " ").lines().toList();
        for (String line : lines.subList(1, lines.size())) {
            Matcher m = START.matcher(line.strip());
            if (m.matches()) {
                found.add(new PageCommand(page, m.group(1) + " " + m.group(2), true, new ArrayList<>()));
            } else if (!found.isEmpty() && lines.get(0).equals("```text") && !line.isBlank()) {
                PageCommand last = found.get(found.size() - 1);
                if (last.fenced()) {
                    last.shown().add(line);
                }
            }
        }
    }

    /** Returns the words that a shell would pass on, the program's name first. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        Matcher m = WORD.matcher(text);
        while (m.find() && m.group(1) == null) {
            words.add(m.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"));
        }
        return words;
    }

    /** Returns the file that the shell writes the result into; null if none is named. */
    @Nullable
    String output() {
        Matcher m = OUTPUT.matcher(text);
        return m.matches() ? m.group(1) : null;
    }

    boolean isMaven() {
        return text.startsWith("mvn ");
    }

    /** Returns whether somebody has to put something in place of a word before this can be typed. */
    boolean isTemplate() {
        return words().stream().anyMatch(w -> PLACEHOLDER.matcher(w).matches());
    }

    @Override
    public String toString() {
        return page + ": " + text;
    }
}
