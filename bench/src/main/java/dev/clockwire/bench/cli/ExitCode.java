package dev.clockwire.bench.cli;

/** The exit codes that scripts rely on. They never change meaning. */
public final class ExitCode {
    /** The command did what it was asked. */
    public static final int OK = 0;

    /** The command ran to its end and a check in it failed; its output is printed. */
    public static final int CHECK_FAILED = 1;

    /** Unknown or unparsable command, tool or option, or an option value outside its range. */
    public static final int USAGE = 2;

    /** A file, a profile, an override path or an override value. */
    public static final int INPUT = 3;

    /** A law of the simulator was broken: our bug. */
    public static final int INVARIANT = 4;

    /** Stopped by Ctrl-C; what was complete is kept and marked. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
