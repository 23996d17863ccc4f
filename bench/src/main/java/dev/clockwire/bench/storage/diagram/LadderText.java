package dev.clockwire.bench.storage.diagram;

import java.util.Locale;

/** A ladder in plain text: a line for each message, with its times and one-way trips in front. */
public final class LadderText {
    private static final int COLUMN = 38;
    private static final int EDGE = 5;

    private LadderText() {}

    /**
     * Returns the text.
     *
     * @param times whether lines begin with when a message left and arrived
     */
    public static String write(Ladder ladder, boolean times) {
        StringBuilder out = new StringBuilder(ladder.title()).append('\n');
        out.append(times ? "   left us  arrived us  trips  " : "trips  ");
        StringBuilder heads = new StringBuilder();
        int width = EDGE + COLUMN * (ladder.hosts().size() - 1) + 1;
        for (int i = 0; i < ladder.hosts().size(); i++) {
            pad(heads, Math.max(0, at(i) - ladder.hosts().get(i).length() / 2));
            heads.append(ladder.hosts().get(i));
        }
        out.append(heads).append('\n');
        for (Ladder.Arrow a : ladder.arrows()) {
            out.append(
                    times
                            ? String.format(Locale.ROOT, "%10.2f  %10.2f  %5d  ", a.leftUs(), a.arrivedUs(), a.trips())
                            : String.format(Locale.ROOT, "%5d  ", a.trips()));
            out.append(line(ladder, a, width)).append('\n');
        }
        if (times) {
            out.append(String.format(Locale.ROOT, "%10.2f  the operation has ended\n", ladder.endUs()));
        }
        return out.toString();
    }

    private static int at(int column) {
        return EDGE + COLUMN * column;
    }

    private static void pad(StringBuilder text, int to) {
        while (text.length() < to) {
            text.append(' ');
        }
    }

    private static String line(Ladder ladder, Ladder.Arrow a, int width) {
        char[] line = " ".repeat(width).toCharArray();
        for (int i = 0; i < ladder.hosts().size(); i++) {
            line[at(i)] = '|';
        }
        int left = at(Math.min(a.from(), a.to()));
        int right = at(Math.max(a.from(), a.to()));
        char shaft = a.isOfNic() ? '.' : '-';
        for (int i = left + 1; i < right; i++) {
            line[i] = shaft;
        }
        if (a.from() < a.to()) {
            line[right - 1] = '>';
        } else {
            line[left + 1] = '<';
        }
        String label = " " + a.label() + " ";
        int start = left + 2 + Math.max(0, (right - left - 3 - label.length()) / 2);
        for (int i = 0; i < label.length() && start + i < right - 1; i++) {
            line[start + i] = label.charAt(i);
        }
        return new String(line);
    }
}
