package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.bench.doc.GeneratedPart;
import dev.clockwire.bench.storage.diagram.LadderText;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.load.LoadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/storage-systems.md shows what runs show. */
class StoragePagesTest {
    private static final int SMALL = 4 * Runs.KIB;
    private static final int LARGE = 64 * Runs.KIB;

    private record Picture(String system, LoadSpec.Op op, int size) {}

    private static final List<Picture> PICTURES = List.of(
            new Picture("3fs", LoadSpec.Op.WRITE, LARGE),
            new Picture("3fs-push", LoadSpec.Op.WRITE, LARGE),
            new Picture("3fs-inline", LoadSpec.Op.WRITE, SMALL),
            new Picture("3fs", LoadSpec.Op.READ, LARGE),
            new Picture("daos", LoadSpec.Op.WRITE, SMALL),
            new Picture("daos", LoadSpec.Op.WRITE, LARGE),
            new Picture("daos", LoadSpec.Op.READ, SMALL),
            new Picture("daos", LoadSpec.Op.READ, LARGE),
            new Picture("ceph", LoadSpec.Op.WRITE, LARGE),
            new Picture("ceph", LoadSpec.Op.READ, LARGE));

    /** The page leaves times out: they change with every parameter, messages do not. */
    @Test
    void diagramsAreThoseOfRuns() throws IOException {
        StringBuilder made = new StringBuilder();
        for (Picture p : PICTURES) {
            String text = LadderText.write(
                    Runs.lone(p.system(), p.op(), p.size()).ladder().withoutAsides(), false);
            made.append(String.format(
                    Locale.ROOT,
                    "\n`storage run %s --op %s --size %d --ops 1 --diagram FILE.txt`\n\n```\n%s```\n",
                    p.system(),
                    p.op().name().toLowerCase(Locale.ROOT),
                    p.size(),
                    text.replaceAll(" +\n", "\n")));
        }
        GeneratedPart.check(
                "storage-systems.md",
                "diagrams",
                made.toString(),
                (page, now) -> assertThat(page).isEqualTo(now));
    }

    private static final List<String> SYSTEMS = List.of("3fs", "3fs-push", "daos", "ceph", "ceph-crimson-rdma");

    /** What the wire carries is the page's to the byte; times and work may differ by a tenth before it is to be written anew. */
    @Test
    void tablesOfLoneOperationsAreThoseOfRuns() throws IOException {
        StorageCompare compare = new StorageCompare(Profiles.named("cx7-400g"), false, DiskKind.FULL, 1, 1);
        List<StorageCompare.Row> rows = new ArrayList<>();
        for (String system : SYSTEMS) {
            for (LoadSpec.Op op : List.of(LoadSpec.Op.WRITE, LoadSpec.Op.READ)) {
                rows.add(compare.lone(system, op, SMALL));
                rows.add(compare.lone(system, op, LARGE));
            }
        }
        assertTouches(rows);
        GeneratedPart.check(
                "storage-systems.md",
                "traffic",
                traffic(rows),
                (page, now) -> assertThat(page).isEqualTo(now));
        GeneratedPart.check(
                "storage-systems.md", "integration", integration(rows), (page, now) -> assertClose(page, now, 0.1));
    }

    /** Copies and checksums of a value by cores, as the sources of the systems have them: bulk of 64 KiB, client and all nodes. */
    private static void assertTouches(List<StorageCompare.Row> rows) {
        Map<String, List<Double>> wanted = Map.of(
                "3fs write", List.of(1.0, 3.0), // a checksum each
                "3fs read", List.of(0.0, 0.0),
                "daos write", List.of(1.0, 0.0), // the client's checksum
                "daos read", List.of(1.0, 0.0), // the client verifies
                "ceph write", List.of(2.0, 13.0), // copy and checksum at both ends of three messages, and three stores
                "ceph read", List.of(2.0, 3.0)); // and the store's
        for (StorageCompare.Row r : rows) {
            List<Double> touches = wanted.get(r.system() + " " + r.op());
            if (r.size() == LARGE && touches != null) {
                String what = r.system() + " " + r.op();
                assertThat(r.cpu().clientTouches()).as(what).isCloseTo(touches.get(0), within(0.15));
                assertThat(r.cpu().serverTouches()).as(what).isCloseTo(touches.get(1), within(0.35));
            }
        }
    }

    private static String traffic(List<StorageCompare.Row> rows) {
        StringBuilder out = new StringBuilder("\n| system | op | bytes | SENDs | one-sided | one-way trips | payload |"
                + " headers | acks | out/in: nodes, client |\n|---|---|---|---|---|---|---|---|---|---|\n");
        for (StorageCompare.Row r : rows) {
            Wire w = r.wire();
            out.append(String.format(
                    Locale.ROOT,
                    "| `%s` | %s | %d | %d | %d | %d | %d | %d | %d |",
                    r.system(),
                    r.op(),
                    r.size(),
                    w.send(),
                    w.oneSided(),
                    w.trips(),
                    w.payload(),
                    w.headers(),
                    w.acks()));
            w.nics()
                    .forEach(n ->
                            out.append(' ').append(n.operationTx()).append('/').append(n.operationRx()));
            out.append(" |\n");
            assertThat(w.differences()).isEmpty();
        }
        return out.toString();
    }

    private static String integration(List<StorageCompare.Row> rows) {
        StringBuilder out =
                new StringBuilder("\n| system | op of 64 KiB | latency, us | moved one-sided | client's core, us |"
                        + " nodes' cores, us | bytes touched: client | nodes | threads woken | a core polls |\n"
                        + "|---|---|---|---|---|---|---|---|---|---|\n");
        for (StorageCompare.Row r : rows) {
            if (r.size() == LARGE) {
                out.append(String.format(
                        Locale.ROOT,
                        "| `%s` | %s | %.1f | %.0f %% | %.1f | %.1f | %.1f x | %.1f x | %.1f | %s |\n",
                        r.system(),
                        r.op(),
                        r.aloneUs(),
                        100.0 * r.wire().oneSidedBytes() / r.wire().payload(),
                        r.cpu().clientNs() / 1e3,
                        r.cpu().serverNs() / 1e3,
                        r.cpu().clientTouches(),
                        r.cpu().serverTouches(),
                        r.cpu().wakeUps(),
                        r.cpu().polling() ? "yes" : "no"));
            }
        }
        return out.toString();
    }

    private static void assertClose(String page, String now, double share) {
        String number = "[0-9]+[.]?[0-9]*";
        assertThat(page.replaceAll(number, "#")).isEqualTo(now.replaceAll(number, "#"));
        Matcher was = Pattern.compile(number).matcher(page);
        Matcher is = Pattern.compile(number).matcher(now);
        while (was.find() && is.find()) {
            double value = Double.parseDouble(is.group());
            assertThat(Double.parseDouble(was.group())).isCloseTo(value, within(share * value + 0.15));
        }
    }

    /** The picture shows the rows of the file beside it, which `storage compare --csv` has written. */
    @Test
    void theComparisonsPictureShowsItsFile() throws IOException {
        Path folder = Path.of("..", "docs", "storage");
        String text = Files.readString(folder.resolve("compare.csv"));
        List<String> heading = List.of(text.lines().findFirst().orElse("").split(",", -1));
        List<ComparePlot.Point> points = new ArrayList<>();
        text.lines().skip(1).forEach(line -> {
            List<String> f = List.of(line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1));
            points.add(new ComparePlot.Point(
                    f.get(0),
                    f.get(1),
                    Integer.parseInt(f.get(2)),
                    Double.parseDouble(f.get(heading.indexOf("alone_us"))),
                    Integer.parseInt(f.get(heading.indexOf("clients"))),
                    Double.parseDouble(f.get(heading.indexOf("gbps")))));
            assertThat(f.get(heading.indexOf("differences"))).as(line).isEqualTo("\"\"");
        });
        String svg = ComparePlot.svg(points);
        Path picture = folder.resolve("compare.svg");
        if ("write".equals(System.getProperty("clockwire.docs"))) {
            Files.writeString(picture, svg);
        }
        assertThat(picture).content().isEqualTo(svg);
    }

    /** Some of the file's rows are simulated again. */
    @Test
    void theComparisonsFileIsThatOfRuns() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "storage", "compare.csv"));
        StorageCompare compare = new StorageCompare(Profiles.named("cx7-400g"), false, DiskKind.FULL, 1, 1);
        List<StorageCompare.Row> rows = compare.run(List.of("daos"), List.of(SMALL), List.of(4), line -> {});
        for (String made : CompareText.csv(rows).lines().skip(1).toList()) {
            String op = made.startsWith("daos,write") ? "daos,write,4096," : "daos,read,4096,";
            String page = lines.stream()
                    .filter(l -> l.startsWith(op) && l.split(",", -1)[21].equals("4"))
                    .findFirst()
                    .orElse("");
            assertClose(page, made, 0.1);
        }
    }
}
