package dev.clockwire.bench.artefact;

import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.export.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Where a run's files come from: who has the same of all this gets the same files.
 *
 * @param version of this program
 * @param git the commit that it was built from, empty if that is not known
 * @param command that makes the trace again
 * @param profile name of the hardware, or of what stands for it
 * @param hardware with all that was laid over it, null if no such hardware is simulated
 * @param seed root of random streams
 */
public record Provenance(
        String version,
        String git,
        String command,
        String profile,
        @Nullable Profile hardware,
        long seed) {

    /** Returns it in one line, for files that have room for a remark. */
    public String line() {
        String built = git.isEmpty() ? "" : " (" + git + ")";
        String hash = hardware == null ? "" : " " + hardware.hash();
        return "Clockwire " + version + built + ", profile " + profile + hash + ", seed " + seed + ": " + command;
    }

    /** Writes its fields. What was laid over the profile is told where it differs from the profile's own value. */
    void write(JsonWriter json) {
        json.field("version", version);
        if (!git.isEmpty()) {
            json.field("git", git);
        }
        json.field("command", command).field("profile", profile);
        if (hardware != null) {
            json.field("profile_hash", hardware.hash());
        }
        json.field("seed", seed);
        if (hardware != null) {
            overrides(hardware, json);
        }
    }

    private static void overrides(Profile hardware, JsonWriter json) {
        Profile own = Profiles.named(hardware.name());
        json.name("overrides").beginArray();
        for (String path : hardware.replaced()) {
            if (hardware.differs(own, path)) {
                json.beginObject()
                        .field("path", path)
                        .field("value", hardware.text(path))
                        .field("own", own.text(path))
                        .field("unit", Parameters.byPath(path).unit())
                        .field("source", hardware.setting(path).source())
                        .endObject();
            }
        }
        json.endArray();
    }
}
