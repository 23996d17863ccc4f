package dev.clockwire.nic.profile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** An immutable, complete set of hardware parameters under a name. */
public final class Profile {
    private static final String OVERRIDE = "override";
    private static final int HASH_BYTES = 8;

    private final String name;
    private final String title;
    private final NavigableMap<String, Setting> settings;
    private final NavigableSet<String> replaced;

    Profile(String name, String title, NavigableMap<String, Setting> settings) {
        this(name, title, settings, new TreeSet<>());
    }

    private Profile(String name, String title, NavigableMap<String, Setting> settings, NavigableSet<String> replaced) {
        this.name = name;
        this.title = title;
        this.settings = Collections.unmodifiableNavigableMap(new TreeMap<>(settings));
        this.replaced = replaced;
    }

    /** Returns the name, such as {@code cx7-400g}. */
    public String name() {
        return name;
    }

    /** Returns one line that says what hardware this is. */
    public String title() {
        return title;
    }

    /** Returns every parameter's setting, by path in alphabetical order. */
    public NavigableMap<String, Setting> settings() {
        return settings;
    }

    /**
     * Returns this profile with one value replaced.
     *
     * @param path the parameter's path
     * @param value its new text
     * @throws ConfigurationException if the path is unknown (naming the nearest one) or the value out of range
     */
    public Profile with(String path, String value) {
        return with(path, value, OVERRIDE, 'C');
    }

    /**
     * Returns this profile with one value replaced.
     *
     * @param path the parameter's path
     * @param value its new text
     * @param source where it comes from
     * @param confidence see {@link Setting}
     * @throws ConfigurationException if the path is unknown (naming the nearest one) or the value out of range
     */
    public Profile with(String path, String value, String source, char confidence) {
        String checked = Parameters.byPath(path).check(value);
        NavigableMap<String, Setting> copy = new TreeMap<>(settings);
        copy.put(path, new Setting(checked, source, confidence));
        NavigableSet<String> paths = new TreeSet<>(replaced);
        paths.add(path);
        return new Profile(name, title, copy, paths);
    }

    /** Returns this profile under another title. */
    public Profile titled(String other) {
        return new Profile(name, other, settings, replaced);
    }

    /** Returns the paths whose values were replaced, in alphabetical order. */
    public NavigableSet<String> replaced() {
        return Collections.unmodifiableNavigableSet(replaced);
    }

    /**
     * Returns a digest of all values, 16 hexadecimal digits: the same for the same hardware, whatever its name and title, and whether a value
     * is built in, stands in a file or was typed. A parameter that is new to the catalogue changes it.
     */
    public String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            settings.forEach((path, setting) -> digest.update(
                    (path + '=' + Parameters.byPath(path).canonical(setting.value()) + '\n').getBytes(UTF_8)));
            return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new InvariantViolation("every Java has SHA-256: " + e.getMessage());
        }
    }

    /** Returns whether a value differs from another profile's, as a value: 1.0 is 1. */
    public boolean differs(Profile other, String path) {
        Param param = Parameters.byPath(path);
        return !param.canonical(text(path)).equals(param.canonical(other.text(path)));
    }

    /** Returns the name and whatever was replaced. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        replaced.forEach(path -> text.append(" -P ").append(path).append('=').append(text(path)));
        return text.toString();
    }

    /** Returns an integer parameter. */
    public int integer(String path) {
        return (int) wholeNumber(path);
    }

    /** Returns an integer parameter that may exceed 31 bits. */
    public long wholeNumber(String path) {
        return Long.parseLong(text(path));
    }

    /** Returns a number parameter. */
    public double number(String path) {
        return Double.parseDouble(text(path));
    }

    /** Returns a duration parameter given in nanoseconds, in picoseconds. */
    public long picoseconds(String path) {
        return Math.round(number(path) * 1000);
    }

    /**
     * Makes a part of the hardware out of values that bound each other, so that a refusal names them as they are typed.
     *
     * @param paths the parameters that the part is made from
     * @throws ConfigurationException if the part refuses the values
     */
    public <T> T together(Supplier<T> part, String... paths) {
        try {
            return part.get();
        } catch (ConfigurationException e) {
            StringJoiner values = new StringJoiner(" ");
            for (String path : paths) {
                values.add(path + "=" + text(path));
            }
            ConfigurationException named = new ConfigurationException(values + ": " + e.getMessage());
            named.initCause(e);
            throw named;
        }
    }

    /** Returns a switch. */
    public boolean flag(String path) {
        return Boolean.parseBoolean(text(path));
    }

    /** Returns the text of any parameter. */
    public String text(String path) {
        return setting(path).value();
    }

    /** Returns the value of a parameter and where it comes from. */
    public Setting setting(String path) {
        Setting setting = settings.get(path);
        if (setting == null) {
            throw new ConfigurationException("profile " + name + " has no value for "
                    + Parameters.byPath(path).path());
        }
        return setting;
    }
}
