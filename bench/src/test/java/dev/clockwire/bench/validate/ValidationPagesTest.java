package dev.clockwire.bench.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.doc.GeneratedPart;
import dev.clockwire.bench.validate.ValidationReport.Row;
import java.io.IOException;
import java.util.Locale;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** The table of docs/validation.md is what the command says; results may move by 1 % before it has to be written anew. */
class ValidationPagesTest {
    private static final int SIMULATED = 6;

    @Test
    void theTableIsWhatTheCommandSays() throws IOException {
        StringBuilder table = new StringBuilder(
                "\n| row | device | tool | bytes | published | simulated | error |\n|---:|---|---|---:|---:|---:|---:|\n");
        for (Row r : Validation.builtIn().run(line -> {}, () -> false).rows()) {
            if (r.simulated() != null) {
                table.append(String.format(
                        Locale.ROOT,
                        "| %d | %s | %s %s | %d | %s %s | %.4g | %+.1f %% |%n",
                        r.row(),
                        r.nic(),
                        r.tool(),
                        r.metric().replaceAll(" ?\\(.*", "").replace("t_typical", ""),
                        r.size(),
                        Double.toString(r.expected()).replaceAll("\\.0$", ""),
                        r.unit(),
                        r.simulated(),
                        r.errorPct()));
            }
        }
        GeneratedPart.check("validation.md", "rows", table.toString(), ValidationPagesTest::compare);
    }

    private static void compare(String page, String made) {
        String[] then = page.split("\n", -1);
        String[] now = made.split("\n", -1);
        assertThat(then).hasSameSizeAs(now);
        for (int i = 3; i < now.length - 1; i++) {
            String[] a = then[i].split("\\|", -1);
            String[] b = now[i].split("\\|", -1);
            assertThat(a[1]).isEqualTo(b[1]);
            assertThat(Double.parseDouble(a[SIMULATED]))
                    .as("row" + b[1])
                    .isCloseTo(Double.parseDouble(b[SIMULATED]), Percentage.withPercentage(1));
        }
    }
}
