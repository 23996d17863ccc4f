package dev.clockwire.testkit.nic.rtl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.export.VcdReader;
import java.util.ArrayList;
import java.util.List;

/**
 * The waves of a block and those of its Verilog twin, compared change by change. Clock edge c is at c periods on our side and at 3 + 2c in
 * every bench, which is in reset before.
 */
final class WavePair {
    private static final long FIRST_EDGE = 3;
    private static final long BENCH_PERIOD = 2;
    private static final int CHANGES = 200;

    private final VcdReader java;
    private final long periodPs;
    private final VcdReader verilog;

    WavePair(String java, long periodPs, String verilog) {
        this.java = VcdReader.parse(java);
        this.periodPs = periodPs;
        this.verilog = VcdReader.parse(verilog);
    }

    /** Holds two signals to the same values in the same cycles, from cycle 0 on; there must be enough changes to say so. */
    void same(String mine, String its) {
        same(mine, its, CHANGES);
    }

    void same(String mine, String its, int changes) {
        List<String> theirs = byCycle(verilog.changes(its), FIRST_EDGE, BENCH_PERIOD);
        assertThat(theirs).as("changes of %s", its).hasSizeGreaterThan(changes);
        assertThat(byCycle(java.changes(mine), 0, periodPs))
                .as("%s here and %s in Verilog", mine, its)
                .isEqualTo(theirs);
    }

    /** Returns "cycle=value"; what was before cycle 0 is the first value. */
    private static List<String> byCycle(List<String> changes, long offset, long period) {
        List<String> all = new ArrayList<>();
        for (String change : changes) {
            int at = change.indexOf('=');
            long cycle = Math.floorDiv(Long.parseLong(change.substring(0, at)) - offset, period);
            String value = change.substring(at);
            if (cycle <= 0) {
                all.clear();
            }
            if (cycle > 0 || all.isEmpty()) {
                all.add(Math.max(0, cycle) + value);
            }
        }
        return all;
    }
}
