package dev.clockwire.nic.lab;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.MemoryFinding;
import dev.clockwire.sim.mem.MemorySanitizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the memory sanitizers of all hosts of a lab have found. */
public final class LabSanitizer {
    private final List<MemorySanitizer> hosts = new ArrayList<>();

    private LabSanitizer(List<LabHost> of) {
        for (LabHost host : of) {
            MemorySanitizer one = host.sanitizer();
            if (!hosts.contains(one)) {
                hosts.add(one);
            }
        }
    }

    /**
     * Returns the sanitizers of hosts as one.
     *
     * @throws ConfigurationException if a host has none
     */
    public static LabSanitizer of(LabHost... hosts) {
        return new LabSanitizer(List.of(hosts));
    }

    /** Returns the findings that were kept, in the order of time. */
    public List<MemoryFinding> findings() {
        List<MemoryFinding> all = new ArrayList<>();
        for (MemorySanitizer one : hosts) {
            all.addAll(one.findings());
        }
        all.sort(Comparator.comparingLong(MemoryFinding::ps));
        return List.copyOf(all);
    }

    /** Returns how many findings there were, those that were not kept included. */
    public long count() {
        return hosts.stream().mapToLong(MemorySanitizer::count).sum();
    }

    /** Lets posts and grants of what another one writes be findings from now on; see {@link MemorySanitizer#expectOneOwner}. */
    public void expectOneOwner() {
        hosts.forEach(MemorySanitizer::expectOneOwner);
    }

    /** Lets findings stop the simulation from now on; see {@link MemorySanitizer#throwFindings}. */
    public void throwFindings() {
        hosts.forEach(MemorySanitizer::throwFindings);
    }
}
