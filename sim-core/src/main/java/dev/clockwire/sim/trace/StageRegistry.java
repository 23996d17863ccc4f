package dev.clockwire.sim.trace;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Small numbers for the names of stages and causes: one registry a simulation, numbers in order of first use. */
public final class StageRegistry {
    private static final int LIMIT = 1 << 16;

    private final TreeMap<String, Integer> numbers = new TreeMap<>();
    private final List<String> names = new ArrayList<>();

    /** Creates a registry in which 0 is the empty name. */
    public StageRegistry() {
        id("");
    }

    /** Returns the number of a name; a new name gets the next number. Call it while building, not per token. */
    public int id(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        if (names.size() == LIMIT) {
            throw new ConfigurationException("more than " + LIMIT + " stage names");
        }
        numbers.put(name, names.size());
        names.add(name);
        return names.size() - 1;
    }

    /** Returns the name of a number. */
    public String name(int id) {
        return names.get(id);
    }

    /** Returns how many numbers are in use. */
    public int size() {
        return names.size();
    }
}
