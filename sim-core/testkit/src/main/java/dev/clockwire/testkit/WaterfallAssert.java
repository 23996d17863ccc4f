package dev.clockwire.testkit;

import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.trace.Waterfall;
import java.util.List;

/** Where the time of one operation went. */
public final class WaterfallAssert extends ModelAssert<WaterfallAssert, Waterfall> {
    WaterfallAssert(Waterfall actual) {
        super(actual, WaterfallAssert.class, "");
    }

    /** Says through which stages the critical path goes, in this order; others may lie between them. */
    public WaterfallAssert passes(String... stages) {
        List<String> path = actual.rows().stream().map(Waterfall.Row::stage).toList();
        int at = 0;
        for (String stage : stages) {
            int found = path.subList(at, path.size()).indexOf(stage);
            if (found < 0) {
                String behind = at == 0 ? "" : " behind " + path.get(at - 1);
                throw error("the operation does not pass " + stage + behind + Nearest.hint(stage, path) + table());
            }
            at += found + 1;
        }
        return this;
    }

    /** Says that each instant from post to completion belongs to a stage: of a path along a chain of stages, which has no gaps between them. */
    public WaterfallAssert isComplete() {
        long gaps = actual.perStage().getOrDefault(Waterfall.UNACCOUNTED, 0L);
        long sum =
                actual.perStage().values().stream().mapToLong(Long::longValue).sum();
        if (gaps != 0 || sum != actual.totalPs()) {
            throw error("stages cover " + (sum - gaps) + " of " + actual.totalPs() + " ps" + table());
        }
        return this;
    }

    /** Says how long the operation took, in ps, both ends included. */
    public WaterfallAssert lastsBetween(long leastPs, long mostPs) {
        within("the operation" + table() + "\n  its duration", actual.totalPs(), leastPs, mostPs, "ps");
        return this;
    }

    /** Says how long the operation spent in a stage, in ps, both ends included; 0 in one that it did not pass. */
    public WaterfallAssert spendsBetween(String stage, long leastPs, long mostPs) {
        long ps = actual.perStage().getOrDefault(stage, 0L);
        within("the operation" + table() + "\n  its time in " + stage, ps, leastPs, mostPs, "ps");
        return this;
    }

    private String table() {
        StringBuilder text = new StringBuilder();
        for (Waterfall.Row row : actual.rows()) {
            text.append(String.format(
                    "%n  %16s  %-18s %12d ps%s",
                    SimEvent.ns(row.startPs()),
                    row.stage(),
                    row.durationPs(),
                    row.waitPs() == 0 ? "" : ", " + row.waitPs() + " of them waiting for " + row.waitFor()));
        }
        return text.toString();
    }
}
