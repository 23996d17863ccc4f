package dev.clockwire.bench.config.model;

/**
 * A line that was understood.
 *
 * @param format of the line
 * @param effect what it does, in words
 */
public record Recognised(String file, int line, String text, String format, String effect) {}
