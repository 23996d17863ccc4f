package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The tables of docs/articles.md that go through both articles: their classes exist, their commands print what they say. */
class SectionsPagesTest {
    private static final Pattern COMMAND = Pattern.compile("`\\./clockwire ([^`]+)`(: `([^`]+)`)?");
    private static final Pattern NAME = Pattern.compile("`([a-z0-9]+(?:\\.[a-z0-9]+)+\\.[A-Z]\\w+)`");
    private static final String SCENARIO = "scenario run ";

    private static List<String> rows() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "articles.md"));
        String sections =
                page.substring(page.indexOf("## Article 1 by sections"), page.indexOf("## Their configuration lines"));
        return sections.lines()
                .filter(l -> l.startsWith("| ") && !l.startsWith("| section"))
                .toList();
    }

    private static Stream<MatchResult> found(Pattern pattern, String row) {
        return pattern.matcher(row).results();
    }

    @Test
    void theCommandsPrintWhatThePageSays() throws IOException {
        String scenarios = clockwire("scenario", "list").text();
        Map<String, String> printed = new TreeMap<>(); // several rows are shown by one command
        SoftAssertions all = new SoftAssertions();
        for (String row : rows()) {
            assertThat(found(COMMAND, row)).as(row).isNotEmpty();
            for (MatchResult command : found(COMMAND, row).toList()) {
                String line = command.group(1);
                String piece = command.group(3);
                if (piece != null) {
                    String text = printed.computeIfAbsent(line, l -> new ShownCommand(l, List.of(piece)).printed());
                    all.assertThat(text).as(line).contains(piece);
                } else {
                    all.assertThat(line).startsWith(SCENARIO);
                    all.assertThat(scenarios).contains(line.replace(SCENARIO, ""));
                }
            }
        }
        all.assertAll();
    }

    @Test
    void theClassesExist() throws IOException {
        for (String row : rows()) {
            for (MatchResult name : found(NAME, row).toList()) {
                assertThatCode(() -> Class.forName(
                                "dev.clockwire." + name.group(1),
                                false,
                                getClass().getClassLoader()))
                        .as(row)
                        .doesNotThrowAnyException();
            }
        }
    }
}
