package dev.clockwire.sim.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.stats.StatRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextWritersTest {
    private final StringBuilder out = new StringBuilder();

    @Test
    void jsonIsIndentedAndEscaped() {
        JsonWriter j = new JsonWriter(out);
        j.beginObject()
                .field("text", "a\"b\\c\n\t\r\u0001<\u2028\ud800é\ud83d\ude00\udc00")
                .field("n", -5);
        j.name("list")
                .beginArray()
                .value(1.5)
                .value(true)
                .nullValue()
                .beginObject()
                .endObject()
                .endArray();
        j.name("none").beginArray().endArray().endObject();
        j.finish();
        assertThat(out).hasToString("""
                        {
                          "text": "a\\"b\\\\c\\n\\t\\r\\u0001\\u003c\\u2028\\ud800é\ud83d\ude00\\udc00",
                          "n": -5,
                          "list": [
                            1.5,
                            true,
                            null,
                            {}
                          ],
                          "none": []
                        }
                        """);
    }

    @Test
    void jsonOnOneLine() {
        JsonWriter j = new JsonWriter(out, false);
        j.beginArray()
                .beginObject()
                .field("a", true)
                .field("b", 2.0)
                .field("c", (String) null)
                .endObject()
                .endArray();
        j.finish();
        assertThat(out).hasToString("[{\"a\":true,\"b\":2,\"c\":null}]\n");
        StringBuilder scalar = new StringBuilder();
        JsonWriter one = new JsonWriter(scalar);
        one.value("x").finish();
        assertThat(scalar).hasToString("\"x\"\n");
    }

    @Test
    void misplacedJsonIsRefused() {
        assertThatThrownBy(() -> new JsonWriter(out).beginObject().value(1)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> new JsonWriter(out).beginObject().endArray()).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> new JsonWriter(out).beginArray().name("a")).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> new JsonWriter(out).beginObject().name("a").name("b"))
                .isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> new JsonWriter(out).beginObject().name("a").endObject())
                .isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> new JsonWriter(out).beginObject().finish()).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> new JsonWriter(out).value(1).value(2)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> new JsonWriter(out).name("a")).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> new JsonWriter(out).value(Double.NaN)).hasMessageContaining("only finite");
    }

    @Test
    void numbersHaveFifteenDigits() {
        assertThat(Decimals.text("x", 0.1)).isEqualTo("0.1");
        assertThat(Decimals.text("x", -0.0)).isEqualTo("0");
        assertThat(Decimals.text("x", 0.1 + 0.2)).isEqualTo("0.3");
        assertThat(Decimals.text("x", 12670)).isEqualTo("12670");
        assertThat(Decimals.text("x", 1e15)).isEqualTo("1000000000000000");
        assertThat(Decimals.text("x", 1e300)).isEqualTo("1E+300");
        assertThat(Decimals.text("x", -2.5e-12)).isEqualTo("-0.0000000000025");
        assertThat(Decimals.text("x", 2.5e-40)).isEqualTo("2.5E-40");
        assertThatThrownBy(() -> Decimals.text("rate", Double.POSITIVE_INFINITY))
                .hasMessageContaining("rate is Inf");
    }

    @Test
    void csvIsQuotedWhereNeeded() {
        CsvWriter csv = new CsvWriter(out, "name", "value");
        csv.cell("a,\"b\"").cell(1).endRow();
        csv.cell("").cell(0.25).endRow();
        assertThat(out).hasToString("name,value\n\"a,\"\"b\"\"\",1\n,0.25\n");
        assertThatThrownBy(csv::endRow).hasMessageContaining("0 cells in a row of 2");
        csv.cell("x").cell("y");
        assertThatThrownBy(() -> csv.cell("z")).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void statisticsAreWrittenInNameOrder() {
        StatRegistry stats = new StatRegistry();
        stats.histogram("nic.latency", "ps", "post to completion").record(1000);
        stats.counter("nic.frames", "frames", "sent").add(2);
        stats.gauge("nic.depth", "entries", "queued").set(10, 4);
        stats.reading("cycles", "", "of the core clock", () -> 7);
        JsonWriter j = new JsonWriter(out, false);
        StatsFile.json(stats, 20, j);
        assertThat(out)
                .hasToString(
                        "[{\"name\":\"cycles\",\"kind\":\"reading\",\"unit\":\"\",\"description\":\"of the core clock\","
                                + "\"value\":7},{\"name\":\"nic.depth\",\"kind\":\"gauge\",\"unit\":\"entries\",\"description\":"
                                + "\"queued\",\"value\":4,\"mean\":2,\"min\":0,\"max\":4},{\"name\":\"nic.frames\",\"kind\":"
                                + "\"counter\",\"unit\":\"frames\",\"description\":\"sent\",\"value\":2},{\"name\":\"nic.latency\","
                                + "\"kind\":\"histogram\",\"unit\":\"ps\",\"description\":\"post to completion\",\"count\":1,"
                                + "\"min\":1000,\"max\":1000,\"mean\":1000,\"stdev\":0,\"p50\":1000,\"p99\":1000,\"p999\":1000}]");
        StringBuilder csv = new StringBuilder();
        StatsFile.csv(stats, 20, csv);
        assertThat(csv.toString().lines())
                .containsExactly(
                        "name,value,unit,description",
                        "cycles,7,,of the core clock",
                        "nic.depth,2,entries,queued",
                        "nic.frames,2,frames,sent",
                        "nic.latency,1000,ps,post to completion");
    }

    @Test
    void aFileAppearsOnlyWhenComplete(@TempDir Path dir) throws IOException {
        Path target = dir.resolve("stats.json");
        Files.writeString(target, "old");
        try (AtomicFile file = new AtomicFile(target)) {
            file.writer().write("half");
        }
        assertThat(Files.readString(target)).isEqualTo("old");
        AtomicFile.write(target, "new \u00b5");
        assertThat(Files.readString(target)).isEqualTo("new \u00b5");
        try (AtomicFile file = new AtomicFile(target)) {
            file.stream().write(new byte[] {'b'});
            file.commit();
        }
        assertThat(Files.readString(target)).isEqualTo("b");
        try (var files = Files.list(dir)) {
            assertThat(files).containsExactly(target);
        }
        assertThatThrownBy(() -> new AtomicFile(dir.resolve("no/such/file")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no/such/file: cannot be written: NoSuchFileException");
    }

    /** Whoever writes to a link means what it leads to: the link stays. */
    @Test
    void aLinkIsFollowed(@TempDir Path dir) throws IOException {
        Path target = Files.writeString(dir.resolve("stats.json"), "old");
        Path link = Files.createSymbolicLink(dir.resolve("latest"), target.getFileName());
        AtomicFile.write(link, "new");
        assertThat(link).isSymbolicLink().hasContent("new");
        assertThat(target).isRegularFile().hasContent("new");
    }

    /** A device or a pipe that was moved over would be gone, for everybody. */
    @Test
    void aPipeIsWrittenToAndStaysOne(@TempDir Path dir) throws Exception {
        Path pipe = dir.resolve("pipe");
        assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        FutureTask<String> reader = new FutureTask<>(() -> Files.readString(pipe));
        new Thread(reader, "reader").start();
        AtomicFile.write(pipe, "through");
        assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo("through");
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther())
                .isTrue();
    }
}
