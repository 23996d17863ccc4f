package dev.clockwire.bench.fabric;

import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A fabric to run.
 *
 * @param name what it is called
 * @param network the fabric
 * @param untilPs when the run ends, if the flows do not before
 * @param lossless class that data is in, whose queues are reported
 * @param notes what is wrong with the files of real devices that it names
 * @param places where in its file the keys stand that were given, such as {@code hosts.recovery}: file, line and column with a colon and a
 *     blank behind; the empty key is the file itself
 * @param devices what concerns hosts with whole devices only
 */
public record FabricJob(
        String name,
        NetworkSpec network,
        long untilPs,
        int lossless,
        List<String> notes,
        Map<String, String> places,
        DeviceTerms devices) {
    /** Copies notes and places. */
    public FabricJob {
        notes = List.copyOf(notes);
        places = Collections.unmodifiableMap(new TreeMap<>(places));
    }

    /** A fabric whose hosts have nothing of their own. */
    public FabricJob(
            String name,
            NetworkSpec network,
            long untilPs,
            int lossless,
            List<String> notes,
            Map<String, String> places) {
        this(name, network, untilPs, lossless, notes, places, DeviceTerms.USUAL);
    }

    /** A fabric that stands in no file. */
    public FabricJob(String name, NetworkSpec network, long untilPs, int lossless) {
        this(name, network, untilPs, lossless, List.of(), Map.of());
    }

    /** Whether the file has a key. */
    boolean gives(String key) {
        return places.containsKey(key);
    }

    /** Returns what is said about a key, with its place. */
    String about(String key, String text) {
        return places.getOrDefault(key, places.getOrDefault("", "")) + text;
    }

    /** Returns an error about a key, to be thrown. */
    ConfigurationException error(String key, String text) {
        return new ConfigurationException(about(key, text));
    }
}
