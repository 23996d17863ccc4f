package dev.clockwire.bench.diagnose;

import org.jspecify.annotations.Nullable;

/**
 * One cause, and how counters betray it.
 *
 * @param name for scripts
 * @param cause what is wrong
 * @param cure what an operator changes
 * @param last says nothing if a rule before it has found something
 * @param evidence looks for it
 */
record Rule(String name, String cause, String cure, boolean last, Evidence evidence) {
    /** Looks for one cause. */
    @FunctionalInterface
    interface Evidence {
        /** Returns the counters that say so, with their values, null if they do not. */
        @Nullable
        String in(Counters all);
    }

    /** Creates a rule that speaks whatever others say. */
    static Rule of(String name, String cause, String cure, Evidence evidence) {
        return new Rule(name, cause, cure, false, evidence);
    }

    /** Creates a rule for what no other one explains. */
    static Rule otherwise(String name, String cause, String cure, Evidence evidence) {
        return new Rule(name, cause, cure, true, evidence);
    }
}
