package dev.clockwire.bench.profile;

import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A profile as a YAML file: a built-in one ({@code base}) with some values laid over it. Paths are nested or dotted; a value is a scalar, or a mapping
 * of {@code value}, {@code source} and {@code confidence}. All mistakes are told at once, each with file, line, column and the nearest key.
 */
public final class ProfileFile {
    static final String BASE = "base";
    static final String TITLE = "title";
    static final List<String> ABOUT_VALUE = List.of("value", "source", "confidence");
    static final List<String> CONFIDENCES = List.of("A", "B", "C");

    private static final List<String> PATHS =
            Parameters.all().stream().map(p -> p.path()).toList();

    private final Set<String> seen = new HashSet<>();
    private Profile profile;

    private ProfileFile(Profile base) {
        this.profile = base;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read
     * @throws ConfigurationException for whatever is wrong in it
     */
    public static Profile read(Path file) throws IOException {
        return YamlValue.read(file, ProfileFile::of);
    }

    /** Reads a text as {@link #read} does a file, whose name errors and sources give. */
    public static Profile parse(String file, String text) throws IOException {
        return YamlValue.parse(file, text, ProfileFile::of);
    }

    private static Profile of(YamlValue root) {
        Map<String, YamlValue> keys = root.map();
        ProfileFile reader = new ProfileFile(base(keys.get(BASE)));
        YamlValue title = keys.get(TITLE);
        if (title != null) {
            reader.profile = reader.profile.titled(oneLine(title));
        }
        reader.group("", root);
        return reader.profile;
    }

    private static Profile base(@Nullable YamlValue name) {
        if (name != null) {
            String text;
            try {
                text = name.text();
            } catch (ConfigurationException e) {
                name.refuse(e);
                return Profiles.named(Profiles.DEFAULT);
            }
            try {
                return Profiles.named(text);
            } catch (ConfigurationException e) {
                name.refuse(name.error(String.valueOf(e.getMessage())));
            }
        }
        return Profiles.named(Profiles.DEFAULT);
    }

    /** Reads the values whose paths begin with a prefix, empty or with a dot at its end. */
    private void group(String prefix, YamlValue group) {
        Map<String, YamlValue> values = new HashMap<>(group.map()); // which has told of keys that stand in it twice
        for (YamlValue key : group.keys()) {
            String name = key.text();
            YamlValue value = values.get(name);
            if (value == null || (prefix.isEmpty() && (name.equals(BASE) || name.equals(TITLE)))) {
                continue;
            }
            values.remove(name);
            String path = prefix + name;
            try {
                entry(path, key, value);
            } catch (ConfigurationException e) {
                key.refuse(e);
            }
        }
    }

    /** Titles and sources stand in lines of tables and artefacts, blocks of YAML have several and end with one. */
    private static String oneLine(YamlValue text) {
        return text.text().replaceAll("[\\p{C}\\s]+", " ").strip();
    }

    private void entry(String path, YamlValue key, YamlValue value) {
        if (PATHS.contains(path)) {
            if (!seen.add(path)) {
                throw key.error("'" + path + "' stands here twice");
            }
            set(path, value);
        } else if (PATHS.stream().anyMatch(p -> p.startsWith(path + "."))) {
            group(path + ".", value);
        } else {
            TreeSet<String> known = new TreeSet<>(PATHS);
            known.addAll(List.of(BASE, TITLE));
            throw key.unknown("parameter", path, known);
        }
    }

    private void set(String path, YamlValue value) {
        Map<String, YamlValue> about = value.isMapping() ? value.map(ABOUT_VALUE) : Map.of("value", value);
        YamlValue number = about.get("value");
        if (number == null) {
            throw value.error("'value' is missing");
        }
        YamlValue source = about.get("source");
        YamlValue confidence = about.get("confidence");
        boolean known = confidence != null && CONFIDENCES.contains(confidence.text());
        if (confidence != null && !known) {
            confidence.refuse(confidence.error("confidence '" + confidence.text() + "': allowed is A, B, C"));
        }
        String text = number.text();
        String place = number.place();
        try {
            profile = profile.with(
                    path,
                    text,
                    source == null ? place.substring(0, place.length() - 2) : oneLine(source),
                    confidence != null && known ? confidence.text().charAt(0) : 'C');
        } catch (ConfigurationException e) {
            throw number.error(String.valueOf(e.getMessage()));
        }
    }
}
