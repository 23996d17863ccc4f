package dev.clockwire.sim.error;

import java.util.Collection;

/** Finds the valid name that a mistyped one most likely meant. */
public final class Nearest {
    private Nearest() {}

    /**
     * Returns the end of an error line: {@code "; did you mean X?"}, or the list of names if none is near and they are few.
     *
     * @param wrong what was typed
     * @param valid the valid names
     */
    public static String hint(String wrong, Collection<String> valid) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String name : valid) {
            int d = distance(wrong, name);
            if (d < bestDistance) {
                bestDistance = d;
                best = name;
            }
        }
        if (bestDistance <= Math.max(3, wrong.length() / 2)) {
            return "; did you mean " + best + "?";
        }
        return valid.size() <= 20 ? "; known are " + String.join(", ", valid) : "; the nearest is " + best;
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
