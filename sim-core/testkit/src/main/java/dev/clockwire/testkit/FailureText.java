package dev.clockwire.testkit;

import dev.clockwire.sim.error.SimException;
import java.nio.file.Path;
import java.util.List;

/** What a stranger needs to act on a failure, a line each with its name in front. */
final class FailureText {
    private static final int EVENTS = 8;
    private static final int WAITERS = 12;

    private final StringBuilder text = new StringBuilder();
    private final SimRun run;

    private FailureText(SimRun run) {
        this.run = run;
    }

    /** Returns the text: what was thrown, and everything around it. */
    static String of(Throwable thrown, SimRun run, List<String> files) {
        FailureText t = new FailureText(run);
        t.head(thrown);
        String path = path(thrown);
        run.watched().forEach(w -> t.simulation(w, path));
        for (SimRun.Section section : run.sections()) {
            List<SimEvent> all = section.events().get();
            t.lines("last " + section.title(), all.subList(Math.max(0, all.size() - EVENTS), all.size()));
        }
        t.line("kernel", run.kernel());
        return t.end(files);
    }

    /** Returns the text of a failure that another kernel has told of. */
    static String again(Throwable thrown, SimRun run, List<String> files, String other) {
        FailureText t = new FailureText(run);
        t.head(thrown);
        t.line("kernel", run.kernel() + ": fails as in the " + other + " kernel");
        return t.end(files);
    }

    private void head(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage()).strip();
        text.append(
                thrown instanceof AssertionError ? message : thrown.getClass().getName() + ": " + message);
        text.append('\n');
    }

    private String end(List<String> files) {
        Path root = Repeat.root(Repeat.module());
        line("seed", run.seeds());
        line("repeat", run.command());
        line("in", root.toString());
        if (!files.isEmpty()) {
            line("kept", root.relativize(run.folder()) + ": " + String.join(", ", files));
        }
        return text.toString();
    }

    /** Returns the part of the design that an error names, empty if it names none. */
    static String path(Throwable thrown) {
        String own =
                thrown instanceof SimException e ? e.module() : thrown instanceof ModelAssertionError e ? e.path() : "";
        Throwable cause = thrown.getCause();
        return own.isEmpty() && cause != null ? path(cause) : own;
    }

    private void simulation(Watched watched, String path) {
        line("when", watched.now(path));
        if (watched.isAtLimit()) {
            line(
                    "limit",
                    run.maxCycles() + " cycles: maxCycles of @SimTest, if the run is only long and does not hang");
        }
        if (!path.isEmpty()) {
            line("where", path);
        }
        Watched.Events last = watched.last(path, EVENTS);
        lines("last in " + (last.part().isEmpty() ? "all channels" : "the channels of " + last.part()), last.list());
        String waiting = watched.sim.waiting();
        if (waiting != null) {
            List<String> all =
                    waiting.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
            lines("waiting now", all.subList(0, Math.min(WAITERS, all.size())));
        }
    }

    private void line(String name, String value) {
        text.append(String.format("%n  %-7s %s", name, value));
    }

    /** Several lines under one name; nothing if there are none. */
    private void lines(String name, List<?> values) {
        if (!values.isEmpty()) {
            text.append("\n  ").append(name);
            values.forEach(v -> text.append("\n    ").append(v));
        }
    }
}
