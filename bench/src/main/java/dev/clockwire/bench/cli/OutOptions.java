package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.RunFiles;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a run leaves its files, and which waves are among them. */
final class OutOptions {
    @Option(names = "--out", paramLabel = "DIR", description = "Leave statistics, captures and timelines there.")
    private @Nullable Path out;

    @Option(
            names = "--waves",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "SCOPE[@FROM..TO]",
            converter = Waves.Converter.class,
            description =
                    "With --out: also waves.vcd, of a part of the hierarchy and of the time (for example 1us..2us).")
    private @Nullable Waves waves;

    OutOptions() {}

    /** Refuses what has no meaning: exit code 2. */
    void check() {
        if (waves != null && out == null) {
            throw CliException.usage("--waves needs --out DIR");
        }
    }

    Optional<Path> out() {
        return Optional.ofNullable(out);
    }

    Optional<Waves> waves() {
        return Optional.ofNullable(waves);
    }

    /** Returns which waves are wanted, as the writer of files wants it; null for none. */
    RunFiles.@Nullable WaveChoice waveChoice() {
        Waves w = waves;
        return w == null ? null : new RunFiles.WaveChoice(w.scope(), w.fromPs(), w.toPs());
    }
}
