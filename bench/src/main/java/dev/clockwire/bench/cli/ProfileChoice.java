package dev.clockwire.bench.cli;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import java.util.List;

/** Turns {@code --profile} and {@code -P} into a profile. */
final class ProfileChoice {
    private ProfileChoice() {}

    /** Returns the profile of a name with overrides; an unknown name, path or value is exit code 3. */
    static Profile of(String name, List<ProfileOverride> overrides) {
        return of(Profiles.named(name), overrides);
    }

    /** Returns a profile with overrides. */
    static Profile of(Profile base, List<ProfileOverride> overrides) {
        Profile profile = base;
        for (ProfileOverride change : overrides) {
            profile = change.on(profile);
        }
        return profile;
    }

    /** Returns the profile that the common options name. */
    static Profile of(RunOptions run) {
        return of(run.profile(), run.overrides());
    }
}
