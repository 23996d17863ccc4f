package dev.clockwire.bench.diagnose;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What is known of one machine, or of one port of a switch: numbers and settings by the names that tools print. */
public final class Machine {
    /** Priorities of a port. */
    static final int CLASSES = 8;

    private final String name;
    private final NavigableMap<String, Long> numbers = new TreeMap<>();
    private final NavigableMap<String, String> words = new TreeMap<>();
    private final NavigableMap<String, Map<String, String>> functions = new TreeMap<>();

    Machine(String name) {
        this.name = name;
    }

    /** Returns its name; empty if nobody gave it one. */
    public String name() {
        return name;
    }

    /** Returns all counters. */
    public NavigableMap<String, Long> numbers() {
        return Collections.unmodifiableNavigableMap(numbers);
    }

    void number(String of, long value) {
        numbers.put(of, value);
    }

    void word(String of, String value) {
        words.put(of, value);
    }

    void function(String title, Map<String, String> flags) {
        functions.put(title, flags);
    }

    /** Returns what {@code lspci} says of each function, by its title; see {@code LspciReader.flags}. */
    Map<String, Map<String, String>> functions() {
        return functions;
    }

    boolean has(String of) {
        return numbers.containsKey(of);
    }

    /** Returns a counter, 0 if nothing is known of it. */
    long get(String of) {
        return numbers.getOrDefault(of, 0L);
    }

    /** Returns a setting, empty if nothing is known of it. */
    String word(String of) {
        return words.getOrDefault(of, "");
    }

    /** Returns the sum over all classes of a counter such as {@code rx_prio} {@code _pause}. */
    long classes(String before, String behind) {
        long sum = 0;
        for (int c = 0; c < CLASSES; c++) {
            sum += get(before + c + behind);
        }
        return sum;
    }

    /** Whether it is a host's NIC, not a port of a switch: only NICs have hardware counters. */
    boolean isHost() {
        return has("out_of_buffer") || has("np_cnp_sent") || has("packet_seq_err");
    }

    /** Returns the switch that a port {@code leaf0.port3} belongs to; the machine itself if it is none. */
    String device() {
        int dot = name.lastIndexOf(".port");
        return dot < 0 ? name : name.substring(0, dot);
    }

    /** Returns counters with their values, such as {@code host0 out_of_buffer=7 rnr_nak_retry_err=9}. */
    String show(String... names) {
        StringBuilder text = new StringBuilder(name);
        for (String n : names) {
            text.append(text.length() == 0 ? "" : " ").append(n).append('=').append(get(n));
        }
        return text.toString();
    }
}
