package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.doc.GeneratedPart;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The first thing that a reader sees is what the command prints. */
class ReadmeTest {
    @Test
    void theWaterfallIsWhatTheCommandPrints() throws IOException {
        String all = clockwire("explain", "write", "-s", "65536", "--profile", "article-1")
                .text();
        String shown = all.substring(0, all.indexOf("\n Frames on the wire")).strip();
        GeneratedPart.check(
                "../README.md",
                "explain",
                "\n```text\n" + shown + "\n```\n",
                (page, made) -> assertThat(page).isEqualTo(made));
    }
}
