package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@link DocumentedCommandsTest} would not find it could not run. */
class PageCommandTest {
    private static final String PAGE = """
        Words with `./clockwire profile show x` and `mvn verify`, and ./clockwire without marks.

        ```sh
        ./clockwire nvmf perf -r 'a b' \\
            -q 1   # once
        mvn -q verify
        ```

        ```text
        printed
        ```

        | a | `clockwire scenario list\\|run NAME` |

        ```text
        of nobody
        ```

        ```
        clockwire explain write > x.txt
        a picture
        ```
        """;

    @Test
    void blocksAndWordsAreRead() {
        List<PageCommand> found = PageCommand.of("p", PAGE);
        assertThat(found)
                .extracting(PageCommand::text)
                .containsExactly(
                        "clockwire profile show x",
                        "mvn verify",
                        "clockwire nvmf perf -r 'a b'      -q 1   # once",
                        "mvn -q verify",
                        "clockwire scenario list|run NAME",
                        "clockwire explain write > x.txt");
        assertThat(found).extracting(PageCommand::fenced).containsExactly(false, false, true, true, false, true);
        assertThat(found.get(2).words()).containsExactly("clockwire", "nvmf", "perf", "-r", "a b", "-q", "1");
        assertThat(found.get(5).words()).containsExactly("clockwire", "explain", "write");
        assertThat(found.get(3).shown()).containsExactly("printed");
        assertThat(found.get(5).shown()).isEmpty();
        assertThat(found.get(4).isTemplate()).isTrue();
        assertThat(found.get(2).isTemplate()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "mvn verify -Pfool, no profile fool",
        "mvn verify -Dclockwire.ful=true, no property clockwire.ful",
        "mvn verfy, no goal or phase verfy",
        "mvn -pl sim-cor test, no module sim-cor",
        "mvn test -Dtest=NoSuchTest, no test NoSuchTest",
        "mvn test -Dtest=ReadmeTest#theWaterfal, no theWaterfal in ReadmeTest",
        "mvn -f docs verify, no project docs"
    })
    void whatMavenDoesNotKnowIsTold(String line, String mistake) throws IOException {
        List<String> words = new PageCommand("p", line, true, List.of()).words();
        assertThat(new PageMaven().mistakes(words)).containsExactly(mistake);
    }
}
