package dev.clockwire.bench.diagnose;

/**
 * A likely cause.
 *
 * @param rule name of the rule that says so
 * @param cause what is wrong
 * @param evidence the counters that say so, with their values
 * @param cure what an operator changes
 */
public record Finding(String rule, String cause, String evidence, String cure) {}
