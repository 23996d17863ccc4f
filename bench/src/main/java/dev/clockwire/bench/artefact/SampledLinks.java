package dev.clockwire.bench.artefact;

import dev.clockwire.sim.Looker;
import dev.clockwire.sim.export.CsvWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Links over the time of a run of unknown length: looked at every so often, and half as often each time there are too many looks. Of a time in which
 * nothing moves only its ends are kept. Times are those of the simulation.
 */
public final class SampledLinks implements Looker {
    /** Looks that are kept at most: a chart has no more pixels. */
    public static final int MOST = 400;
    /** Fewer are, of many links: so many numbers in all. */
    static final int MOST_NUMBERS = 400_000;

    private static final int FEWEST = 50;
    /** So often nothing has moved, until it is looked half as often. */
    private static final int MOST_IDLE = 4_000;

    private static final double PS_PER_US = 1e6;

    private final LinkSeries links;
    private final List<Look> looks = new ArrayList<>();
    private final long atFirstPs;
    private long[] scratch = {};
    private long everyPs;
    private int idle;

    /** What had been counted up to a time. */
    private static final class Look {
        private long ps;
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
        atFirstPs = everyPs;
    }

    /** Returns what is looked at; more may be added during the run: what begins then is looked at as often as at first. */
    public LinkSeries links() {
        return links;
    }

    /** Returns when the next look is due, in ps; the first one is at once. */
    @Override
    public long nextPs() {
        return looks.isEmpty() || hasMore() ? 0 : last(1).ps + everyPs;
    }

    private boolean hasMore() {
        return scratch.length != links.size();
    }

    private Look last(int back) {
        return looks.get(looks.size() - back);
    }

    /** Looks, if that is due. */
    @Override
    public void look(long ps) {
        if (ps >= nextPs()) {
            take(ps);
        }
    }

    /** Looks for the last time. */
    void finish(long ps) {
        if (looks.isEmpty() || ps > last(1).ps) {
            take(ps);
        }
    }

    private void take(long ps) {
        if (looks.isEmpty() && ps > 0) {
            looks.add(new Look(0, new long[0])); // what was before belongs to the run, too
        }
        if (!looks.isEmpty() && last(1).ps == ps) {
            looks.remove(looks.size() - 1);
        }
        if (hasMore()) {
            scratch = new long[links.size()];
            leave(most() / 2);
            everyPs = atFirstPs;
        }
        links.totals(scratch);
        if (nothingMoves()) {
            last(1).ps = ps;
            if (++idle % MOST_IDLE == 0) {
                everyPs *= 2;
            }
            return;
        }
        looks.add(new Look(ps, scratch.clone()));
        leave(most());
    }

    private int most() {
        return Math.max(FEWEST, Math.min(MOST, MOST_NUMBERS / Math.max(1, scratch.length)));
    }

    private void leave(int most) {
        while (looks.size() > most) {
            everyPs *= 2;
            thin();
        }
    }

    /** Leaves out what is nearer than it would be looked now; the ends of a long time in which nothing moved stay. */
    private void thin() {
        int kept = 1;
        for (int i = 1; i < looks.size(); i++) {
            if (i == looks.size() - 1 || looks.get(i + 1).ps - looks.get(kept - 1).ps > everyPs) {
                looks.set(kept++, looks.get(i));
            }
        }
        looks.subList(kept, looks.size()).clear();
    }

    /** The look that tells that something has become idle stays where it is. */
    private boolean nothingMoves() {
        return looks.size() > 2
                && Arrays.equals(scratch, last(1).totals)
                && Arrays.equals(scratch, last(2).totals)
                && Arrays.equals(scratch, last(3).totals);
    }

    /** Returns lines of {@code time_us,object,metric,value} below a heading; the time is that of the end of each stretch. */
    public String csv() {
        StringBuilder out = new StringBuilder();
        CsvWriter csv = new CsvWriter(out, "time_us", "object", "metric", "value");
        for (int i = 1; i < looks.size(); i++) {
            Look before = looks.get(i - 1);
            Look now = looks.get(i);
            long[] first = looks.get(Math.max(0, i - 2)).totals;
            long[] next = looks.get(Math.min(looks.size() - 1, i + 1)).totals;
            String us = String.format(Locale.ROOT, "%.3f", now.ps / PS_PER_US);
            links.differences(
                    new long[][] {first, before.totals, now.totals, next},
                    now.ps - before.ps,
                    (object, metric, value) -> csv.cell(us)
                            .cell(object)
                            .cell(metric)
                            .cell(String.format(Locale.ROOT, "%.6g", value))
                            .endRow());
        }
        return out.toString();
    }
}
