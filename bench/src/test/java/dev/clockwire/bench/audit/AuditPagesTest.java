package dev.clockwire.bench.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of docs/audit.md is what the command says; {@code -Dclockwire.docs=write} writes it. */
class AuditPagesTest {
    private static final Path PAGE = Path.of("..", "docs", "audit.md");
    private static final String FROM = "<!-- generated: audit -->\n";
    private static final String TO = "\n<!-- end -->";

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
        String page = Files.readString(PAGE);
        int from = page.indexOf(FROM) + FROM.length();
        int to = page.indexOf(TO, from);
        assertThat(to).isGreaterThanOrEqualTo(from);
        if ("write".equals(System.getProperty("clockwire.docs"))) {
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
        } else {
            assertThat(page.substring(from, to)).isEqualTo(table.toString());
        }
    }
}
