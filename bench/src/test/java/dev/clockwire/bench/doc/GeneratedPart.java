package dev.clockwire.bench.doc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/** The part of a page of docs/ that a command makes; {@code -Dclockwire.docs=write} writes it anew. */
public final class GeneratedPart {
    private static final String TO = "\n<!-- end -->";

    private GeneratedPart() {}

    /**
     * Compares, or writes the page if that was asked for.
     *
     * @param page name of the page
     * @param name name of the part
     * @param made what the command says
     * @param compare fails if the page's text and the command's differ too much
     */
    public static void check(String page, String name, String made, BiConsumer<String, String> compare)
            throws IOException {
        Path file = Path.of("..", "docs", page);
        String from = "<!-- generated: " + name + " -->\n";
        String text = Files.readString(file);
        int start = text.indexOf(from) + from.length();
        int end = text.indexOf(TO, start);
        assertThat(end).as(page + " has a part " + name).isGreaterThanOrEqualTo(start);
        if ("write".equals(System.getProperty("clockwire.docs"))) {
            Files.writeString(file, text.substring(0, start) + made + text.substring(end));
        } else {
            compare.accept(text.substring(start, end), made);
        }
    }
}
