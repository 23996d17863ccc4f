package dev.clockwire.bench.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.validate.ValidationPlot.Point;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The picture docs/validation.svg shows the table of docs/validation.md: nothing is simulated here. */
class ValidationPlotPagesTest {
    private static List<Point> table() throws IOException {
        List<Point> points = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "validation.md"))) {
            String[] c = line.split("\\|", -1);
            if (c.length == 9 && c[1].strip().matches("\\d+")) {
                String[] published = c[5].strip().split(" ", 2);
                points.add(new Point(
                        Integer.parseInt(c[1].strip()),
                        c[2].strip(),
                        c[3].strip() + (c[4].isBlank() ? "" : " " + c[4].strip() + " B"),
                        published[1],
                        Double.parseDouble(published[0]),
                        Double.parseDouble(c[6].strip())));
            }
        }
        return points;
    }

    @Test
    void thePictureShowsTheTable() throws IOException {
        String made = ValidationPlot.svg(table());
        Path file = Path.of("..", "docs", "validation.svg");
        if ("write".equals(System.getProperty("clockwire.docs"))) {
            Files.writeString(file, made);
        }
        assertThat(Files.readString(file)).isEqualTo(made);
        assertThat(table()).hasSizeGreaterThan(80);
    }

    /** On the diagonal is what is equal; decades have the same width. */
    @Test
    void axesAreLogarithmic() throws Exception {
        String svg = ValidationPlot.svg(List.of(
                new Point(1, "ConnectX-4 <a> & b", "x", "us", 1, 1),
                new Point(2, "ConnectX-4", "x", "us", 10, 10),
                new Point(3, "ConnectX-5", "x", "us", 100, 31.6227766),
                new Point(4, "none", "x", "us", 0, 5),
                new Point(5, "ConnectX-5", "x", "Gb/s", 30, 40)));
        Document d = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        List<double[]> at = new ArrayList<>();
        var circles = d.getElementsByTagName("circle");
        for (int i = 0; i < circles.getLength(); i++) {
            Element c = (Element) circles.item(i);
            if (c.getAttribute("r").equals("3")) {
                at.add(new double[] {Double.parseDouble(c.getAttribute("cx")), Double.parseDouble(c.getAttribute("cy"))
                });
            }
        }
        assertThat(at).hasSize(4); // Gb/s comes first
        assertThat(at.get(2)[0] - at.get(1)[0]).isEqualTo(180);
        assertThat(at.get(1)[1] - at.get(2)[1]).isEqualTo(180);
        assertThat(at.get(3)[0] - at.get(2)[0]).isEqualTo(180);
        assertThat(at.get(2)[1] - at.get(3)[1]).isEqualTo(90);
        assertThat(d.getElementsByTagName("title").item(1).getTextContent()).contains("ConnectX-4 <a> & b");
    }
}
