package dev.clockwire.bench.cli;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Runs that keep a ring of waves: if one fails, its files stay, and the user is told where. */
final class LastMoments {
    private final Console console;
    private final OutputDirectory out;

    LastMoments(Console console, OutputDirectory out) {
        this.console = console;
        this.out = out;
    }

    /**
     * Runs. What is thrown is thrown on.
     *
     * @param salvage completes the files of a run that failed, and tells whether there is anything to keep
     */
    <T> T of(BooleanSupplier salvage, Supplier<T> run) throws IOException {
        try {
            return run.get();
        } catch (RuntimeException | AssertionError e) {
            if (salvage.getAsBoolean()) {
                if (e instanceof CancellationException) {
                    out.keepInterrupted();
                } else {
                    out.keepFailed(String.valueOf(e.getMessage()));
                }
                console.note("the waves of the last moments are kept: " + out.place("waves.vcd"));
            }
            throw e;
        }
    }
}
