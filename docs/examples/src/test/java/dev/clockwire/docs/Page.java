package dev.clockwire.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A Markdown page of docs/, whose parts between two marks are made from the code. */
final class Page {
    /** Root of the repository, from the folder of this module. */
    static final Path ROOT = Path.of("..", "..");
    /** The folder of the pages. */
    static final Path DOCS = ROOT.resolve("docs");

    private static final String WRITE = "clockwire.docs";
    private static final String COMMAND =
            "mvn test -pl docs/examples -am -Dtest='*PagesTest' -Dsurefire.failIfNoSpecifiedTests=false -D" + WRITE
                    + "=write";

    private final Path file;
    private final String before;
    private String text;

    Page(String name) {
        this(DOCS.resolve(name));
    }

    Page(Path file) {
        this.file = file;
        before = read(file);
        text = before;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all pages, those at the root of the repository too. */
    static List<Path> all() {
        try (Stream<Path> docs = Files.walk(DOCS);
                Stream<Path> root = Files.list(ROOT)) {
            return Stream.concat(docs, root)
                    .filter(p -> p.toString().endsWith(".md") && !p.toString().contains("target"))
                    .sorted(Comparator.naturalOrder())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts what the code says between {@code <!-- generated: name -->} and the {@code <!-- end -->} that follows. */
    void section(String name, String content) {
        String mark = "<!-- generated: " + name + " -->\n";
        int from = text.indexOf(mark);
        int to = text.indexOf("<!-- end -->", Math.max(0, from));
        if (from < 0 || to < 0) {
            throw new AssertionError(file + " has no section '" + name + "'");
        }
        text = text.substring(0, from) + mark + "\n" + content + "\n" + text.substring(to);
    }

    /** Whether pages are to be written rather than compared. */
    static boolean writes() {
        return "write".equals(System.getProperty(WRITE));
    }

    /** Fails if the page says anything else than the code, or writes the page if that was asked for. */
    void assertAgrees() {
        if (text.equals(before)) {
            return;
        }
        if (!writes()) {
            throw new AssertionError(file.normalize() + " does not agree with the code any more. Write it anew with\n"
                    + COMMAND + "\n" + difference());
        }
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String difference() {
        List<String> old = before.lines().toList();
        List<String> now = text.lines().toList();
        int i = 0;
        while (i < Math.min(old.size(), now.size()) && old.get(i).equals(now.get(i))) {
            i++;
        }
        String was = i < old.size() ? old.get(i) : "(end of the page)";
        String is = i < now.size() ? now.get(i) : "(end of the page)";
        return "first difference in line " + (i + 1) + "\n  page: " + was + "\n  code: " + is;
    }
}
