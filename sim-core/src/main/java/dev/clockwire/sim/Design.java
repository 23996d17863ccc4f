package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.trace.WaveSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Everything a simulation consists of, collected while it is built; closed by elaboration. */
final class Design {
    final List<SimNode> nodes = new ArrayList<>();
    final List<EventPort> ports = new ArrayList<>();
    final List<Clock> clocks = new ArrayList<>();
    final List<Link> links = new ArrayList<>();
    final List<Probe> probes = new ArrayList<>();
    final List<WaveSource> waveSources = new ArrayList<>();
    final TreeMap<String, RandomStream> streams = new TreeMap<>();
    private final TreeMap<String, Scope> scopes = new TreeMap<>();
    private final TreeSet<String> names = new TreeSet<>();
    private boolean closed;

    void register(Scope s) {
        name(s.path());
        scopes.put(s.path(), s);
    }

    /** Returns the plain scope of that path, null if the path is free. */
    @Nullable
    Scope scope(String path) {
        Scope s = scopes.get(path);
        if (s != null && s.getClass() != Scope.class) {
            throw twice(path);
        }
        return s;
    }

    /** Takes a path that nothing else may have. */
    void name(String path) {
        if (closed) {
            throw new ConfigurationException(
                    path, ConfigurationException.BEFORE_TIME_ZERO, "the design is closed: elaborate() was called");
        }
        if (!names.add(path)) {
            throw twice(path);
        }
    }

    private static ConfigurationException twice(String path) {
        return new ConfigurationException(path, ConfigurationException.BEFORE_TIME_ZERO, "this name exists already");
    }

    void close() {
        closed = true;
    }

    /** Returns the new stream of that name. */
    RandomStream stream(long seed, String name) {
        RandomStream s = RandomStream.named(seed, name);
        if (streams.put(name, s) != null) {
            throw new ConfigurationException("random stream " + name + " has two owners");
        }
        return s;
    }
}
