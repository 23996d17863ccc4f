package dev.clockwire.roce.fabric.net;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Divides a fabric among threads: switches with hosts in their order, as many hosts to each part, hosts where their switch is, switches without
 * hosts in turn. Hosts of a single switch are divided themselves.
 */
final class Partition {
    private final int[] parts;

    Partition(Topology topology, int count) {
        int hosts = topology.hosts().size();
        int switches = topology.switches().size();
        parts = new int[hosts + switches];
        Map<String, Integer> numbers = new TreeMap<>();
        topology.hosts().forEach(h -> numbers.put(h, numbers.size()));
        topology.switches().forEach(s -> numbers.put(s, numbers.size()));
        int[] above = new int[hosts];
        int[] held = new int[hosts + switches];
        for (CableSpec cable : topology.cables()) {
            int a = Objects.requireNonNull(numbers.get(cable.a()));
            int b = Objects.requireNonNull(numbers.get(cable.b()));
            note(a, b, hosts, above, held);
            note(b, a, hosts, above, held);
        }
        if (switches < 2) {
            for (int i = 0; i < hosts; i++) {
                parts[i] = (int) ((long) i * count / Math.max(1, hosts));
            }
            return;
        }
        int before = 0;
        int spare = 0;
        for (int s = hosts; s < parts.length; s++) {
            parts[s] = held[s] == 0 ? spare++ % count : (int) ((long) before * count / hosts);
            before += held[s];
        }
        for (int h = 0; h < hosts; h++) {
            parts[h] = above[h] >= hosts ? parts[above[h]] : parts[h];
        }
    }

    private static void note(int host, int other, int hosts, int[] above, int[] held) {
        if (host < hosts) {
            above[host] = other;
            held[other]++;
        }
    }

    /** Returns the part of each node, hosts first. */
    int[] parts() {
        return parts.clone();
    }
}
