package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What was counted on the machines that somebody looks at. */
public final class Counters {
    private final Map<String, Machine> machines = new TreeMap<>();
    private final Map<String, Long> said = new TreeMap<>();

    Counters() {}

    /**
     * Reads the document of a run, its {@code stats.json}, or whatever text tools have printed. What is not understood is passed over;
     * nothing is thrown.
     */
    public static Counters read(String text) {
        Counters all = new Counters();
        if (!text.stripLeading().startsWith("{") || !CounterJson.read(text, all)) {
            CounterText.read(text.lines().toList(), "", all);
        }
        return all;
    }

    Machine machine(String name) {
        return machines.computeIfAbsent(name, Machine::new);
    }

    /** A tool printed a message that is known. */
    void said(String message) {
        said.merge(message, 1L, Long::sum);
    }

    /** Whether a tool printed a message. */
    boolean has(String message) {
        return said.containsKey(message);
    }

    /** Returns all machines in the order of their names. */
    public Collection<Machine> machines() {
        return machines.values();
    }

    /** Returns the machines of a kind. */
    List<Machine> those(Predicate<Machine> kind) {
        return machines.values().stream().filter(kind).toList();
    }

    /** Returns the ports of each device that has any, by the device's name. */
    Map<String, List<Machine>> devices() {
        Map<String, List<Machine>> all = new TreeMap<>();
        machines.values()
                .forEach(m ->
                        all.computeIfAbsent(m.device(), d -> new ArrayList<>()).add(m));
        return all;
    }

    /** Returns the sum of a counter over all machines. */
    public long sum(String name) {
        return machines.values().stream().mapToLong(m -> m.get(name)).sum();
    }

    /** Returns the sums of all counters by name. */
    public NavigableMap<String, Long> sums() {
        NavigableMap<String, Long> all = new TreeMap<>();
        machines.values().forEach(m -> m.numbers().forEach((name, value) -> all.merge(name, value, Long::sum)));
        return all;
    }
}
