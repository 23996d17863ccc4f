package dev.clockwire.nic.profile;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Collects the settings of a built-in profile; every value is checked against the catalogue. */
final class ProfileBuilder {
    private final NavigableMap<String, Setting> settings = new TreeMap<>();
    private String source = "";
    private char confidence = 'C';

    /** Starts from another profile's settings. */
    static ProfileBuilder from(Profile base) {
        ProfileBuilder b = new ProfileBuilder();
        b.settings.putAll(base.settings());
        return b;
    }

    /** Says where the values that follow come from. */
    ProfileBuilder source(char howSure, String where) {
        confidence = howSure;
        source = where;
        return this;
    }

    ProfileBuilder set(String path, Object value) {
        settings.put(path, new Setting(Parameters.byPath(path).check(value.toString()), source, confidence));
        return this;
    }

    Profile build(String name, String title) {
        for (Param p : Parameters.all()) {
            if (!settings.containsKey(p.path())) {
                throw new InvariantViolation("profile " + name + " lacks " + p.path());
            }
        }
        return new Profile(name, title, settings);
    }
}
