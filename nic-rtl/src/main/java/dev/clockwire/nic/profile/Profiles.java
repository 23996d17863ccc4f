package dev.clockwire.nic.profile;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The built-in profiles. */
public final class Profiles {
    /** The profile used where none is named. */
    public static final String DEFAULT = "cx7-400g";

    private static final List<Profile> ALL = List.of(
            ArticleProfiles.first(),
            ArticleProfiles.second(),
            MeasuredProfiles.cx3(),
            MeasuredProfiles.cx4(),
            MeasuredProfiles.cx5(),
            MeasuredProfiles.cx6(),
            ConnectXProfiles.cx7(),
            MeasuredProfiles.spark());

    private Profiles() {}

    /** Returns all built-in profiles. */
    public static List<Profile> all() {
        return ALL;
    }

    /**
     * Returns a profile by name.
     *
     * @throws ConfigurationException naming the nearest profile if there is none
     */
    public static Profile named(@Nullable String name) {
        if (name == null) {
            throw new ConfigurationException("the profile's name is null");
        }
        for (Profile p : ALL) {
            if (p.name().equals(name)) {
                return p;
            }
        }
        throw new ConfigurationException("unknown profile '" + name + "'"
                + Nearest.hint(name, ALL.stream().map(Profile::name).toList()));
    }
}
