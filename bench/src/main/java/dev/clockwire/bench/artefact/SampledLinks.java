package dev.clockwire.bench.artefact;

import dev.clockwire.sim.export.CsvWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Links over the time of a run of unknown length: looked at every so often, and half as often each time there are too many looks. Times are
 * those of the simulation.
 */
public final class SampledLinks {
    /** Looks that are kept at most: a chart has no more pixels. */
    public static final int MOST = 400;

    private static final double PS_PER_US = 1e6;

    private final LinkSeries links;
    private final List<Look> looks = new ArrayList<>();
    private long everyPs;

    /** What had been counted up to a time. */
    private static final class Look {
        private final long ps;
        private final long[] totals;

        Look(long ps, long[] totals) {
            this.ps = ps;
            this.totals = totals;
        }
    }

    /**
     * Prepares.
     *
     * @param everyPs time between looks as long as these are few
     */
    public SampledLinks(LinkSeries links, long everyPs) {
        this.links = links;
        this.everyPs = everyPs;
    }

    /** Returns when the next look is due, in ps; the first one is at once. */
    public long nextPs() {
        return looks.isEmpty() ? 0 : looks.get(looks.size() - 1).ps + everyPs;
    }

    /** Looks, if that is due. */
    public void look(long ps) {
        if (ps < nextPs()) {
            return;
        }
        looks.add(new Look(ps, links.totals()));
        if (looks.size() > MOST) {
            everyPs *= 2;
            for (int i = looks.size() - 2; i > 0; i -= 2) {
                looks.remove(i);
            }
        }
    }

    /** Returns lines of {@code time_us,object,metric,value} below a heading; the time is that of the end of each stretch. */
    public String csv() {
        StringBuilder out = new StringBuilder();
        CsvWriter csv = new CsvWriter(out, "time_us", "object", "metric", "value");
        for (int i = 1; i < looks.size(); i++) {
            Look first = looks.get(Math.max(0, i - 2));
            Look before = looks.get(i - 1);
            Look now = looks.get(i);
            links.differences(
                    first.totals,
                    before.totals,
                    now.totals,
                    now.ps - before.ps,
                    (object, metric, value) -> csv.cell(String.format(Locale.ROOT, "%.3f", now.ps / PS_PER_US))
                            .cell(object)
                            .cell(metric)
                            .cell(String.format(Locale.ROOT, "%.6g", value))
                            .endRow());
        }
        return out.toString();
    }
}
