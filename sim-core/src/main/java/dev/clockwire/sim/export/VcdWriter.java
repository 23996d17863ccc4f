package dev.clockwire.sim.export;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.trace.Signals;
import dev.clockwire.sim.trace.WaveSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Writes waves as a Value Change Dump (IEEE 1364-2005, clause 18) with a timescale of 1 ps. Only changes are written, sorted within one
 * time by signal, so the order of the calls within an instant does not show; a signal is unknown before its first value.
 */
public final class VcdWriter implements WaveSink {
    private static final int FIRST_ID = '!';
    private static final int IDS = '~' - '!' + 1;

    private final Signals signals;
    private final Appendable out;
    private final long from;
    private final long to;
    private final long[] value;
    private final long[] written;
    private final boolean[] known;
    private final boolean[] writtenKnown;
    private final boolean[] isDirty;
    private final int[] dirty;
    private final StringBuilder line = new StringBuilder();
    private int dirtyCount;
    private long now;
    private long stamped = -1;

    /** Creates a writer of all changes. */
    public VcdWriter(Signals signals, Appendable out) {
        this(signals, out, 0, Long.MAX_VALUE);
    }

    /**
     * Creates a writer of a window of time; it starts with the values at {@code from} and ends before {@code to}. The signals are
     * those declared so far.
     */
    public VcdWriter(Signals signals, Appendable out, long from, long to) {
        this.signals = signals;
        this.out = out;
        this.from = from;
        this.to = to;
        int n = signals.count();
        value = new long[n];
        written = new long[n];
        known = new boolean[n];
        writtenKnown = new boolean[n];
        isDirty = new boolean[n];
        dirty = new int[n];
        header();
    }

    @Override
    public void change(int signal, long ps, long x) {
        if (ps != now) {
            advance(ps);
        }
        value[signal] = x;
        known[signal] = true;
        if (!isDirty[signal]) {
            isDirty[signal] = true;
            dirty[dirtyCount++] = signal;
        }
    }

    /** Writes what is pending and the time of the end, which is {@code ps} or the end of the window if that is earlier. */
    public void finish(long ps) {
        advance(Math.max(ps, now));
        if (stamped < 0) {
            start(Math.max(from, Math.min(now, to)));
        }
        stamp(Math.max(stamped, Math.min(ps, to)));
    }

    private void advance(long ps) {
        if (ps < now) {
            throw new InvariantViolation("", ps, "waves go back in time from " + now + " ps");
        }
        if (now >= from && now < to && (dirtyCount > 0 || stamped < 0)) {
            flush(now);
        } else if (stamped < 0 && now < from && ps > from && from < to) {
            start(from);
        }
        now = ps;
    }

    private void flush(long ps) {
        if (stamped < 0) {
            start(ps);
            return;
        }
        Arrays.sort(dirty, 0, dirtyCount);
        for (int i = 0; i < dirtyCount; i++) {
            int s = dirty[i];
            isDirty[s] = false;
            if (!writtenKnown[s] || value[s] != written[s]) {
                stamp(ps);
                put(s);
            }
        }
        dirtyCount = 0;
    }

    /** Writes the values of all signals at the start of the window. */
    private void start(long ps) {
        stamp(ps);
        print("$dumpvars\n");
        for (int s = 0; s < value.length; s++) {
            put(s);
            isDirty[s] = false;
        }
        dirtyCount = 0;
        print("$end\n");
    }

    private void stamp(long ps) {
        if (stamped != ps) {
            stamped = ps;
            print("#" + ps + "\n");
        }
    }

    private void put(int s) {
        int width = signals.width(s);
        List<String> names = signals.stateNames(s);
        line.setLength(0);
        if (!known[s]) {
            line.append(width == 1 ? "x" : "bx ");
        } else if (names != null) {
            line.append('b');
            text(names.get((int) value[s]), width / 8);
            line.append(' ');
        } else if (width == 1) {
            line.append((char) ('0' + (value[s] & 1)));
        } else {
            long x = width == 64 ? value[s] : value[s] & ((1L << width) - 1);
            line.append('b').append(Long.toBinaryString(x)).append(' ');
        }
        written[s] = value[s];
        writtenKnown[s] = known[s];
        print(line.append(id(s)).append('\n'));
    }

    private void text(String name, int chars) {
        for (int i = 0; i < chars; i++) {
            int c = i < name.length() ? name.charAt(i) : 0;
            for (int bit = 7; bit >= 0; bit--) {
                line.append((char) ('0' + ((c >> bit) & 1)));
            }
        }
    }

    private void header() {
        print("$version Clockwire $end\n$timescale 1ps $end\n");
        List<Integer> order = new ArrayList<>();
        for (int s = 0; s < value.length; s++) {
            order.add(s);
        }
        // scopes with a blank for the dot: a parent's members stay together
        order.sort(Comparator.comparing((Integer s) -> scopes(s)).thenComparing(s -> s));
        String[] open = {};
        for (int s : order) {
            String[] path = signals.path(s).split("\\.", -1);
            String[] scope = Arrays.copyOf(path, path.length - 1);
            open = enter(open, scope);
            int width = signals.width(s);
            String range = width == 1 ? "" : " [" + (width - 1) + ":0]";
            print("$var wire " + width + " " + id(s) + " " + path[path.length - 1] + range + " $end\n");
        }
        enter(open, new String[0]);
        print("$enddefinitions $end\n");
    }

    private String scopes(int s) {
        String path = signals.path(s);
        return path.substring(0, Math.max(0, path.lastIndexOf('.'))).replace('.', ' ');
    }

    private String[] enter(String[] open, String[] scope) {
        int common = 0;
        while (common < Math.min(open.length, scope.length) && open[common].equals(scope[common])) {
            common++;
        }
        print("$upscope $end\n".repeat(open.length - common));
        for (int i = common; i < scope.length; i++) {
            print("$scope module " + scope[i] + " $end\n");
        }
        return scope;
    }

    private static String id(int s) {
        StringBuilder b = new StringBuilder();
        for (int n = s; n >= 0; n = n / IDS - 1) {
            b.append((char) (FIRST_ID + n % IDS));
        }
        return b.toString();
    }

    private void print(CharSequence text) {
        try {
            out.append(text);
        } catch (IOException e) {
            throw AtomicFile.unwritable("waves", e);
        }
    }
}
