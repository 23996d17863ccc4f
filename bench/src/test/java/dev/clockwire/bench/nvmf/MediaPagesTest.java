package dev.clockwire.bench.nvmf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.doc.GeneratedPart;
import dev.clockwire.nvme.media.MediaParameter;
import dev.clockwire.nvme.media.MediaProfiles;
import dev.clockwire.nvme.media.MediaSpec;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/nvmeof.md has each number of a medium that a user can replace. */
class MediaPagesTest {
    @Test
    void thePageHasEachNumber() throws IOException {
        StringBuilder table = new StringBuilder("""

                | `-P` | unit | range | p5800x | p4800x | pm9a3 | meaning | source of the Optanes | source of pm9a3 |
                |---|---|---|---|---|---|---|---|---|
                """);
        for (MediaParameter p : MediaParameter.all()) {
            table.append("| `" + p.path() + "` | " + p.unit() + " | " + p.min() + " to " + p.max());
            for (String name : List.of("p5800x", "p4800x", "pm9a3")) {
                MediaSpec m = MediaProfiles.named(name);
                table.append(" | " + (p.withoutEffect(m).isEmpty() ? Long.toString(p.typed(m)) : "-"));
            }
            table.append(" | " + p.meaning() + " | " + p.optane() + " | " + p.flash() + " |\n");
        }
        GeneratedPart.check(
                "nvmeof.md",
                "media",
                table.toString(),
                (page, made) -> assertThat(page).isEqualTo(made));
    }
}
