package dev.clockwire.bench.text;

import java.util.ArrayList;
import java.util.List;

/** Columns of text, each as wide as its widest cell; numbers stand to the right. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Starts a table with its headings. */
    public TextTable(String... headings) {
        rows.add(List.of(headings));
    }

    /** Adds a row with a cell for each heading. */
    public TextTable row(String... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells, " + rows.get(0).size() + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    /** Returns the lines without trailing blanks. */
    public List<String> lines() {
        int[] width = new int[rows.get(0).size()];
        boolean[] right = new boolean[width.length];
        for (int c = 0; c < width.length; c++) {
            right[c] = true;
            for (int r = 0; r < rows.size(); r++) {
                String cell = rows.get(r).get(c);
                width[c] = Math.max(width[c], cell.length());
                right[c] &= r == 0 || cell.matches("[-+]?[0-9.]+");
            }
        }
        return rows.stream().map(row -> line(row, width, right)).toList();
    }

    private static String line(List<String> row, int[] width, boolean[] right) {
        StringBuilder text = new StringBuilder();
        for (int c = 0; c < width.length; c++) {
            String pad = " ".repeat(width[c] - row.get(c).length());
            text.append(c == 0 ? "" : GAP);
            text.append(right[c] ? pad + row.get(c) : row.get(c) + pad);
        }
        return text.toString().stripTrailing();
    }
}
