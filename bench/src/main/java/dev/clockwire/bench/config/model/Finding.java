package dev.clockwire.bench.config.model;

/**
 * A line that does not do what it looks like.
 *
 * @param rule fixed name of the rule
 * @param severity {@code error}: something stops working; {@code warning}: not what was meant; {@code note}: no effect here
 * @param where file and line
 * @param number the value that the finding is about
 * @param cure what to write instead
 */
public record Finding(String rule, String severity, String where, long number, String message, String cure) {}
