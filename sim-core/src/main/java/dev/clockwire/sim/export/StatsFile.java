package dev.clockwire.sim.export;

import dev.clockwire.sim.stats.Counter;
import dev.clockwire.sim.stats.Gauge;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.sim.stats.Reading;
import dev.clockwire.sim.stats.Stat;
import dev.clockwire.sim.stats.StatRegistry;

/** Writes all statistics of a registry, each with its name, kind, unit and description, in name order. */
public final class StatsFile {
    private StatsFile() {}

    /** Writes an array of objects as the next value of a JSON document. */
    public static void json(StatRegistry stats, long ps, JsonWriter out) {
        out.beginArray();
        for (Stat s : stats.all()) {
            out.beginObject();
            out.field("name", s.name());
            out.field("kind", s.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT));
            out.field("unit", s.unit()).field("description", s.description());
            values(s, ps, out);
            out.endObject();
        }
        out.endArray();
    }

    /** Writes a header and one row for each statistic; of a distribution or level the mean is the value. */
    public static void csv(StatRegistry stats, long ps, Appendable out) {
        CsvWriter csv = new CsvWriter(out, "name", "value", "unit", "description");
        for (Stat s : stats.all()) {
            csv.cell(s.name());
            if (s instanceof Counter c) {
                csv.cell(c.value());
            } else if (s instanceof Reading r) {
                csv.cell(r.value());
            } else if (s instanceof Gauge g) {
                csv.cell(g.mean(ps));
            } else if (s instanceof Histogram h) {
                csv.cell(h.mean());
            }
            csv.cell(s.unit()).cell(s.description()).endRow();
        }
    }

    private static void values(Stat s, long ps, JsonWriter out) {
        if (s instanceof Counter c) {
            out.field("value", c.value());
        } else if (s instanceof Reading r) {
            out.field("value", r.value());
        } else if (s instanceof Gauge g) {
            out.field("value", g.value()).field("mean", g.mean(ps));
            out.field("min", g.min()).field("max", g.max());
        } else if (s instanceof Histogram h) {
            out.field("count", h.count()).field("min", h.min()).field("max", h.max());
            out.field("mean", h.mean()).field("stdev", h.stdev());
            out.field("p50", h.percentile(50)).field("p99", h.percentile(99)).field("p999", h.percentile(99.9));
        }
    }
}
