package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WavesCommandTest {
    private static final Path DOCS = Path.of("../docs");

    /** The commands of docs/timing-model.md, in a folder of their own. */
    private static JsonNode documented(Path folder) throws IOException {
        String page = Files.readString(DOCS.resolve("timing-model.md"));
        int from = page.indexOf("```\n", page.indexOf("<!-- commands: waves -->")) + 4;
        CommandRunner last = clockwire("--version");
        for (String line :
                page.substring(from, page.indexOf("```", from)).lines().toList()) {
            String[] words = line.replace("./clockwire ", "")
                    .replace(" run", " " + folder.resolve("run"))
                    .split(" ");
            last = clockwire(words);
            last.output();
        }
        return last.json();
    }

    /** The drawing in the page was made by wavedrom-cli 3.2.0 from timing.json: after a change make both anew. */
    @Test
    void thePageShowsWhatItsCommandsPrint(@TempDir Path folder) throws IOException {
        assertThat(documented(folder))
                .isEqualTo(
                        new ObjectMapper().readTree(DOCS.resolve("timing.json").toFile()));
        assertThat(Files.readString(DOCS.resolve("timing.svg"))).contains("requestPackets.valid");
    }

    /** A token stays in each of these channels for one cycle, and comes to the next only after it left the one before. */
    @Test
    void aTokenGoesThroughTheChannelsInTheirOrder(@TempDir Path folder) throws IOException {
        List<Integer> pulses = new ArrayList<>();
        for (JsonNode lane : documented(folder).get("signal")) {
            String wave = lane.get("wave").asText();
            if (!lane.get("name").asText().equals("clk")) {
                assertThat(wave).matches("0\\.*10\\.*");
                pulses.add(wave.indexOf('1'));
            }
        }
        assertThat(pulses).hasSize(6).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void whatIsNoWindowIsRefused(@TempDir Path folder) throws IOException {
        documented(folder);
        String file = folder.resolve("run/waves.vcd").toString();
        clockwire("waves", file, "doorbels").failsWith(ExitCode.INPUT, "'doorbels'", "did you mean doorbells?");
        clockwire("waves", file, "--cycles", "513").failsWith(ExitCode.USAGE, "513", "512");
        clockwire("waves", file, "--period", "0").failsWith(ExitCode.USAGE, "--period 0");
        clockwire("waves", file + "x").failsWith(ExitCode.INPUT, "no such file");
        Path none = Files.writeString(folder.resolve("x.vcd"), "#1\n1!\n");
        clockwire("waves", none.toString()).failsWith(ExitCode.INPUT, "line 2");
        assertThat(clockwire("waves", file, "--from", "1s").notes()).contains("nothing changes");
    }

    /** Names of states are text again, and unknown values are marked as such. */
    @Test
    void namesAndUnknownValues(@TempDir Path folder) throws IOException {
        String idle = bits("IDLE");
        String send = bits("SEND");
        Path file = Files.writeString(folder.resolve("x.vcd"), """
            $timescale 1ps $end
            $scope module top $end
            $var wire 32 ! state [31:0] $end
            $var wire 16 & count [15:0] $end
            $upscope $end
            $enddefinitions $end
            #0
            b%s !
            bx &
            #4000
            b%s !
            b101 &
            """.formatted(idle, send));
        JsonNode lanes = clockwire("waves", file.toString(), "--from", "0", "--cycles", "3")
                .json()
                .get("signal")
                .get(1);
        assertThat(lanes.toString())
                .isEqualTo("[\"top\",{\"name\":\"count\",\"wave\":\"x=.\",\"data\":[\"5\"]},"
                        + "{\"name\":\"state\",\"wave\":\"==.\",\"data\":[\"IDLE\",\"SEND\"]}]");
    }

    private static String bits(String text) {
        StringBuilder bits = new StringBuilder();
        Arrays.stream(text.split(""))
                .forEach(c -> bits.append(String.format("%8s", Integer.toBinaryString(c.charAt(0)))
                        .replace(' ', '0')));
        return bits.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--from", "--period"})
    void aTimeThatIsNoneIsNamedWithItsOption(String option) {
        clockwire("waves", "no.vcd", option, "-5").failsWith(2, option + ": '-5' is not a time");
    }

    @Test
    void aFileThatIsNoDumpIsNamed(@TempDir Path folder) throws IOException {
        for (String text : List.of("", "\n\n", "$timescale 1ps $end\n#0\n", "<!DOCTYPE html>\n")) {
            Path file = Files.writeString(folder.resolve("some.vcd"), text);
            clockwire("waves", file.toString()).failsWith(3, file + ": ");
        }
        String other = "$timescale\n  10 ns\n$end\n$var wire 1 ! a $end\n#0\n0!\n#1\n1!\n";
        Path file = Files.writeString(folder.resolve("other.vcd"), other);
        clockwire("waves", file.toString()).failsWith(3, file + ": its $timescale is 10ns, expected 1ps");
    }
}
