package dev.clockwire.testkit;

import dev.clockwire.sim.stats.Counter;
import dev.clockwire.sim.stats.Reading;
import dev.clockwire.sim.stats.Stat;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The counters and readings of a simulation at one time, to be compared with a later one.
 *
 * @param values by full name
 */
public record Counts(SortedMap<String, Long> values) {
    /** Keeps the values from change. */
    public Counts {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** Returns the values now. */
    public static Counts of(StatRegistry stats) {
        SortedMap<String, Long> now = new TreeMap<>();
        for (Stat s : stats.all()) {
            if (s instanceof Counter || s instanceof Reading) {
                now.put(s.name(), stats.value(s.name()));
            }
        }
        return new Counts(now);
    }

    /** Returns by how much each has grown since an earlier time; what did not exist then was 0. */
    public Counts since(Counts earlier) {
        SortedMap<String, Long> growth = new TreeMap<>();
        values.forEach((name, now) -> growth.put(name, now - earlier.values.getOrDefault(name, 0L)));
        return new Counts(growth);
    }
}
