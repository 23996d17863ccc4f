package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The commands of docs/cookbook.md print the lines that stand below them. */
class CookbookPagesTest {
    private static final Pattern SHOWN = Pattern.compile("```sh\n\\./clockwire (.+)\n```\n\n```text\n((?:.+\n)+)```\n");

    private static List<ShownCommand> commands() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "cookbook.md"));
        List<ShownCommand> found = SHOWN.matcher(page)
                .results()
                .map(m -> new ShownCommand(m.group(1), m.group(2).lines().toList()))
                .toList();
        assertThat(found).as("each command has its output").hasSize(page.split("```sh").length - 1);
        return found;
    }

    @Test
    void theCommandsPrintWhatStandsBelowThem() throws IOException {
        SoftAssertions all = new SoftAssertions();
        for (ShownCommand command : commands()) {
            all.assertThat(command.printed()).as(command.line()).contains(command.pieces());
        }
        all.assertAll();
    }
}
