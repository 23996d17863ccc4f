package dev.clockwire.sim.trace;

import dev.clockwire.sim.error.ConfigurationException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The signals of a set of waves, numbered from 0 in the order declared: vectors of 1 to 64 bits, and named states. */
public final class Signals {
    private final List<Signal> signals = new ArrayList<>();
    private final TreeSet<String> paths = new TreeSet<>();

    /** Creates an empty set. */
    public Signals() {}

    /**
     * Declares a vector.
     *
     * @param path hierarchical name with dots
     * @param width bits, 1 to 64
     * @return its number
     */
    public int vector(String path, int width) {
        if (width < 1 || width > 64) {
            throw new ConfigurationException("width of signal " + path + " is " + width + ": must be 1 to 64");
        }
        return add(new Signal(path, width, null));
    }

    /**
     * Declares a signal whose value n is shown as the n-th name. In a file it is a vector of the names' ASCII characters, which wave
     * viewers show as text.
     *
     * @return its number
     */
    public int states(String path, List<String> names) {
        int longest = 1;
        for (String name : names) {
            longest = Math.max(longest, name.getBytes(StandardCharsets.US_ASCII).length);
        }
        return add(new Signal(path, 8 * longest, List.copyOf(names)));
    }

    /** Returns the number of signals. */
    public int count() {
        return signals.size();
    }

    /** Returns the hierarchical name of a signal. */
    public String path(int i) {
        return signals.get(i).path();
    }

    /** Returns the width of a signal in bits; of named states eight times the longest name. */
    public int width(int i) {
        return signals.get(i).width();
    }

    /** Returns the names of the values of a signal, null for a vector. */
    public @Nullable List<String> stateNames(int i) {
        return signals.get(i).states();
    }

    private int add(Signal s) {
        if (s.path().isEmpty() || s.path().chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new ConfigurationException("signal '" + s.path() + "': a name is of printable ASCII without spaces");
        }
        if (!paths.add(s.path())) {
            throw new ConfigurationException("signal " + s.path() + " is declared twice");
        }
        signals.add(s);
        return signals.size() - 1;
    }

    /** One signal; {@code states} are the names of its values. */
    private record Signal(String path, int width, @Nullable List<String> states) {}
}
