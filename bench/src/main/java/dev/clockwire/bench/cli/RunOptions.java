package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.WaveChoice;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.RunPart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** The options that every simulating command has. */
public final class RunOptions {
    @Mixin
    private HardwareOptions hardware = new HardwareOptions();

    @Mixin
    private ImportedConfig config = new ImportedConfig();

    @Mixin
    private OutOptions files = new OutOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    /** Created by picocli. */
    public RunOptions() {}

    /** Returns the name of the profile as typed. */
    public String profile() {
        return hardware.profile();
    }

    /** Returns the overrides, first those of imported lines, then those typed in their order; a later one of the same path wins. */
    public List<ProfileOverride> overrides() {
        List<ProfileOverride> all = new ArrayList<>(config.overrides(profile(), hardware.overrides()));
        all.addAll(hardware.overrides());
        return List.copyOf(all);
    }

    /**
     * Says which imported lines do nothing or something else than they look like, and which settings can change nothing.
     *
     * @param idle what is known of options
     * @param used the hardware of the run
     * @param parts of the run
     */
    void complain(Console console, Idle idle, Profile used, Set<RunPart> parts) {
        config.complain(console, profile(), hardware.overrides());
        idle.parameters(overrides(), Profiles.named(profile()), used, parts).tell(console);
    }

    /** Returns the root seed. */
    public long seed() {
        return hardware.seed();
    }

    /** Returns the directory of {@code --out}. */
    public Optional<Path> out() {
        return files.out();
    }

    /** Returns which waves are wanted. */
    public Optional<Waves> waves() {
        return files.waves();
    }

    /** Returns whether anything is asked for that only runs with files have. */
    boolean isFileAsked() {
        return files.isAsked();
    }

    /** Refuses what has no meaning: exit code 2. */
    void check() {
        files.check();
    }

    /** Returns the overrides as options, each with a blank in front. */
    String overridesText() {
        StringBuilder text = new StringBuilder();
        overrides()
                .forEach(o -> text.append(" -P ").append(o.path()).append('=').append(o.value()));
        return text.toString();
    }

    /** Returns which waves are wanted, as the writer of files wants it; null for none. */
    @Nullable
    WaveChoice waveChoice() {
        return files.waveChoice();
    }

    /** Returns whether the user wants JSON. */
    public boolean json() {
        return json.wanted();
    }
}
