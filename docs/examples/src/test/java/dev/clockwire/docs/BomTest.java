package dev.clockwire.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM names the modules that projects depend on, all of them, and the consumer takes its version. */
class BomTest {
    /** The command line, which nobody depends on, the same on Spark, the examples, and the BOM itself. */
    private static final List<String> NO_LIBRARIES =
            List.of("clockwire-bench", "clockwire-spark", "clockwire-examples", "clockwire-bom");

    private static List<String> all(String file, String pattern) {
        return Pattern.compile(pattern)
                .matcher(Page.read(Page.ROOT.resolve(file)))
                .results()
                .map((MatchResult m) -> m.group(1))
                .toList();
    }

    @Test
    void theBomNamesEveryLibrary() {
        List<String> libraries = new ArrayList<>();
        for (String module : all("pom.xml", "<module>(.*?)</module>")) {
            String own = all(Path.of(module, "pom.xml").toString(), "(?s)</parent>.*?<artifactId>(.*?)</artifactId>")
                    .get(0);
            if (!NO_LIBRARIES.contains(own)) {
                libraries.add(own);
            }
        }
        assertThat(all("bom/pom.xml", "<artifactId>(clockwire-.*?)</artifactId><version>"))
                .containsExactlyInAnyOrderElementsOf(libraries)
                .contains("clockwire-sim-core");
    }

    /** The project that the tutorial has its readers write down is a part of the one that CI builds. */
    @Test
    void theTutorialsProjectIsAPartOfTheConsumers() {
        String pattern = "<artifactId>([^<]+</artifactId>\\s*<version>[^$<]+)</version>";
        List<String> first = all("docs/tutorial.md", pattern);
        String consumer = Page.read(Page.ROOT.resolve("docs/examples/consumer/pom.xml"))
                .replace(
                        "${clockwire.version}",
                        all("pom.xml", "<revision>(.*?)<").get(0))
                .replaceAll("\\s+", "");
        assertThat(first).hasSize(6).allMatch(d -> consumer.contains(d.replaceAll("\\s+", "")));
    }

    @Test
    void theConsumerTakesThisVersion() {
        assertThat(all("docs/examples/consumer/pom.xml", "<clockwire.version>(.*?)<"))
                .isEqualTo(all("pom.xml", "<revision>(.*?)<"));
    }
}
