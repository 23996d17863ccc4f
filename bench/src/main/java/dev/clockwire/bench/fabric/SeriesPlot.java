package dev.clockwire.bench.fabric;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Rate and queue over time as SVG: a panel for what flows get, one for what waits. At most eight lines each: those with the largest means. */
public final class SeriesPlot {
    private static final int WIDTH = 720;
    private static final int PANEL = 220;
    private static final int LEFT = 70;
    private static final int TOP = 44;
    private static final int GAP = 56;
    private static final int LEGEND = 150;
    private static final int MOST_LINES = 8;
    private static final int MOST_POINTS = 600;
    private static final int TICKS = 5;
    private static final double KB = 1000;
    private static final List<String> COLOURS =
            List.of("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#777777", "#222222");

    private final StringBuilder out = new StringBuilder();
    private final List<Series.Sample> samples;
    private final double lastUs;

    private SeriesPlot(List<Series.Sample> samples) {
        this.samples = samples;
        lastUs = Math.max(
                1e-3, samples.stream().mapToDouble(Series.Sample::us).max().orElse(1));
    }

    /** Returns the picture. */
    public static String svg(String title, Series series) {
        return new SeriesPlot(series.samples()).draw(title);
    }

    private String draw(String title) {
        int height = TOP + 2 * PANEL + 2 * GAP;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">",
                LEFT + WIDTH + LEGEND, height);
        line("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", LEFT + WIDTH + LEGEND, height);
        line("<text x=\"%d\" y=\"16\" font-size=\"13\">%s</text>", LEFT, escape(title));
        panel("goodput_gbps", "goodput in Gb/s", 1, TOP);
        panel("queue_bytes", "queue in kB", 1 / KB, TOP + PANEL + GAP);
        line("<text x=\"%d\" y=\"%d\">time in us</text>", LEFT + WIDTH / 2 - 30, height - 10);
        line("</svg>");
        return out.toString();
    }

    private void panel(String metric, String label, double scale, int top) {
        Map<String, List<double[]>> lines = largest(collect(metric, scale));
        double most = 1e-9;
        for (List<double[]> points : lines.values()) {
            for (double[] p : points) {
                most = Math.max(most, p[1]);
            }
        }
        double full = round(most);
        line(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333333\"/>",
                LEFT, top, WIDTH, PANEL);
        line("<text x=\"%d\" y=\"%d\">%s</text>", LEFT + 4, top - 4, label);
        for (int i = 0; i <= TICKS; i++) {
            double y = top + PANEL - PANEL * i / (double) TICKS;
            line("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 6, y + 4, number(full * i / TICKS));
        }
        double step = round(lastUs / TICKS);
        for (int i = 0; i * step <= lastUs; i++) {
            line(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    LEFT + WIDTH * i * step / lastUs, top + PANEL + 14, number(i * step));
        }
        int n = 0;
        for (Map.Entry<String, List<double[]>> e : lines.entrySet()) {
            StringBuilder path = new StringBuilder();
            for (double[] p : e.getValue()) {
                double x = LEFT + WIDTH * p[0] / lastUs;
                double y = top + PANEL - PANEL * p[1] / full;
                path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
            }
            String colour = COLOURS.get(n % COLOURS.size());
            line(
                    "<polyline fill=\"none\" stroke=\"%s\" points=\"%s\"><title>%s</title></polyline>",
                    colour, path, escape(e.getKey()));
            line(
                    "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>",
                    LEFT + WIDTH + 8, top + 12 + 14 * n, colour, escape(e.getKey()));
            n++;
        }
    }

    /** Returns the values by object, thinned by means so that a picture stays small; times without a sample are 0. */
    private Map<String, List<double[]>> collect(String metric, double scale) {
        Map<String, double[]> sums = new LinkedHashMap<>();
        Map<String, int[]> counts = new LinkedHashMap<>();
        int[] looks = new int[MOST_POINTS + 1];
        double before = -1;
        for (Series.Sample s : samples) {
            int bin = (int) (s.us() / lastUs * MOST_POINTS);
            looks[bin] += s.us() == before ? 0 : 1;
            before = s.us();
            if (s.metric().equals(metric)) {
                sums.computeIfAbsent(s.object(), k -> new double[MOST_POINTS + 1])[bin] += s.value() * scale;
                counts.computeIfAbsent(s.object(), k -> new int[MOST_POINTS + 1])[bin]++;
            }
        }
        Map<String, List<double[]>> lines = new TreeMap<>();
        sums.forEach((object, sum) -> {
            List<double[]> points = new ArrayList<>();
            for (int bin = 0; bin <= MOST_POINTS; bin++) {
                if (looks[bin] > 0) {
                    points.add(new double[] {bin * lastUs / MOST_POINTS, sum[bin] / looks[bin]});
                }
            }
            lines.put(object, points);
        });
        return lines;
    }

    private static Map<String, List<double[]>> largest(Map<String, List<double[]>> lines) {
        Map<String, List<double[]>> chosen = new LinkedHashMap<>();
        lines.entrySet().stream()
                .sorted((a, b) -> Double.compare(mean(b.getValue()), mean(a.getValue())))
                .limit(MOST_LINES)
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> chosen.put(e.getKey(), e.getValue()));
        return chosen;
    }

    private static double mean(List<double[]> points) {
        return points.stream().mapToDouble(p -> p[1]).average().orElse(0);
    }

    /** Returns the next 1, 2 or 5 times a power of ten. */
    private static double round(double value) {
        double decade = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : new double[] {1, 2, 5}) {
            if (step * decade >= value) {
                return step * decade;
            }
        }
        return 10 * decade;
    }

    private static String number(double value) {
        return new BigDecimal(value, new MathContext(4)).stripTrailingZeros().toPlainString();
    }

    private void line(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
