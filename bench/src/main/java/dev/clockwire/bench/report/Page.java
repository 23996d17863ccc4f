package dev.clockwire.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;

/** The page around the data: markup, styles and scripts in one file, so that it opens alone and asks nobody for anything. */
final class Page {
    private static final String PROPERTIES = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";
    private static final String CHARTS = "/META-INF/resources/webjars/uplot/";

    private Page() {}

    /**
     * Returns the page.
     *
     * @param scripts the sections, which are of the kind that the data are; the last one draws them
     * @param json the data; as {@code <} in it is escaped, no text in it can end the script that it stands in
     */
    static String of(List<String> scripts, String json) {
        String charts = CHARTS + version() + "/";
        String licence = "/*\n" + text(charts + "LICENSE") + "*/\n";
        StringBuilder page = new StringBuilder();
        for (String line : text("report.html").lines().toList()) {
            page.append(
                            switch (line.strip()) {
                                case "<!-- styles -->" ->
                                    "<style>\n" + text(charts + "dist/uPlot.min.css") + text("report.css") + "</style>";
                                case "<!-- data -->" ->
                                    "<script type=\"application/json\" id=\"data\">"
                                            + json.replace("<", "\\u003c")
                                            + "</script>";
                                case "<!-- charts -->" ->
                                    "<script>\n" + licence + text(charts + "dist/uPlot.iife.min.js") + "</script>";
                                case "<!-- script -->" -> "<script>\n" + text("page.js") + all(scripts) + "</script>";
                                default -> line;
                            })
                    .append('\n');
        }
        return page.toString();
    }

    private static String all(List<String> scripts) {
        return scripts.stream().map(Page::text).collect(Collectors.joining());
    }

    private static String version() {
        Properties properties = new Properties();
        try (InputStream in = open(PROPERTIES)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    private static String text(String resource) {
        try (InputStream in = open(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String resource) {
        return Objects.requireNonNull(Page.class.getResourceAsStream(resource), resource);
    }
}
