package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What of a text means nothing: it is told, and no more of it than somebody reads. */
final class OddLines {
    private static final int SHOWN = 3;
    private static final int LONGEST = 60;

    private final List<String> unread = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final List<String> twice = new ArrayList<>();
    private int line;

    /** The line that is read now, from 1. */
    void at(int number) {
        line = number;
    }

    void unread(String text) {
        unread.add(line + " \"" + printable(text) + "\"");
    }

    void value(String text, String why) {
        values.add("line " + line + " \"" + printable(text) + "\" (" + why + ")");
    }

    void twice(String name, long first, long last) {
        twice.add(String.format(Locale.ROOT, "%s (%d, then %d)", name, first, last));
    }

    /** Binary files and colours of terminals are not to be seen on one. */
    private static String printable(String text) {
        String start = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        return start.replaceAll("[^\\p{Print}\\p{L}]", "?");
    }

    void tell(Counters into) {
        if (!unread.isEmpty()) {
            into.remark(
                    (unread.size() == 1 ? "1 line means nothing here: " : unread.size() + " lines mean nothing here: ")
                            + some(unread));
        }
        if (!values.isEmpty()) {
            into.remark("left out: " + some(values));
        }
        if (!twice.isEmpty()) {
            into.remark("given twice with other values, the last counts: " + some(twice)
                    + "; two readings go into two files (--before), several machines under lines '# NAME: command'");
        }
    }

    private static String some(List<String> all) {
        String shown = String.join(", ", all.subList(0, Math.min(SHOWN, all.size())));
        return all.size() <= SHOWN ? shown : shown + " and " + (all.size() - SHOWN) + " more";
    }
}
