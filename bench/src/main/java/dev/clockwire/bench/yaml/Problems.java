package dev.clockwire.bench.yaml;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/** What is wrong in a file, in the order in which it was found. */
final class Problems {
    /** Of a reader that wants the first mistake thrown. */
    static final Problems NONE_KEPT = new Problems();

    private static final Pattern PLACE = Pattern.compile("[^\\n]*?:(\\d{1,9}):(\\d{1,9}): ");

    private final List<ConfigurationException> found = new ArrayList<>();

    /** Mappings with a key that nobody knows. */
    private final Set<Node> mistyped = Collections.newSetFromMap(new IdentityHashMap<>());

    Problems() {}

    /** What a mapping lacks that has a mistyped key, too: most likely that. */
    private static final class Consequence extends ConfigurationException {
        private static final long serialVersionUID = 1L;

        Consequence(String text) {
            super(text);
        }
    }

    /** Returns an error about a node. */
    ConfigurationException error(Node about, String text) {
        return mistyped.contains(about) ? new Consequence(text) : new ConfigurationException(text);
    }

    /** Remembers that a mapping has a key that nobody knows. */
    void mistyped(Node mapping) {
        if (this != NONE_KEPT) {
            mistyped.add(mapping);
        }
    }

    void add(ConfigurationException mistake) {
        if (this == NONE_KEPT) {
            throw mistake;
        }
        if (!(mistake instanceof Consequence)) {
            found.add(mistake);
        }
    }

    /**
     * Returns what to throw when a reader gave up. A mistake that has no place may be a consequence of a number that stood in for a wrong one: beside
     * others it is not told.
     */
    ConfigurationException with(ConfigurationException last) {
        if (found.isEmpty()
                || (!(last instanceof Consequence)
                        && PLACE.matcher(String.valueOf(last.getMessage())).lookingAt())) {
            found.add(last);
        }
        return all();
    }

    /** Throws what was found, if anything was. */
    void check() {
        if (!found.isEmpty()) {
            throw all();
        }
    }

    private ConfigurationException all() {
        return found.size() == 1
                ? found.get(0)
                : new ConfigurationMistakes(found.stream()
                        .map(e -> String.valueOf(e.getMessage()))
                        .distinct()
                        .sorted(Comparator.comparingLong(Problems::place))
                        .toList());
    }

    /** Line and column of a message as one number: readers go through a file by keys, people from top to bottom. */
    private static long place(String message) {
        Matcher m = PLACE.matcher(message);
        return m.lookingAt() ? (Long.parseLong(m.group(1)) << 32) + Long.parseLong(m.group(2)) : Long.MAX_VALUE;
    }
}
