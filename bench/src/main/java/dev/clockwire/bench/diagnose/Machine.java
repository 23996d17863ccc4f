package dev.clockwire.bench.diagnose;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What is known of one machine, or of one port of a switch: numbers and settings by the names that tools print. */
public final class Machine {
    /** Priorities of a port. */
    static final int CLASSES = 8;

    private final String name;
    private final Ledger ledger;
    private final NavigableMap<String, Long> numbers = new TreeMap<>();
    private final NavigableMap<String, String> words = new TreeMap<>();
    private final NavigableMap<String, Map<String, String>> functions = new TreeMap<>();

    Machine(String name, Ledger ledger) {
        this.name = name;
        this.ledger = ledger;
    }

    /** Returns its name; empty if nobody gave it one. */
    public String name() {
        return name;
    }

    /** Returns all counters. */
    public NavigableMap<String, Long> numbers() {
        return Collections.unmodifiableNavigableMap(numbers);
    }

    /** Takes a counter; returns what it was before, itself if it was not there. */
    long number(String of, long value) {
        Long before = numbers.put(of, value);
        return before == null ? value : before;
    }

    void word(String of, String value) {
        words.put(of, value);
    }

    void function(String title, Map<String, String> flags) {
        functions.put(title, flags);
    }

    boolean isEmpty() {
        return numbers.isEmpty() && words.isEmpty() && functions.isEmpty();
    }

    /** Takes over all that is known of another one. */
    void takeOver(Machine other) {
        numbers.putAll(other.numbers);
        takeSettings(other);
    }

    /** Takes over all but the counters. */
    void takeSettings(Machine other) {
        words.putAll(other.words);
        functions.putAll(other.functions);
    }

    /** Returns what {@code lspci} says of each function, by its title; see {@code LspciReader.flags}. */
    Map<String, Map<String, String>> functions() {
        ledger.asked("lspci -vvv", !functions.isEmpty());
        return functions;
    }

    boolean has(String of) {
        boolean known = numbers.containsKey(of);
        ledger.asked(of, known);
        if (!known && words.containsKey(of)) {
            ledger.noNumber(of + ": " + words.get(of));
        }
        return known;
    }

    /** Returns a counter, 0 if nothing is known of it. */
    long get(String of) {
        return has(of) ? numbers.getOrDefault(of, 0L) : 0;
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

    /** Returns the packets that came in: of the port, or what InfiniBand's port counters say. */
    long received() {
        return Math.max(get("rx_packets_phy"), numbers.getOrDefault("port_rcv_packets", 0L));
    }

    /** Returns the packets that left. */
    long sent() {
        return Math.max(get("tx_packets_phy"), numbers.getOrDefault("port_xmit_packets", 0L));
    }

    /** Whether it is a host's NIC, not a port of a switch: only NICs have hardware counters, and a receive buffer that hosts empty. */
    boolean isHost() {
        return has("out_of_buffer") || has("np_cnp_sent") || has("packet_seq_err") || has("rx_discards_phy");
    }

    /** Returns the switch that a port {@code leaf0.port3} belongs to; the machine itself if it is none. */
    String device() {
        int dot = name.lastIndexOf(".port");
        return dot < 0 ? name : name.substring(0, dot);
    }

    /**
     * Whether a count is worth a word beside another one. If that is unknown, whatever was counted is.
     *
     * @param share of the other one, from which on it is
     * @param names of counters that show it
     */
    boolean outweighs(long count, double share, long of, String... names) {
        return of <= 0 ? count > 0 : ledger.reaches(show(names), (double) count / of, share);
    }

    /** Whether something has happened so often. */
    boolean happens(String counter, double times) {
        return ledger.reaches(show(counter), (double) get(counter), times);
    }

    /** Whether a time reaches a share of another one, both in seconds. */
    boolean lasts(double seconds, double share, double of, String... names) {
        return ledger.reaches(show(names), seconds / of, share);
    }

    /** Returns counters with their values, such as {@code host0 out_of_buffer=7 rnr_nak_retry_err=9}; those that are unknown are left out. */
    String show(String... names) {
        StringBuilder text = new StringBuilder(name);
        for (String n : names) {
            Long value = numbers.get(n);
            if (value != null) {
                text.append(text.length() == 0 ? "" : " ").append(n).append('=').append(value);
            }
        }
        return text.toString();
    }

    /** Returns the same of those counters that are not 0. */
    String showSome(String... names) {
        String[] counted = Arrays.stream(names)
                .filter(n -> numbers.getOrDefault(n, 0L) != 0)
                .toArray(String[]::new);
        return show(counted);
    }
}
