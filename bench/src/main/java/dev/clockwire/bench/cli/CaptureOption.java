package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.CaptureLimit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How large a capture may become. */
final class CaptureOption {
    @Option(
            names = "--capture-limit",
            paramLabel = "BYTES",
            description = "With --out: the capture ends at this size, such as 1g; 0 = it does not (default: 256m).")
    private @Nullable String limit;

    CaptureOption() {}

    /**
     * Refuses a size that is none, or one of a capture that there will not be: exit code 2.
     *
     * @param captures whether the run leaves a capture
     * @param needs what it needs for that
     */
    void check(boolean captures, String needs) {
        if (limit != null && !captures) {
            throw CliException.usage("--capture-limit needs " + needs);
        }
        bytes();
    }

    /** Returns the bytes of a capture, 0 for any number. */
    long bytes() {
        String typed = limit;
        return typed == null ? CaptureLimit.USUAL : Capacity.parse("--capture-limit", typed, 0, 1L << 50);
    }
}
