package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What was counted on the machines that somebody looks at. */
public final class Counters {
    /** Since when counters count. */
    enum Since {
        /** A run began. */
        RUN,
        /** A driver was loaded, a long time ago: what happened may be over. */
        BOOT,
        /** An earlier reading. */
        READING
    }

    private final Map<String, Machine> machines = new TreeMap<>();
    private final Map<String, Long> said = new TreeMap<>();
    private final Ledger ledger = new Ledger();
    private final List<String> remarks = new ArrayList<>();
    private Since since = Since.BOOT;
    private double seconds;

    Counters() {}

    /**
     * Reads the document of a run, its {@code stats.json}, or whatever text tools have printed. What is not understood is told by
     * {@link #remarks}; nothing is thrown.
     */
    public static Counters read(String text) {
        Counters all = new Counters();
        if (!isDocument(text) || !CounterJson.read(text, all)) {
            CounterText.read(text.lines().toList(), "", all);
        }
        return all;
    }

    private static boolean isDocument(String text) {
        String start = text.stripLeading();
        return start.startsWith("{") || start.startsWith("[");
    }

    /** Returns what is wrong with a text that begins as a JSON document but is none, as one that has been cut; empty if nothing is. */
    public static Optional<String> brokenDocument(String text) {
        return isDocument(text) ? CounterJson.mistake(text) : Optional.empty();
    }

    Machine machine(String name) {
        return machines.computeIfAbsent(name, n -> new Machine(n, ledger));
    }

    Ledger ledger() {
        return ledger;
    }

    void remark(String text) {
        remarks.add(text);
    }

    /** Returns what is to be said of the readings themselves: lines and values that mean nothing, counters that began anew. */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    void since(Since when) {
        since = when;
    }

    Since since() {
        return since;
    }

    /** Returns for how long the machines have counted, in seconds; 0 if nobody knows. */
    public double seconds() {
        return seconds;
    }

    /** Returns the same counters, of which somebody knows how long they have counted. */
    public Counters over(double time) {
        seconds = time;
        return this;
    }

    /** A tool printed a message that is known. */
    void said(String message) {
        said.merge(message, 1L, Long::sum);
    }

    /** Whether a tool printed a message. */
    boolean has(String message) {
        return said.containsKey(message);
    }

    /** Takes over what tools have said. */
    void takeMessages(Counters other) {
        other.said.forEach((message, times) -> said.merge(message, times, Long::sum));
    }

    /** Whether nothing at all is known: no counter, no setting, no message. */
    public boolean isEmpty() {
        return said.isEmpty() && machines.values().stream().allMatch(Machine::isEmpty);
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
