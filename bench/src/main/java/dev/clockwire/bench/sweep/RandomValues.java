package dev.clockwire.bench.sweep;

import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Draws the values of a random variable, from a stream that its name has to itself: another variable moves none of them. */
final class RandomValues {
    private static final String UNIFORM = "uniform";
    private static final String LOG_UNIFORM = "log_uniform";
    private static final String INTEGER = "integer";
    static final String CHOICE = "choice";
    private static final double STEP = 0x1.0p-53;
    private static final double MOST = 1e15;

    private static final Kind BOUNDS = Kind.two(Kind.number(-MOST, MOST));
    /** What describes a variable. */
    static final Shape SHAPE = Shape.of()
            .key(UNIFORM, BOUNDS, "from, to: evenly between them")
            .key(LOG_UNIFORM, Kind.two(Kind.number(1 / MOST, MOST)), "from, to: evenly between their logarithms")
            .key(INTEGER, BOUNDS, "from, to: whole numbers, both included")
            .key(CHOICE, Kind.list(Kind.text()), "one of these")
            .one(List.of(UNIFORM, LOG_UNIFORM, INTEGER, CHOICE));

    private RandomValues() {}

    /**
     * Draws.
     *
     * @param kind {@code uniform: [from, to]}, {@code log_uniform: [from, to]}, {@code integer: [from, to]} (both included) or {@code choice: [a, b, …]}
     */
    static List<String> draw(YamlValue kind, String name, long seed, int samples) {
        Map<String, YamlValue> entries = kind.entries(SHAPE);
        RandomStream stream = RandomStream.named(seed, "sweep." + name);
        if (entries.size() != 1) {
            kind.refuse(kind.error("'" + name + "' needs one of uniform, log_uniform, integer, choice"));
            return List.of();
        }
        Map.Entry<String, YamlValue> one = entries.entrySet().iterator().next();
        List<String> drawn = new ArrayList<>();
        Draw draw = of(one.getKey(), one.getValue());
        for (int i = 0; i < samples; i++) {
            drawn.add(draw.at((stream.at(i) >>> 11) * STEP));
        }
        return drawn;
    }

    private static Draw of(String kind, YamlValue bounds) {
        List<YamlValue> two = bounds.list();
        if (kind.equals(CHOICE)) {
            if (two.isEmpty()) {
                throw bounds.error("a choice needs values");
            }
            List<String> values = two.stream().map(YamlValue::text).toList();
            return u -> values.get((int) (u * values.size()));
        }
        if (two.size() != 2) {
            throw bounds.error("expected [from, to]");
        }
        boolean whole = kind.equals(INTEGER);
        double from = two.get(0).number();
        double to = two.get(1).number(from, MOST);
        if (whole) {
            if (from != StrictMath.rint(from) || to != StrictMath.rint(to)) {
                bounds.refuse(bounds.error("expected two whole numbers"));
            }
            return u -> Long.toString((long) (from + StrictMath.floor(u * (to - from + 1))));
        }
        return kind.equals(UNIFORM)
                ? u -> Double.toString(from + u * (to - from))
                : u -> Double.toString(Math.min(to, from * StrictMath.exp(u * StrictMath.log(to / from))));
    }

    /** Makes a value of a number from 0 to below 1. */
    private interface Draw {
        String at(double u);
    }
}
