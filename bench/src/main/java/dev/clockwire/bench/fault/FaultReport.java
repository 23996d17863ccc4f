package dev.clockwire.bench.fault;

import dev.clockwire.nic.lab.FaultCount;
import java.util.List;

/**
 * What became of one rule of a fault plan.
 *
 * @param name of the rule: its number in the file if it has none
 * @param action as in a fault file
 * @param hits how often it struck
 */
public record FaultReport(String name, String action, long hits) {
    /** Returns the reports of a run's rules. */
    public static List<FaultReport> of(List<FaultCount> counts) {
        return counts.stream()
                .map(c -> new FaultReport(c.rule().name(), c.action(), c.hits()))
                .toList();
    }

    /** Returns the line that people read. */
    public String line() {
        return FaultCount.line(name, action, hits);
    }
}
