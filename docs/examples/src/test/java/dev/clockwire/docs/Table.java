package dev.clockwire.docs;

import java.util.List;

/** A Markdown table. */
final class Table {
    private final StringBuilder text = new StringBuilder();
    private int rows;

    Table(String... head) {
        row(List.of(head));
        text.append("|---".repeat(head.length)).append("|\n");
        rows = 0;
    }

    void row(Object... cells) {
        row(List.of(cells));
    }

    private void row(List<?> cells) {
        cells.forEach(c -> text.append("| ").append(c).append(' '));
        text.append("|\n");
        rows++;
    }

    /** Returns the table, or a word if it has no rows. */
    String orNone() {
        return rows == 0 ? "None.\n" : text.toString();
    }
}
