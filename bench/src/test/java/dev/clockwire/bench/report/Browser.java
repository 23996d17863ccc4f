package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Opens a page in Chromium without a window and asks it something. In CI the browser must be there, elsewhere the test is skipped without it.
 */
final class Browser {
    private static final Pattern ANSWER = Pattern.compile("<pre id=\"answer\">(.*?)</pre>", Pattern.DOTALL);
    private static final Path PROGRAM = Path.of("/usr/bin/chromium");

    private Browser() {}

    /**
     * What came of it.
     *
     * @param value what the script returned
     * @param complaints what the console said: errors, warnings, what the page was not allowed to load
     */
    record Answer(JsonNode value, List<String> complaints) {}

    /**
     * Opens a copy of a page that has one script more.
     *
     * @param script body of an asynchronous function; what it returns is the answer
     * @param more options of the browser
     */
    static Answer ask(Path page, String script, String... more) throws IOException, InterruptedException {
        return show(page, script, "", more);
    }

    /** Opens it as wide as a small telephone is: a window of Chromium cannot be, so the page stands in a frame. */
    static Answer narrow(Path page, String script) throws IOException, InterruptedException {
        return show(page, script, """
            <body><iframe src="page.html" style="width: 420px; height: 900px; border: 0"></iframe>
            <script>addEventListener('message', ({data}) => {
              const answer = document.createElement('pre');
              answer.textContent = data;
              answer.id = 'answer';
              document.body.append(answer);
            });</script>
            """);
    }

    /** Asserts that a page needs no sideways scrolling on a small telephone: what is wide scrolls in a box that fits. */
    static void assertFits(Path page) throws IOException, InterruptedException {
        Answer answer = narrow(page, """
            document.querySelectorAll('details').forEach(d => d.open = true);
            const beside = e => e.getBoundingClientRect().right > innerWidth, boxes = '.scroll, section > table';
            const names = [...document.querySelectorAll('main *, header *')].filter(e => beside(e) && (e.matches(boxes) || !e.closest(boxes)));
            return {inner: innerWidth, whole: document.scrollingElement.scrollWidth, beside: names.map(e => e.tagName + '.' + e.className)};
            """);
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.value().get("inner").asInt()).isEqualTo(420);
        assertThat(answer.value().get("whole").asInt()).isLessThanOrEqualTo(420);
        assertThat(answer.value().get("beside")).isEmpty();
    }

    private static Answer show(Path page, String script, String around, String... more)
            throws IOException, InterruptedException {
        assumeTrue(
                Files.isExecutable(PROGRAM) || "true".equals(System.getenv("CI")),
                "chromium is not installed: how the page looks to a browser is not tested");
        Path folder = Files.createTempDirectory("report-");
        try {
            Path copy = folder.resolve("page.html");
            Files.writeString(copy, Files.readString(page).replace("</body>", probe(script) + "</body>"));
            if (around.isEmpty()) {
                return open(copy, folder, more);
            }
            return open(Files.writeString(folder.resolve("frame.html"), around), folder, more);
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted((a, b) -> b.compareTo(a))
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static String probe(String script) {
        return """
            <script>
            addEventListener('load', async () => {
              const answer = document.createElement('pre');
              const later = () => new Promise(done => setTimeout(done, 50));
              await later();
              answer.textContent = JSON.stringify(await (async () => {%s})());
              answer.id = 'answer';
              document.body.append(answer);
              if (parent !== window) parent.postMessage(answer.textContent, '*');
            });
            </script>
            """.formatted(script);
    }

    private static Answer open(Path page, Path folder, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                PROGRAM.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--enable-logging=stderr",
                "--window-size=1300,1000",
                "--virtual-time-budget=5000",
                "--user-data-dir=" + folder.resolve("profile"),
                "--dump-dom"));
        command.addAll(List.of(more));
        command.add(page.toUri().toString());
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(Redirect.to(out.toFile()))
                .redirectError(Redirect.to(err.toFile()))
                .start();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("chromium has not ended in 60 s: " + Files.readString(err));
            }
        } finally {
            process.destroyForcibly();
        }
        List<String> complaints = new String(Files.readAllBytes(err), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("CONSOLE"))
                .toList();
        Matcher answer = ANSWER.matcher(Files.readString(out));
        String json = answer.find() ? answer.group(1) : "null";
        return new Answer(
                new ObjectMapper()
                        .readTree(json.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")),
                complaints);
    }
}
