package dev.clockwire.testkit;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;

/** Counters and readings by their full names; in a name {@code *} stands for any part of it, and at least one name must fit. */
public final class StatsAssert extends ModelAssert<StatsAssert, Counts> {
    private static final int SHOWN = 10;

    StatsAssert(Counts actual) {
        super(actual, StatsAssert.class, "");
    }

    /** Returns the part of the design that a statistic belongs to. */
    static String owner(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    /** Says what each counter of that name has counted. */
    public StatsAssert has(String name, long value) {
        return all(name, v -> v == value, "" + value);
    }

    /** Says that none of these has counted anything. */
    public StatsAssert hasZero(String... names) {
        for (String name : names) {
            has(name, 0);
        }
        return this;
    }

    /** Says that each of these has counted something. */
    public StatsAssert hasPositive(String... names) {
        for (String name : names) {
            all(name, v -> v > 0, "more than 0");
        }
        return this;
    }

    /** Says in which range each counter of that name is, both ends included. */
    public StatsAssert hasBetween(String name, long least, long most) {
        return all(name, v -> v >= least && v <= most, least + " to " + most);
    }

    private StatsAssert all(String name, LongPredicate holds, String expected) {
        List<String> names = matching(name);
        List<String> wrong = names.stream()
                .filter(n -> !holds.test(actual.values().getOrDefault(n, 0L)))
                .toList();
        if (!wrong.isEmpty()) {
            StringBuilder text = new StringBuilder();
            for (String w : wrong.subList(0, Math.min(SHOWN, wrong.size()))) {
                text.append(text.isEmpty() ? "" : "\n")
                        .append(w)
                        .append(" is ")
                        .append(actual.values().get(w));
            }
            text.append(", expected ").append(expected);
            throw new ModelAssertionError(owner(wrong.get(0)), text.toString());
        }
        return this;
    }

    private List<String> matching(String name) {
        Pattern pattern = Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q"));
        List<String> names = actual.values().keySet().stream()
                .filter(n -> pattern.matcher(n).matches())
                .toList();
        if (names.isEmpty()) {
            throw new ConfigurationException(
                    "no counter " + name + Nearest.hint(name, actual.values().keySet()));
        }
        return names;
    }
}
