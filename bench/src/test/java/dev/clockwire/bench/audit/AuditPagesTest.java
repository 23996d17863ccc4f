package dev.clockwire.bench.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.doc.GeneratedPart;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of docs/audit.md is what the command says. */
class AuditPagesTest {
    @Test
    void theTableIsWhatTheCommandSays() throws IOException {
        StringBuilder table = new StringBuilder("\n| claim | verdict | limit | arithmetic |\n|---|---|---|---|\n");
        for (var r : Audit.of(Path.of("..", "docs", "audit", "articles.csv")).rows()) {
            table.append("| ").append(r.claim()).append(" | ").append(r.verdict());
            table.append(" | ")
                    .append(r.limit())
                    .append(" | ")
                    .append(r.arithmetic())
                    .append(" |\n");
        }
        GeneratedPart.check(
                "audit.md",
                "audit",
                table.toString(),
                (page, made) -> assertThat(page).isEqualTo(made));
    }
}
