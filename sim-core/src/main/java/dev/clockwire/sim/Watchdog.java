package dev.clockwire.sim;

import dev.clockwire.sim.error.InvariantViolation;
import org.jspecify.annotations.Nullable;

/** Stops a run in which words wait but none has moved and no event was handled for a long simulated time. */
final class Watchdog {
    private final Sim sim;
    private final long patience;
    private long nextLook;
    private long progress = -1;
    private long progressAt;
    /** At the last look nothing had moved, and nobody waited. */
    private boolean calm;

    Watchdog(Sim sim) {
        this.sim = sim;
        patience = sim.spec().watchdogPs();
        reset();
    }

    void reset() {
        progress = -1;
        progressAt = sim.now;
        calm = false;
        nextLook = patience == 0 ? Long.MAX_VALUE : sim.now + patience;
    }

    /** Returns the time of the next look. */
    long next() {
        return nextLook;
    }

    /** Whether a simulation in which nothing is pending may go to its end at once. */
    boolean satisfied() {
        return calm || patience == 0;
    }

    /** Compares with the last look, if it is time. */
    void look() {
        if (sim.now < nextLook) {
            return;
        }
        long moved = sim.events();
        for (Link l : sim.design.links) {
            moved += l.moves();
        }
        String table = moved == progress ? table() : null;
        if (table != null) {
            throw new InvariantViolation(
                    "", sim.now, "no progress since " + Ends.ns(progressAt) + ". Who waits for whom:" + table);
        }
        calm = moved == progress;
        progress = moved;
        progressAt = sim.now;
        nextLook = sim.now + patience;
    }

    /** Returns the wait-for table, null if nobody waits. */
    @Nullable
    String table() {
        StringBuilder lines = new StringBuilder();
        for (Link l : sim.design.links) {
            append(lines, l.waiting());
        }
        for (SimNode n : sim.design.nodes) {
            String what = n.waitsFor();
            append(lines, what == null ? null : n.path() + " waits for " + what);
        }
        return lines.isEmpty() ? null : lines.toString();
    }

    private static void append(StringBuilder lines, @Nullable String line) {
        if (line != null) {
            lines.append("\n  ").append(line);
        }
    }
}
