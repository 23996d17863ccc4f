package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class SelfcheckCommandTest {
    @Test
    void allTracesAgree() {
        JsonNode d = clockwire("selfcheck", "--json").json();
        assertThat(d.get("schema").asText()).isEqualTo("clockwire.selfcheck/1");
        assertThat(d.get("checks"))
                .hasSizeGreaterThan(20)
                .allMatch(c -> c.get("ok").asBoolean());
        assertThat(d.get("ok").asBoolean()).isTrue();
    }

    @Test
    void theTextHasALineForEachComparison() {
        assertThat(clockwire("selfcheck", "--profile", "article-2", "--seed", "9")
                        .text())
                .containsPattern("ok   write-bw RC 65536 B: activity = exhaustive: 0x[0-9a-f]{16}\n")
                .endsWith("all traces agree\n");
    }
}
