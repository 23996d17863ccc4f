package dev.clockwire.bench.sweep;

import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a sweep runs: the points of the plan, each as often as it says. The same file makes the same rows on every machine. */
public final class SweepPlan {
    /** A seed of 53 bits is a whole number in every reader of JSON. */
    private static final int SEED_SHIFT = 11;

    private final CommandTemplate command;
    private final List<Map<String, String>> points;
    private final Set<String> variables;
    private final int repeat;
    private final long seed;
    private final List<String> measures;

    SweepPlan(CommandTemplate command, List<Map<String, String>> points, int repeat, long seed, List<String> measures) {
        this.command = command;
        this.points = List.copyOf(points);
        Set<String> names = new LinkedHashSet<>();
        points.forEach(p -> names.addAll(p.keySet()));
        names.remove(CommandTemplate.SEED); // has a column of its own
        variables = Collections.unmodifiableSet(names);
        this.repeat = repeat;
        this.seed = seed;
        this.measures = List.copyOf(measures);
    }

    /** Returns the points: variables and their values, in the order of the plan. */
    public List<Map<String, String>> points() {
        return points;
    }

    /** Returns the names of all variables, in the order of the plan. */
    public Set<String> variables() {
        return variables;
    }

    /** Returns the paths of the wanted results; empty: all numbers. */
    public List<String> measures() {
        return measures;
    }

    /** Whether a result only repeats what the command was told: it is named as one of its options. */
    boolean isInput(String path) {
        return variables.contains(path) || command.isInput(path);
    }

    /** Returns all rows in their order: repetitions of a point behind one another. */
    public List<SweepRow> rows() {
        RandomStream seeds = RandomStream.named(seed, "sweep.rows");
        List<SweepRow> rows = new ArrayList<>();
        for (int point = 1; point <= points.size(); point++) {
            Map<String, String> values = points.get(point - 1);
            for (int repetition = 1; repetition <= repeat; repetition++) {
                int number = rows.size() + 1;
                String derived = Long.toString(seeds.at(number) >>> SEED_SHIFT);
                String used = values.getOrDefault(CommandTemplate.SEED, derived);
                rows.add(new SweepRow(number, point, repetition, used, command.arguments(number, used, values)));
            }
        }
        return rows;
    }
}
