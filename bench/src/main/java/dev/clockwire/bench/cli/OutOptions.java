package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.WaveChoice;
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

    @Option(names = "--from", paramLabel = "TIME", description = "With --waves: begin there (default: at 0).")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "With --waves: end before it (default: at the end).")
    private @Nullable String to;

    @Option(
            names = "--ring",
            paramLabel = "TIME",
            description = "With --waves: keep the last TIME in which something happened before the end or a failure.")
    private @Nullable String ring;

    OutOptions() {}

    /** Refuses what has no meaning: exit code 2. */
    void check() {
        if (waves != null && out == null) {
            throw CliException.usage("--waves needs --out DIR");
        }
        waveChoice();
    }

    /** Returns whether anything is asked for that only runs with files have. */
    boolean isAsked() {
        return out != null || waves != null || from != null || to != null || ring != null;
    }

    Optional<Path> out() {
        return Optional.ofNullable(out);
    }

    Optional<Waves> waves() {
        return Optional.ofNullable(waves);
    }

    /** Returns which waves are wanted, as the writer of files wants it; null for none. */
    @Nullable
    WaveChoice waveChoice() {
        Waves w = waves;
        String bound = ring != null ? "--ring " + ring : from != null ? "--from " + from : "--to " + to;
        if (w == null) {
            if (ring != null || from != null || to != null) {
                throw CliException.usage(bound + " chooses a part of the waves: it needs --waves");
            }
            return null;
        }
        if (!w.isWhole() && (ring != null || from != null || to != null)) {
            throw CliException.usage(bound + " cannot stand beside --waves " + w.text() + ", which has a window");
        }
        if (ring != null) {
            return ring(w, ring);
        }
        long fromPs = from == null ? w.fromPs() : TimeText.toPs("--from", from);
        long toPs = to == null ? w.toPs() : TimeText.toPs("--to", to);
        if (fromPs >= toPs) {
            throw CliException.usage(
                    to == null
                            ? "--from " + from + " leaves no time"
                            : (from == null ? "" : "--from " + from + " ") + "--to " + to
                                    + ": the window ends before it begins");
        }
        return new WaveChoice(w.scope(), fromPs, toPs, 0);
    }

    private WaveChoice ring(Waves w, String last) {
        if (from != null || to != null) {
            String window = from != null ? "--from " + from : "--to " + to;
            throw CliException.usage(
                    "--ring " + last + " cannot stand beside " + window + ": a ring ends where the run does");
        }
        long ps = TimeText.toPs("--ring", last);
        if (ps < 1) {
            throw CliException.usage("--ring " + last + " is outside its range 1ps to 9223372s");
        }
        return new WaveChoice(w.scope(), 0, Long.MAX_VALUE, ps);
    }
}
