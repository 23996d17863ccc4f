package dev.clockwire.testkit.nic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tables of docs/formats.md: rows of cells without their quotes. */
final class MarkdownTable {
    private static final Path PAGE = Path.of("..", "..", "docs", "formats.md");

    private MarkdownTable() {}

    /** Returns the rows of table number {@code nth} (from 0) behind a heading, without its head. */
    public static List<List<String>> under(String heading, int nth) {
        List<String> lines = lines();
        int at = lines.indexOf(heading);
        if (at < 0) {
            throw new AssertionError(PAGE + " has no line '" + heading + "'");
        }
        int table = -1;
        List<List<String>> rows = new ArrayList<>();
        for (int i = at + 1; i < lines.size() && !lines.get(i).startsWith("#"); i++) {
            String line = lines.get(i);
            if (line.startsWith("|---")) {
                table++;
            } else if (table == nth && line.startsWith("|")) {
                rows.add(cells(line));
            } else if (table == nth) {
                return rows;
            }
        }
        return rows;
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                .map(c -> c.strip().replace("`", ""))
                .toList();
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
