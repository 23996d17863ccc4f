package dev.clockwire.bench.config.model;

/** A line that no format knows. */
public record Unknown(String file, int line, String text) {}
