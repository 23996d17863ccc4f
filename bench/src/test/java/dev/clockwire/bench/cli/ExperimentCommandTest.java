package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fabric experiment} from the command line. */
class ExperimentCommandTest {
    @TempDir
    private Path folder;

    @Test
    void withoutANameTheyAreListed() {
        JsonNode list = clockwire("fabric", "experiment", "--json").json().get("experiments");
        assertThat(list).hasSizeGreaterThan(10);
        assertThat(list.get(0).get("name").asText()).isEqualTo("single-flow");
    }

    @Test
    void findingsStandBesideTheirRangesAndPicturesInTheDirectory() {
        Path out = folder.resolve("out");
        JsonNode json = clockwire(
                        "fabric", "experiment", "single-flow", "--seeds", "1", "--json", "--out", out.toString())
                .json();
        assertThat(json.get("passed").asBoolean()).isTrue();
        JsonNode first = json.get("findings").get(0);
        assertThat(first.get("found").asDouble())
                .isBetween(first.get("low").asDouble(), first.get("high").asDouble());
        assertThat(Files.exists(out.resolve("single-flow-alone.svg"))).isTrue();
        assertThat(Files.exists(out.resolve("single-flow-alone.csv"))).isTrue();
    }

    @Test
    void figuresHaveUnitsAndNoExponents() {
        String text =
                clockwire("fabric", "experiment", "ecn-high", "--seeds", "1").text();
        assertThat(text).doesNotContainPattern("\\de[+-]\\d").containsPattern("\\d us, expected [0-9.]+ to [0-9.]+ us");
    }

    @Test
    void mistakesAreNamed() {
        clockwire("fabric", "experiment", "victims").failsWith(3, "'victims'", "did you mean victim?");
        clockwire("fabric", "experiment", "victim", "--all").failsWith(2, "NAME or --all");
        clockwire("fabric", "experiment", "victim", "--seeds", "0").failsWith(2, "--seeds 0", "1 to 1000");
    }
}
