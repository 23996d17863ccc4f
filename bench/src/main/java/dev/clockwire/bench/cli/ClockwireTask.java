package dev.clockwire.bench.cli;

import java.util.concurrent.Callable;

/**
 * Base of every command: one class per command, named after it. A command leaves its output in the console and returns
 * {@link ExitCode#OK}, {@link ExitCode#CHECK_FAILED} or {@link ExitCode#INTERRUPTED}; for everything else it throws.
 */
public abstract class ClockwireTask implements Callable<Integer> {
    private final Console console;

    /** Creates the command over the console that it prints to. */
    protected ClockwireTask(Console console) {
        this.console = console;
    }

    /** Returns where this command prints. */
    protected final Console console() {
        return console;
    }

    /**
     * Does the work.
     *
     * @return {@link ExitCode#OK}, {@link ExitCode#CHECK_FAILED} if a check failed, or {@link ExitCode#INTERRUPTED} if the
     *     command ended early because {@link Interrupt#requested()} said so
     */
    @Override
    public abstract Integer call() throws Exception;
}
