package dev.clockwire.sim.error;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Finds the valid name that a mistyped one most likely meant. */
public final class Nearest {
    /** More names than this are no help in one line. */
    private static final int MOST_LISTED = 20;

    private Nearest() {}

    /**
     * Returns the end of an error line: {@code "; did you mean X?"} if a third of the letters at most is wrong; otherwise what there is in
     * the same group of dotted names, or, if that is too much for a line, nothing.
     *
     * @param wrong what was typed
     * @param valid the valid names
     */
    public static String hint(String wrong, Collection<String> valid) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        String typed = wrong.toLowerCase(Locale.ROOT);
        for (String name : valid) {
            int d = distance(typed, name.toLowerCase(Locale.ROOT));
            if (d < bestDistance) {
                bestDistance = d;
                best = name;
            }
        }
        return bestDistance <= (wrong.length() + 2) / 3 ? "; did you mean " + best + "?" : group(wrong, valid);
    }

    /** The names below the longest part of {@code wrong}, up to a dot, that begins any. */
    private static String group(String wrong, Collection<String> valid) {
        for (int dot = wrong.lastIndexOf('.'); ; dot = wrong.lastIndexOf('.', dot - 1)) {
            String prefix = wrong.substring(0, dot + 1);
            List<String> members = new ArrayList<>();
            for (String name : valid) {
                if (name.startsWith(prefix)) {
                    int end = name.indexOf('.', prefix.length());
                    String member = end < 0 ? name : name.substring(0, end) + ".*";
                    if (!members.contains(member)) {
                        members.add(member);
                    }
                }
            }
            if (!members.isEmpty() || dot < 0) {
                return members.isEmpty() || members.size() > MOST_LISTED
                        ? ""
                        : "; known are " + String.join(", ", members);
            }
        }
    }

    /** Number of insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : step(d, a, b, i, j);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int step(int[][] d, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (same ? 0 : 1));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, d[i - 2][j - 2] + 1) : best;
    }
}
