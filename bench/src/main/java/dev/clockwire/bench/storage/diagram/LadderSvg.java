package dev.clockwire.bench.storage.diagram;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A ladder as SVG: hosts are vertical lines, messages arrows that fall as time passes. Time is bent so that every message has room for its words: gaps are as long
 * as their time's logarithm, and a scale at the left tells the microseconds.
 */
public final class LadderSvg {
    private static final int LEFT = 140;
    private static final int COLUMN = 270;
    private static final int TOP = 60;
    private static final int STEP = 22;
    private static final double PER_DECADE = 14;
    private static final int BOTTOM = 56;

    private final Ladder ladder;
    private final StringBuilder out = new StringBuilder();
    /** Instants that have a place, in us, and where that is. */
    private final List<Double> times = new ArrayList<>();

    private final List<Double> places = new ArrayList<>();

    private LadderSvg(Ladder ladder) {
        this.ladder = ladder;
    }

    /** Returns the picture. */
    public static String write(Ladder ladder) {
        return new LadderSvg(ladder).draw();
    }

    private String draw() {
        place();
        int width = LEFT + COLUMN * (ladder.hosts().size() - 1) + 110;
        double end = places.get(places.size() - 1);
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" font-family=\"sans-serif\""
                        + " font-size=\"11\">",
                width, end + BOTTOM);
        line("<rect width=\"%d\" height=\"%.0f\" fill=\"#ffffff\"/>", width, end + BOTTOM);
        line("<text x=\"12\" y=\"20\" font-size=\"13\">%s</text>", escape(ladder.title()));
        for (int i = 0; i < ladder.hosts().size(); i++) {
            line(
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-weight=\"bold\">%s</text>",
                    x(i), TOP - 16, escape(ladder.hosts().get(i)));
            line("<path d=\"M%d %d V%.1f\" stroke=\"#999999\"/>", x(i), TOP - 8, end + 8);
        }
        scale(0, "0 us");
        ladder.arrows().forEach(this::arrow);
        scale(ladder.endUs(), String.format(Locale.ROOT, "end %.2f us", ladder.endUs()));
        line(
                "<text x=\"12\" y=\"%.1f\" fill=\"#666666\">full: posted by software; dashed: sent by a NIC alone;"
                        + " grey: no part of the operation; (n): one-way trips so far; times in us, long gaps are drawn"
                        + " shorter</text>",
                end + BOTTOM - 14);
        line("</svg>");
        return out.toString();
    }

    /** Gives every instant at which something leaves or arrives a place: in order, further apart the longer it takes. */
    private void place() {
        List<Double> all = new ArrayList<>();
        all.add(0.0);
        all.add(ladder.endUs());
        ladder.arrows().forEach(a -> {
            all.add(a.leftUs());
            all.add(a.arrivedUs());
        });
        all.sort(null);
        double y = TOP;
        double before = 0;
        for (double t : all) {
            double gap = t - before;
            if (gap > 0) {
                y += STEP / 2.0 + PER_DECADE * Math.max(0, StrictMath.log10(gap * 10));
            }
            times.add(t);
            places.add(y);
            before = t;
        }
    }

    private int x(int column) {
        return LEFT + COLUMN * column;
    }

    private double y(double us) {
        return places.get(times.indexOf(us));
    }

    private void scale(double us, String text) {
        line(
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#666666\">%s</text>",
                LEFT - 40, y(us) + 4, escape(text));
    }

    private void arrow(Ladder.Arrow a) {
        int from = x(a.from());
        int to = x(a.to());
        double y0 = y(a.leftUs());
        double y1 = y(a.arrivedUs());
        String colour = a.aside() ? "#aaaaaa" : colour(a);
        line(
                "<path d=\"M%d %.1f L%d %.1f\" stroke=\"%s\"%s/>",
                from, y0, to, y1, colour, a.isOfNic() ? " stroke-dasharray=\"5 3\"" : "");
        int back = from < to ? -8 : 8;
        double slope = (y1 - y0) / (to - from) * back;
        line(
                "<path d=\"M%d %.1f L%d %.1f L%d %.1f Z\" fill=\"%s\"/>",
                to, y1, to + back, y1 + slope - 3.5, to + back, y1 + slope + 3.5, colour);
        words(a, y0, y1, colour);
        line(
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"9\" fill=\"#888888\">%.2f</text>",
                from < to ? from - 3 : from + 3, y0 + 3, from < to ? "end" : "start", a.leftUs());
        line(
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"9\" fill=\"#888888\">%.2f</text>",
                from < to ? to + 3 : to - 3, y1 + 3, from < to ? "start" : "end", a.arrivedUs());
    }

    /** Words stand in the column of the host that is further right: there those of arrows from or to several hosts are apart. */
    private void words(Ladder.Arrow a, double y0, double y1, String colour) {
        int from = x(a.from());
        int to = x(a.to());
        double middle = Math.max(from, to) - 0.5 * COLUMN;
        double ym = y0 + (y1 - y0) * (middle - from) / (to - from);
        double angle = StrictMath.toDegrees(StrictMath.atan2(y1 - y0, to - from));
        double turn = from < to ? angle : angle - 180;
        line(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"%s\" transform=\"rotate(%.1f %.1f %.1f)\">"
                        + "%s (%d)</text>",
                middle, ym - 4, colour, turn, middle, ym, escape(a.label()), a.trips());
    }

    private static String colour(Ladder.Arrow a) {
        return switch (a.kind()) {
            case SEND -> "#4477aa";
            case WRITE, ACK -> "#228833";
            case READ, READ_RESPONSE -> "#cc3355";
        };
    }

    private void line(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
