package dev.clockwire.bench.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.doc.GeneratedPart;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** docs/configuration.md names every rule. */
class ConfigPagesTest {
    @Test
    void thePageHasEveryRule() throws IOException {
        StringBuilder table = new StringBuilder("\n| rule | severity | finds |\n|---|---|---|\n");
        for (Rule rule : Rule.values()) {
            table.append("| `" + rule.id() + "` | " + rule.severity() + " | " + rule.meaning() + " |\n");
        }
        GeneratedPart.check(
                "configuration.md",
                "rules",
                table.toString(),
                (page, made) -> assertThat(page).isEqualTo(made));
    }
}
