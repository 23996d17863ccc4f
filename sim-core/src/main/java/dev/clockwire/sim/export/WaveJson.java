package dev.clockwire.sim.export;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.trace.Signals;
import dev.clockwire.sim.trace.WaveSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A window of waves as WaveJSON, which WaveDrom draws as a timing diagram: one character for each cycle of one clock, a lane for each signal, a group for each
 * channel. A sample is what a register holds from an edge to the next. For a few dozen cycles that people read; for long ones there are dumps.
 */
public final class WaveJson implements WaveSink {
    /** Most cycles of a window: wider drawings nobody can read. */
    public static final int MOST_CYCLES = 512;

    private static final int DECIMAL_BITS = 8;

    private final Signals signals;
    private final long from;
    private final long period;
    private final long[] value;
    private final boolean[] known;
    private final long[][] sample;
    private final int[] firstKnown;
    private int next;

    /**
     * Creates a window; the signals are those declared so far.
     *
     * @param from time of its first edge in ps
     * @param period of the clock in ps
     * @param cycles 1 to {@link #MOST_CYCLES}
     */
    public WaveJson(Signals signals, long from, long period, int cycles) {
        if (from < 0 || period < 1 || cycles < 1 || cycles > MOST_CYCLES) {
            throw new ConfigurationException("timing diagram of " + cycles + " cycles of " + period + " ps from " + from
                    + " ps: it has 1 to " + MOST_CYCLES + " cycles of at least 1 ps, from 0 on");
        }
        this.signals = signals;
        this.from = from;
        this.period = period;
        int n = signals.count();
        value = new long[n];
        known = new boolean[n];
        sample = new long[n][cycles];
        firstKnown = new int[n];
        Arrays.fill(firstKnown, cycles);
    }

    @Override
    public void change(int signal, long ps, long x) {
        sampleUntil(ps);
        value[signal] = x;
        known[signal] = true;
    }

    /** Takes all samples before a time: what changes at an edge is what the cycle behind it shows. */
    private void sampleUntil(long ps) {
        while (next < cycles() && from + next * period < ps) {
            for (int s = 0; s < value.length; s++) {
                sample[s][next] = value[s];
                if (known[s]) {
                    firstKnown[s] = Math.min(firstKnown[s], next);
                }
            }
            next++;
        }
    }

    private int cycles() {
        return sample.length == 0 ? 0 : sample[0].length;
    }

    /** Returns the numbers of the signals that change in the window, after the run: those of the parent that moves first come first. */
    public List<Integer> moving() {
        sampleUntil(Long.MAX_VALUE);
        TreeMap<String, Integer> first = new TreeMap<>();
        List<Integer> all = new ArrayList<>();
        for (int s = 0; s < sample.length; s++) {
            int cycle = firstMove(s);
            if (cycle < cycles()) {
                all.add(s);
                first.merge(parent(s), cycle, Math::min);
            }
        }
        all.sort(Comparator.comparingInt(s -> first.getOrDefault(parent(s), 0)));
        return all;
    }

    /** Returns the first cycle that differs from the one before, the length of the window if none does. */
    private int firstMove(int s) {
        if (firstKnown[s] > 0) {
            return firstKnown[s];
        }
        int c = 1;
        while (c < cycles() && sample[s][c] == sample[s][c - 1]) {
            c++;
        }
        return c;
    }

    /**
     * Writes the document, after the run.
     *
     * @param lanes numbers of the signals to show; those of one parent stand together, in the order given
     */
    public void write(Appendable out, List<Integer> lanes) {
        sampleUntil(Long.MAX_VALUE);
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        lanes.forEach(lane ->
                groups.computeIfAbsent(parent(lane), g -> new ArrayList<>()).add(lane));
        String common = common(groups.keySet());
        JsonWriter json = new JsonWriter(out).beginObject().name("signal").beginArray();
        json.beginObject().field("name", "clk").field("wave", "p" + ".".repeat(Math.max(0, cycles() - 1)));
        json.endObject();
        groups.forEach((parent, group) -> {
            if (group.size() == 1) {
                int lane = group.get(0);
                lane(json, lane, signals.path(lane).substring(common.length()));
                return;
            }
            json.beginArray().value(parent.substring(Math.min(parent.length(), common.length())));
            group.forEach(lane -> lane(json, lane, last(signals.path(lane))));
            json.endArray();
        });
        json.endArray();
        json.name("head")
                .beginObject()
                .field("text", text(common))
                .field("tick", 0)
                .endObject();
        json.endObject().finish();
    }

    /** Returns what all names begin with, up to a dot: group names stand upright and have little room. */
    private static String common(Set<String> parents) {
        String prefix = "";
        for (String p : parents) {
            for (int dot = p.indexOf('.'); dot >= 0; dot = p.indexOf('.', dot + 1)) {
                String longer = p.substring(0, dot + 1);
                if (longer.length() > prefix.length() && parents.stream().allMatch(q -> q.startsWith(longer))) {
                    prefix = longer;
                }
            }
        }
        return prefix;
    }

    private String text(String common) {
        String where = common.isEmpty() ? "" : common.substring(0, common.length() - 1) + " ";
        return where + "from " + from / 1000.0 + " ns, a cycle is " + period / 1000.0 + " ns";
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private String parent(int lane) {
        String path = signals.path(lane);
        int dot = path.lastIndexOf('.');
        return dot < 0 ? "" : path.substring(0, dot);
    }

    private void lane(JsonWriter json, int s, String name) {
        StringBuilder wave = new StringBuilder();
        List<String> data = new ArrayList<>();
        boolean bit = signals.width(s) == 1;
        for (int c = 0; c < cycles(); c++) {
            if (c < firstKnown[s]) {
                wave.append(c == 0 ? 'x' : '.');
            } else if (c > firstKnown[s] && sample[s][c] == sample[s][c - 1]) {
                wave.append('.');
            } else if (bit) {
                wave.append(sample[s][c] == 0 ? '0' : '1');
            } else {
                wave.append('=');
                data.add(text(s, sample[s][c]));
            }
        }
        json.beginObject().field("name", name);
        json.field("wave", wave.toString());
        if (!data.isEmpty()) {
            json.name("data").beginArray();
            data.forEach(json::value);
            json.endArray();
        }
        json.endObject();
    }

    private String text(int s, long x) {
        @Nullable List<String> names = signals.stateNames(s);
        if (names != null) {
            return x >= 0 && x < names.size() ? names.get((int) x) : Long.toString(x);
        }
        return signals.width(s) <= DECIMAL_BITS ? Long.toString(x) : Long.toHexString(x);
    }
}
