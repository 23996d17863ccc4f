package dev.clockwire.testkit;

import java.util.Locale;

/**
 * Something that happened in a run, for people.
 *
 * @param ps when
 * @param path where: full name of a channel, a block, a port
 * @param text what, in a few words
 */
public record SimEvent(long ps, String path, String text) {
    /** Returns whether this happened at a part of the design, or inside it. */
    boolean isWithin(String part) {
        return part.isEmpty() || path.equals(part) || path.startsWith(part + ".");
    }

    /** Returns a time as people read it, in ns with all picoseconds. */
    public static String ns(long ps) {
        return String.format(Locale.ROOT, "%d.%03d ns", ps / 1000, ps % 1000);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%16s  %s  %s", ns(ps), path, text);
    }
}
