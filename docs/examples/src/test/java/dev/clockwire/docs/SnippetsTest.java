package dev.clockwire.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Java in the pages is code of this project, which is compiled and run. */
class SnippetsTest {
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({"tutorial.md, ., 16", "faults.md, src, 1", "testing.md, consumer/src, 7"})
    void everySnippetOfAPageStandsInTheSources(String page, Path folder, int least) throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                sources.add(unindented(Page.read(file)));
            }
        }
        Matcher m = JAVA.matcher(Page.read(Page.DOCS.resolve(page)));
        int snippets = 0;
        while (m.find()) {
            String snippet = unindented(m.group(1));
            assertThat(sources.stream().anyMatch(s -> s.contains(snippet)))
                    .as("docs/examples/%s has this code of %s, but for indentation:%n%s", folder, page, m.group(1))
                    .isTrue();
            snippets++;
        }
        assertThat(snippets).isGreaterThanOrEqualTo(least);
    }

    private static String unindented(String code) {
        return code.lines().map(String::strip).reduce("", (a, b) -> a + b + "\n");
    }
}
