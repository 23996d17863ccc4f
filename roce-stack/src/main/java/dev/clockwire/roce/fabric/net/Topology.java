package dev.clockwire.roce.fabric.net;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who is joined to whom.
 *
 * @param hosts names; a host's place is its number
 * @param switches names
 * @param cables links; a host has one, a switch at least one
 */
public record Topology(List<String> hosts, List<String> switches, List<CableSpec> cables) {
    /** Checks that everything is named once and joined. */
    public Topology {
        hosts = List.copyOf(hosts);
        switches = List.copyOf(switches);
        cables = List.copyOf(cables);
        Set<String> names = new LinkedHashSet<>();
        once(hosts, names);
        once(switches, names);
        Map<String, Integer> ends = ends(cables, names);
        for (String host : hosts) {
            int n = ends.getOrDefault(host, 0);
            if (n != 1) {
                throw new ConfigurationException("host " + host + " has " + n + " links: it needs exactly one");
            }
        }
        for (String sw : switches) {
            if (!ends.containsKey(sw)) {
                throw new ConfigurationException("switch " + sw + " is joined to nothing");
            }
        }
    }

    private static void once(List<String> some, Set<String> names) {
        for (String name : some) {
            if (!names.add(name)) {
                throw new ConfigurationException("two nodes are called " + name);
            }
        }
    }

    private static Map<String, Integer> ends(List<CableSpec> cables, Set<String> names) {
        Map<String, Integer> ends = new TreeMap<>();
        for (CableSpec cable : cables) {
            for (String end : List.of(cable.a(), cable.b())) {
                if (!names.contains(end)) {
                    String text = "link " + cable.a() + " - " + cable.b() + ": no node is called " + end;
                    throw new ConfigurationException(text + Nearest.hint(end, names));
                }
                ends.merge(end, 1, Integer::sum);
            }
        }
        return ends;
    }

    /** Returns for each host the number of the lowest host that it is joined to, itself counted: hosts with another number have no way to it. */
    public int[] islands() {
        Map<String, Integer> numbers = new TreeMap<>();
        hosts.forEach(h -> numbers.put(h, numbers.size()));
        switches.forEach(s -> numbers.put(s, numbers.size()));
        int[] root = new int[numbers.size()];
        Arrays.setAll(root, i -> i);
        for (CableSpec cable : cables) {
            int a = top(root, numbers.getOrDefault(cable.a(), 0));
            int b = top(root, numbers.getOrDefault(cable.b(), 0));
            root[Math.max(a, b)] = Math.min(a, b);
        }
        int[] islands = new int[hosts.size()];
        Arrays.setAll(islands, i -> top(root, i));
        return islands;
    }

    private static int top(int[] root, int node) {
        int at = node;
        while (root[at] != at) {
            root[at] = root[root[at]];
            at = root[at];
        }
        return at;
    }

    /** Returns hosts around one switch. */
    public static Topology star(int hosts, long kbps, long delayPs) {
        Builder b = new Builder();
        b.switches("switch");
        for (int i = 0; i < hosts; i++) {
            b.host("host" + i, "switch", kbps, delayPs);
        }
        return b.build();
    }

    /** Returns two switches with hosts on both sides: the left ones come first. */
    public static Topology dumbbell(int left, int right, long kbps, long trunkKbps, long delayPs) {
        Builder b = new Builder();
        b.switches("left", "right");
        for (int i = 0; i < left + right; i++) {
            b.host("host" + i, i < left ? "left" : "right", kbps, delayPs);
        }
        return b.cable("left", "right", trunkKbps, delayPs).build();
    }

    /** Returns switches in a row, some hosts at each. */
    public static Topology parkingLot(int switches, int hostsEach, long kbps, long delayPs) {
        Builder b = row(switches, hostsEach, kbps, delayPs);
        return b.build();
    }

    /** Returns switches in a ring, some hosts at each. */
    public static Topology ring(int switches, int hostsEach, long kbps, long delayPs) {
        if (switches < 3) {
            throw new ConfigurationException("a ring of " + switches + " switches: it needs 3 or more");
        }
        return row(switches, hostsEach, kbps, delayPs)
                .cable("switch" + (switches - 1), "switch0", kbps, delayPs)
                .build();
    }

    private static Builder row(int switches, int hostsEach, long kbps, long delayPs) {
        Builder b = new Builder();
        for (int s = 0; s < switches; s++) {
            b.switches("switch" + s);
            for (int h = 0; h < hostsEach; h++) {
                b.host("host" + (s * hostsEach + h), "switch" + s, kbps, delayPs);
            }
        }
        for (int s = 1; s < switches; s++) {
            b.cable("switch" + (s - 1), "switch" + s, kbps, delayPs);
        }
        return b;
    }

    /** Returns leaves that are each joined to every spine. */
    public static Topology leafSpine(int leaves, int spines, int hostsEach, long kbps, long upKbps, long delayPs) {
        Builder b = new Builder();
        for (int l = 0; l < leaves; l++) {
            b.switches("leaf" + l);
        }
        for (int s = 0; s < spines; s++) {
            b.switches("spine" + s);
        }
        for (int l = 0; l < leaves; l++) {
            for (int h = 0; h < hostsEach; h++) {
                b.host("host" + (l * hostsEach + h), "leaf" + l, kbps, delayPs);
            }
        }
        for (int l = 0; l < leaves; l++) {
            for (int s = 0; s < spines; s++) {
                b.cable("leaf" + l, "spine" + s, upKbps, delayPs);
            }
        }
        return b.build();
    }

    /** Collects nodes and cables. */
    public static final class Builder {
        private final List<String> hosts = new ArrayList<>();
        private final List<String> switches = new ArrayList<>();
        private final List<CableSpec> cables = new ArrayList<>();

        /** Creates an empty topology. */
        public Builder() {}

        /** Adds switches. */
        public Builder switches(String... names) {
            switches.addAll(List.of(names));
            return this;
        }

        /** Adds a host and its cable. */
        public Builder host(String name, String to, long kbps, long delayPs) {
            hosts.add(name);
            return cable(name, to, kbps, delayPs);
        }

        /** Adds a cable without loss. */
        public Builder cable(String a, String b, long kbps, long delayPs) {
            return cable(new CableSpec(a, b, kbps, delayPs, 0));
        }

        /** Adds a cable. */
        public Builder cable(CableSpec cable) {
            cables.add(cable);
            return this;
        }

        /** Returns the topology. */
        public Topology build() {
            return new Topology(hosts, switches, cables);
        }
    }
}
