package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What of a text means nothing: it is told, and no more of it than somebody reads. */
final class OddLines {
    private static final int SHOWN = 3;
    private static final int LONGEST = 60;

    private final Some unread = new Some();
    private final Some values = new Some();
    private final Some twice = new Some();
    private int line;

    /** The first of them, and how many there are. */
    private static final class Some {
        private final List<String> first = new ArrayList<>();
        private int all;

        void add(String text) {
            all++;
            if (first.size() < SHOWN) {
                first.add(text);
            }
        }

        boolean isEmpty() {
            return all == 0;
        }

        @Override
        public String toString() {
            String shown = String.join(", ", first);
            return all <= SHOWN ? shown : shown + " and " + (all - SHOWN) + " more";
        }
    }

    /** The line that is read now, from 1. */
    void at(int number) {
        line = number;
    }

    void unread(String text) {
        unread.add(line + " " + quoted(text));
    }

    void value(String text, String why) {
        values.add("line " + line + " " + quoted(text) + " (" + why + ")");
    }

    void twice(String name, long first, long last) {
        twice.add(String.format(Locale.ROOT, "%s (%d, then %d)", name, first, last));
    }

    /** Binary files and colours of terminals are not to be seen on one. */
    static String quoted(String text) {
        String start = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        return '"' + start.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?") + '"';
    }

    void tell(Counters into) {
        if (!unread.isEmpty()) {
            String what = unread.all == 1 ? "1 line means" : unread.all + " lines mean";
            into.remark(what + " nothing here: " + unread);
        }
        if (!values.isEmpty()) {
            into.remark("left out: " + values);
        }
        if (!twice.isEmpty()) {
            into.remark("given twice with other values, the last counts: " + twice
                    + "; two readings go into two files (--before), several machines under lines '# NAME: command'");
        }
    }
}
