package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfileCommandsTest {
    private static final String[] STABLE_PATHS = {
        "nic.blueflame",
        "nic.wqe.outstanding_fetches",
        "nic.dma.payload_outstanding_reads",
        "nic.core_mhz",
        "pcie.generation",
        "pcie.lanes",
        "pcie.mps",
        "pcie.mrrs",
        "link.gbps",
        "link.mtu"
    };

    private static JsonNode value(JsonNode document, String path) {
        for (JsonNode v : document.get("values")) {
            if (v.get("path").asText().equals(path)) {
                return v;
            }
        }
        throw new AssertionError(path + " is missing");
    }

    @Test
    void listNamesTheProfilesAndTheDefault() {
        assertThat(clockwire("profile", "list").text())
                .contains("article-1", "article-2", "cx5-100g", "cx6-200g")
                .containsPattern("cx7-400g .*\\(default\\)\n");
        JsonNode document = clockwire("profile", "list", "--json").json();
        List<String> names = new ArrayList<>();
        document.get("profiles").forEach(p -> names.add(p.get("name").asText()));
        assertThat(names).contains("article-1", "cx7-400g").doesNotHaveDuplicates();
    }

    @Test
    void showGivesEveryStablePathWithSourceAndConfidence() {
        JsonNode document = clockwire("profile", "show", "article-1", "--json").json();
        assertThat(document.get("schema").asText()).isEqualTo("clockwire.profile/1");
        assertThat(document.get("name").asText()).isEqualTo("article-1");
        for (String path : STABLE_PATHS) {
            JsonNode v = value(document, path);
            assertThat(v.get("source").asText()).isNotEmpty();
            assertThat(v.get("confidence").asText()).matches("[ABC]");
        }
    }

    @Test
    void valuesAreTyped() {
        JsonNode document = clockwire("profile", "show", "article-1", "--json").json();
        assertThat(value(document, "pcie.mrrs").get("value").isIntegralNumber()).isTrue();
        assertThat(value(document, "nic.blueflame").get("value").isBoolean()).isTrue();
        assertThat(value(document, "host.payload_translation_ns").get("value").isDouble())
                .isTrue();
        assertThat(value(document, "pcie.dllp").get("value").isTextual()).isTrue();
    }

    @Test
    void showAppliesOverrides() {
        assertThat(value(
                                clockwire("profile", "show", "article-1", "-P", "pcie.lanes=8", "--json")
                                        .json(),
                                "pcie.lanes")
                        .get("value")
                        .asInt())
                .isEqualTo(8);
    }

    @Test
    void showAsTextHasALineForEachParameter() {
        String text = clockwire("profile", "show", "cx7-400g").text();
        assertThat(text).startsWith("cx7-400g: ").containsPattern("\nlink.mtu +4096 +B +[ABC] +Path MTU");
    }

    @Test
    void diffShowsOnlyDifferences() {
        JsonNode document =
                clockwire("profile", "diff", "cx6-200g", "cx7-400g", "--json").json();
        assertThat(document.get("differences").toString()).contains("link.gbps").doesNotContain("nic.core_mhz");
        assertThat(clockwire("profile", "diff", "cx6-200g", "cx7-400g").text())
                .containsPattern("link.gbps +Gb/s +200 +400");
        assertThat(clockwire("profile", "diff", "cx7-400g", "cx7-400g", "--json")
                        .json()
                        .get("differences"))
                .isEmpty();
    }

    @Test
    void mistakesAreExitCode3WithTheNearestName() {
        clockwire("profile", "show", "cx6-220g").failsWith(3, "cx6-220g", "cx6-200g");
        clockwire("profile", "diff", "cx7-400g", "article1").failsWith(3, "article-1");
        clockwire("profile", "show", "cx7-400g", "-P", "nic.dma.payload_outstanding_read=4")
                .failsWith(3, "payload_outstanding_reads");
        clockwire("profile", "show", "cx7-400g", "-P", "pcie.lanes=3").failsWith(3, "pcie.lanes=3", "1, 2, 4, 8, 16");
        clockwire("profile", "shwo").failsWith(2, "shwo", "show");
    }
}
