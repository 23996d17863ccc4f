package dev.clockwire.sim.stats;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Collection;
import java.util.Collections;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** All statistics of a simulation by name. The order is that of the name tree, whatever the order of registration. */
public final class StatRegistry implements State {
    private final TreeMap<String, Stat> stats = new TreeMap<>(StatRegistry::compare);

    /** Creates an empty registry. */
    public StatRegistry() {}

    /** Creates and registers a counter. */
    public Counter counter(String name, String unit, String description) {
        return add(new Counter(name, unit, description));
    }

    /** Creates and registers a gauge. */
    public Gauge gauge(String name, String unit, String description) {
        return add(new Gauge(name, unit, description));
    }

    /** Creates and registers a histogram of the default resolution. */
    public Histogram histogram(String name, String unit, String description) {
        return add(new Histogram(name, unit, description));
    }

    /** Registers a figure the model keeps itself. */
    public Reading reading(String name, String unit, String description, LongSupplier source) {
        return add(new Reading(name, unit, description, source));
    }

    /**
     * Registers a statistic made elsewhere.
     *
     * @throws ConfigurationException if the name is taken, or is the inner node of another name
     */
    public <S extends Stat> S add(S stat) {
        String name = stat.name();
        if (name.isEmpty() || name.startsWith(".") || name.endsWith(".") || name.contains("..")) {
            throw new ConfigurationException("statistic name '" + name + "': must be words joined by single dots");
        }
        String below = stats.higherKey(name);
        String above = stats.floorKey(name);
        if (stats.containsKey(name)) {
            throw new ConfigurationException("statistic " + name + " exists already");
        }
        if (below != null && below.startsWith(name + ".")) {
            throw new ConfigurationException("statistic " + name + " would be the parent of " + below);
        }
        if (above != null && name.startsWith(above + ".")) {
            throw new ConfigurationException("statistic " + name + " would be a child of " + above);
        }
        stats.put(name, stat);
        return stat;
    }

    /** Returns all statistics in name order. */
    public Collection<Stat> all() {
        return Collections.unmodifiableCollection(stats.values());
    }

    /** Returns the statistic of a name; the error names the nearest one. */
    public Stat find(String name) {
        Stat s = stats.get(name);
        if (s == null) {
            throw new ConfigurationException("no statistic " + name + Nearest.hint(name, stats.keySet()));
        }
        return s;
    }

    /** Returns the value of a counter or reading; the error names the nearest name. */
    public long value(String name) {
        Stat s = find(name);
        if (s instanceof Counter c) {
            return c.value();
        }
        if (s instanceof Reading r) {
            return r.value();
        }
        throw new ConfigurationException(
                "statistic " + name + " is a " + s.getClass().getSimpleName() + " and has no single value");
    }

    /** Starts all statistics again, as after a warm-up. */
    public void reset(long ps) {
        for (Stat s : stats.values()) {
            s.reset(ps);
        }
    }

    /** Returns all values at a time as an indented tree, one line for each. */
    public String tree(long ps) {
        StringBuilder out = new StringBuilder();
        String[] path = {};
        for (Stat s : stats.values()) {
            String[] words = s.name().split("\\.", -1);
            int common = 0;
            while (common < Math.min(path.length, words.length) - 1 && path[common].equals(words[common])) {
                common++;
            }
            for (int i = common; i < words.length; i++) {
                out.append("  ".repeat(i)).append(words[i]);
                if (i < words.length - 1) {
                    out.append('\n');
                }
            }
            out.append(" = ").append(s.text(ps));
            out.append(s.unit().isEmpty() ? "" : " " + s.unit())
                    .append("  # ")
                    .append(s.description())
                    .append('\n');
            path = words;
        }
        return out.toString();
    }

    @Override
    public void save(Snapshot out) {
        for (Stat s : stats.values()) {
            s.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        for (Stat s : stats.values()) {
            s.load(in);
        }
    }

    /** Compares names so that a subtree stays together: the dot sorts below every other character. */
    private static int compare(String a, String b) {
        int n = Math.min(a.length(), b.length());
        for (int i = 0; i < n; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                return x == '.' ? -1 : y == '.' ? 1 : Character.compare(x, y);
            }
        }
        return a.length() - b.length();
    }
}
