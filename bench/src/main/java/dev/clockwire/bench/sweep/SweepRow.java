package dev.clockwire.bench.sweep;

import java.util.List;

/**
 * One run of a sweep.
 *
 * @param number from 1, its place in the results
 * @param point index of its point in the plan, from 1: rows of one point differ in their seeds only
 * @param repetition from 1
 * @param seed derived from the plan's seed and the row's number
 * @param arguments the command line, without {@code clockwire}
 */
public record SweepRow(int number, int point, int repetition, String seed, List<String> arguments) {
    public SweepRow {
        arguments = List.copyOf(arguments);
    }
}
