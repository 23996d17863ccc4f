package dev.clockwire.bench.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Rows of a comparison as SVG: latency alone over the size, and for each size throughput over the number of clients; writes at the left, reads at the right. */
public final class ComparePlot {
    private static final int WIDTH = 380;
    private static final int HEIGHT = 240;
    private static final int LEFT = 70;
    private static final int TOP = 50;
    private static final int GAP_X = 80;
    private static final int GAP_Y = 64;
    private static final int LEGEND = 160;
    private static final int KIB = 1024;
    private static final List<String> OPS = List.of("write", "read");
    private static final List<String> COLOURS =
            List.of("#4477aa", "#66ccee", "#228833", "#ee6677", "#ccbb44", "#aa3377", "#777777");

    private final List<Point> rows;
    private final List<String> systems;
    private final StringBuilder out = new StringBuilder();

    /**
     * What the picture shows of a row.
     *
     * @param system its name
     * @param op write or read
     * @param size bytes
     * @param aloneUs median latency of one client
     * @param clients how many load it together
     * @param gbps of all of them
     */
    public record Point(String system, String op, int size, double aloneUs, int clients, double gbps) {}

    private ComparePlot(List<Point> rows) {
        this.rows = rows;
        systems = rows.stream().map(Point::system).distinct().toList();
    }

    /** Returns the picture. */
    public static String svg(List<Point> points) {
        return new ComparePlot(points).draw();
    }

    /** Returns what it shows of rows. */
    public static List<Point> points(List<StorageCompare.Row> rows) {
        return rows.stream()
                .map(r -> new Point(r.system(), r.op(), r.size(), r.aloneUs(), r.clients(), r.gbps()))
                .toList();
    }

    private String draw() {
        List<Integer> sizes = rows.stream().map(Point::size).distinct().sorted().toList();
        boolean several = rows.stream().map(Point::clients).distinct().count() > 1;
        int panels = 1 + (several ? sizes.size() : 0);
        int width = LEFT + 2 * WIDTH + GAP_X + LEGEND;
        int height = TOP + panels * (HEIGHT + GAP_Y);
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">",
                width, height);
        line("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height);
        for (int column = 0; column < OPS.size(); column++) {
            String op = OPS.get(column);
            int left = LEFT + column * (WIDTH + GAP_X);
            panel(
                    op + ", one client: median latency in us over bytes",
                    left,
                    TOP,
                    r -> r.op().equals(op),
                    Point::size,
                    Point::aloneUs);
            for (int i = 0; several && i < sizes.size(); i++) {
                int size = sizes.get(i);
                panel(
                        op + " of " + words(size) + ": Gbit/s over clients",
                        left,
                        TOP + (i + 1) * (HEIGHT + GAP_Y),
                        r -> r.op().equals(op) && r.size() == size,
                        Point::clients,
                        Point::gbps);
            }
        }
        for (int i = 0; i < systems.size(); i++) {
            int x = width - LEGEND + 20;
            int y = TOP + 12 + 18 * i;
            line("<path d=\"M%d %d H%d\" stroke=\"%s\" stroke-width=\"2\"/>", x, y, x + 18, colour(systems.get(i)));
            line("<text x=\"%d\" y=\"%d\">%s</text>", x + 24, y + 4, systems.get(i));
        }
        line("</svg>");
        return out.toString();
    }

    private static String words(int size) {
        return size % (KIB * KIB) == 0
                ? size / KIB / KIB + " MiB"
                : size % KIB == 0 ? size / KIB + " KiB" : size + " B";
    }

    private String colour(String system) {
        return COLOURS.get(systems.indexOf(system) % COLOURS.size());
    }

    private void panel(
            String title,
            int left,
            int top,
            Predicate<Point> which,
            ToDoubleFunction<Point> across,
            ToDoubleFunction<Point> up) {
        Map<String, Map<Double, Double>> series = new TreeMap<>();
        TreeSet<Double> xs = new TreeSet<>();
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (Point r : rows) {
            double y = up.applyAsDouble(r);
            if (which.test(r) && y > 0) {
                double x = across.applyAsDouble(r);
                series.computeIfAbsent(r.system(), k -> new TreeMap<>()).put(x, y);
                xs.add(x);
                least = Math.min(least, y);
                most = Math.max(most, y);
            }
        }
        line("<text x=\"%d\" y=\"%d\" font-size=\"12\">%s</text>", left, top - 8, title);
        line(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333333\"/>",
                left, top, WIDTH, HEIGHT);
        if (xs.isEmpty()) {
            return;
        }
        Axis x = new Axis(left + 16, left + WIDTH - 16, xs.first(), xs.last());
        double low = StrictMath.pow(10, Math.floor(StrictMath.log10(least)));
        double high = StrictMath.pow(10, Math.ceil(StrictMath.log10(most * 1.001)));
        Axis y = new Axis(top + HEIGHT, top, low, high);
        for (double at = low; at <= high * 1.001; at *= 10) {
            line("<path d=\"M%d %.1f H%d\" stroke=\"#dddddd\"/>", left, y.of(at), left + WIDTH);
            line("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", left - 6, y.of(at) + 4, number(at));
        }
        for (double at : xs) {
            line(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x.of(at), top + HEIGHT + 15, xs.last() >= KIB ? words((int) at) : number(at));
        }
        series.forEach((system, points) -> curve(system, points, x, y));
    }

    private void curve(String system, Map<Double, Double> points, Axis x, Axis y) {
        List<String> path = new ArrayList<>();
        points.forEach((a, b) -> path.add(String.format(Locale.ROOT, "%.1f,%.1f", x.of(a), y.of(b))));
        line(
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>",
                colour(system), String.join(" ", path));
        points.forEach((a, b) -> line(
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %s at %s</title></circle>",
                x.of(a), y.of(b), colour(system), system, String.format(Locale.ROOT, "%.4g", b), number(a)));
    }

    private static String number(double value) {
        return value >= 1 ? Long.toString(Math.round(value)) : Double.toString(value);
    }

    private void line(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** A logarithmic axis between two places. */
    private record Axis(double from, double to, double low, double high) {
        double of(double value) {
            if (high <= low) {
                return (from + to) / 2;
            }
            return from + (to - from) * StrictMath.log(value / low) / StrictMath.log(high / low);
        }
    }
}
