package dev.clockwire.bench.validate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Published against simulated values as SVG: a panel for each unit, both axes logarithmic, the diagonal and the tolerance on both sides of
 * it. A point tells its row when pointed at. Values count with four digits, as tables print them, so a table gives the same picture.
 */
public final class ValidationPlot {
    private static final int SIDE = 360;
    private static final int LEFT = 58;
    private static final int TOP = 34;
    private static final int PANEL = LEFT + SIDE + 24;
    private static final int HEIGHT = TOP + SIDE + 78;
    private static final double GIGABYTE = 8;
    private static final double MEBIBYTE = 8 * 1048576 / 1e9;
    private static final List<String> COLOURS =
            List.of("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#777777");

    private final List<Point> points;
    private final List<String> devices;
    private final StringBuilder out = new StringBuilder();

    /** One measurement: its row, the device, and both values in one unit. */
    public record Point(int row, String device, String what, String unit, double published, double simulated) {
        /** Rounds what was simulated, and makes all bandwidths Gb/s. */
        public Point {
            double factor = unit.equals("GB/s") ? GIGABYTE : unit.equals("MiB/s") ? MEBIBYTE : 1;
            published *= factor;
            simulated = Double.parseDouble(String.format(Locale.ROOT, "%.4g", simulated)) * factor;
            unit = factor == 1 ? unit : "Gb/s";
        }

        /** Returns the family: the first word. */
        String family() {
            return device.replaceAll("[ (].*", "");
        }
    }

    private ValidationPlot(List<Point> points) {
        this.points = points;
        devices = points.stream().map(Point::family).distinct().sorted().toList();
    }

    /** Returns the points of the rows that were simulated. */
    public static List<Point> points(ValidationReport report) {
        List<Point> points = new ArrayList<>();
        for (ValidationReport.Row r : report.rows()) {
            Double simulated = r.simulated();
            if (simulated != null) {
                String what = r.tool() + (r.size() == null ? "" : " " + r.size() + " B");
                points.add(new Point(r.row(), r.nic(), what, r.unit(), r.expected(), simulated));
            }
        }
        return points;
    }

    /** Returns the picture; points with values that are not positive are left out. */
    public static String svg(List<Point> all) {
        return new ValidationPlot(all.stream()
                        .filter(p -> p.published() > 0 && p.simulated() > 0)
                        .toList())
                .draw();
    }

    private String draw() {
        Map<String, List<Point>> panels = new TreeMap<>();
        points.forEach(
                p -> panels.computeIfAbsent(p.unit(), k -> new ArrayList<>()).add(p));
        int width = Math.max(1, panels.size()) * PANEL;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">",
                width, HEIGHT);
        line("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, HEIGHT);
        int left = LEFT;
        for (Map.Entry<String, List<Point>> panel : panels.entrySet()) {
            new Panel(panel.getKey(), panel.getValue(), left).draw();
            left += PANEL;
        }
        for (int i = 0; i < devices.size(); i++) {
            int x = LEFT + 110 * i;
            line("<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/>", x, HEIGHT - 14, colour(devices.get(i)));
            line("<text x=\"%d\" y=\"%d\">%s</text>", x + 8, HEIGHT - 10, escape(devices.get(i)));
        }
        line("</svg>");
        return out.toString();
    }

    private String colour(String device) {
        return COLOURS.get(devices.indexOf(device) % COLOURS.size());
    }

    private void line(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    private final class Panel {
        private final String unit;
        private final List<Point> mine;
        private final int left;
        private final int low;
        private final int high;

        Panel(String unit, List<Point> mine, int left) {
            this.unit = unit;
            this.mine = mine;
            this.left = left;
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            for (Point p : mine) {
                least = Math.min(least, Math.min(p.published(), p.simulated()));
                most = Math.max(most, Math.max(p.published(), p.simulated()));
            }
            low = (int) Math.floor(Math.log10(least));
            high = Math.max(low + 1, (int) Math.ceil(Math.log10(most)));
        }

        private double x(double value) {
            return left + SIDE * (Math.log10(value) - low) / (high - low);
        }

        private double y(double value) {
            return TOP + SIDE - SIDE * (Math.log10(value) - low) / (high - low);
        }

        void draw() {
            line(
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333333\"/>",
                    left, TOP, SIDE, SIDE);
            for (int decade = low; decade <= high; decade++) {
                double at = Math.pow(10, decade);
                String label = decade < 0 ? Double.toString(at) : Long.toString(Math.round(at));
                line(
                        "<path d=\"M%.1f %d V%d M%d %.1f H%d\" stroke=\"#dddddd\"/>",
                        x(at), TOP, TOP + SIDE, left, y(at), left + SIDE);
                line("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x(at), TOP + SIDE + 15, label);
                line("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", left - 5, y(at) + 4, label);
            }
            diagonal(1, "#333333");
            diagonal(1 + ValidationReport.TOLERANCE_PERCENT / 100, "#bbbbbb");
            diagonal(1 - ValidationReport.TOLERANCE_PERCENT / 100, "#bbbbbb");
            for (Point p : mine) {
                line(
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" fill-opacity=\"0.7\"><title>row %d: %s %s,"
                                + " published %s, simulated %s %s</title></circle>",
                        x(p.published()),
                        y(p.simulated()),
                        colour(p.family()),
                        p.row(),
                        escape(p.device()),
                        escape(p.what()),
                        String.format(Locale.ROOT, "%.4g", p.published()),
                        String.format(Locale.ROOT, "%.4g", p.simulated()),
                        escape(unit));
            }
            line("<text x=\"%d\" y=\"%d\">published, %s</text>", left, TOP + SIDE + 32, escape(unit));
            line("<text x=\"%d\" y=\"%d\">simulated, %s</text>", left, TOP - 8, escape(unit));
        }

        /** Draws where the simulated value is so many times the published one, inside the panel. */
        private void diagonal(double factor, String colour) {
            double from = Math.pow(10, low) * Math.max(1, 1 / factor);
            double to = Math.pow(10, high) * Math.min(1, 1 / factor);
            line(
                    "<path d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"%s\"/>",
                    x(from), y(from * factor), x(to), y(to * factor), colour);
        }
    }
}
