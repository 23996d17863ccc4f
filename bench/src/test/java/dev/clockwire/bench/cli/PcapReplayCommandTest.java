package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.pcap.CaptureReport;
import dev.clockwire.bench.pcap.PcapDecode;
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

class PcapReplayCommandTest {
    private static final String CAPTURES = "src/test/resources/dev/clockwire/bench/replay/captures/";
    private static final String SETUPS = "src/test/resources/dev/clockwire/bench/replay/setups/";
    private static final String RNR = "verbs-send-too-long-nak.pcap";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"hw", "soft"})
    void leavesWhatTheSimulatedSideSent(String provider) {
        Path out = folder.resolve("out");
        JsonNode report = clockwire(
                        "pcap",
                        "replay",
                        CAPTURES + RNR,
                        "--as",
                        "responder",
                        "--provider",
                        provider,
                        "--out",
                        out.toString(),
                        "--json")
                .json();
        assertThat(report.get("schema").asText()).isEqualTo("clockwire.pcap-replay/1");
        assertThat(report.get("requests_fed").asInt()).isEqualTo(2);
        assertThat(report.get("answers_got").asInt()).isEqualTo(2);
        assertThat(report.get("matching").asInt()).isEqualTo(1);
        assertThat(report.get("requests_lost").isEmpty()).isTrue();
        assertThat(report.get("known_deviations").get(0).get("rule").asText()).isEqualTo("too-long-0x63");
        CaptureReport sent = PcapDecode.decode(out.resolve("capture.pcapng"));
        assertThat(sent.icrcGood()).isEqualTo(2);
        assertThat(sent.packets().get(1).aeth()).extracting("syndrome").isEqualTo("0x61");
    }

    /** What Clockwire sends itself is replayed too: its memory lies where the replaying device would have put its own. */
    @ParameterizedTest
    @ValueSource(
            strings = {"read-bw -s 8192 -q 2 -m 1024", "write-bw -s 5000 -q 3", "atomic-bw", "send-bw -c UC -s 3000"})
    void replaysOwnCaptures(String tool) {
        Path out = folder.resolve("run");
        List<String> perftest = new ArrayList<>(List.of("perftest", "-n", "6", "--out", out.toString()));
        perftest.addAll(1, List.of(tool.split(" ")));
        clockwire(perftest.toArray(String[]::new)).text();
        String capture = out.resolve("capture.pcapng").toString();
        for (String provider : List.of("hw", "soft")) {
            for (String role : List.of("responder", "requester")) {
                JsonNode report = clockwire("pcap", "replay", capture, "--as", role, "--provider", provider, "--json")
                        .json();
                assertThat(report.get("matching").asInt())
                        .isEqualTo(report.get("answers_expected").asInt());
            }
        }
    }

    /** Both sides' taps are where frames leave, so what the link drops is lost behind the tap. */
    @ParameterizedTest
    @ValueSource(strings = {"read-bw -s 8192 -m 1024", "write-bw -s 8192 -m 1024", "send-bw -s 3000 -m 1024"})
    void replaysOwnLossyCaptures(String tool) throws IOException {
        Path faults = folder.resolve("faults.yaml");
        Files.writeString(faults, "faults: [{drop: frame, probability: 0.03}]\n");
        Path out = folder.resolve("run");
        List<String> perftest = new ArrayList<>(
                List.of("perftest", "-n", "20", "--seed", "3", "--faults", faults.toString(), "--out", out.toString()));
        perftest.addAll(1, List.of(tool.split(" ")));
        clockwire(perftest.toArray(String[]::new)).text();
        String capture = out.resolve("capture.pcapng").toString();
        JsonNode answers = clockwire("pcap", "replay", capture, "--as", "responder", "--provider", "soft", "--json")
                .json();
        assertThat(answers.get("requests_lost")).isNotEmpty();
        assertThat(answers.get("matching")).isEqualTo(answers.get("answers_expected"));
        for (String provider : List.of("hw", "soft")) {
            clockwire("pcap", "replay", capture, "--as", "requester", "--provider", provider)
                    .text();
        }
    }

    @Test
    void saysItInWords() {
        assertThat(clockwire("pcap", "replay", CAPTURES + RNR, "--as", "responder")
                        .text())
                .contains("known deviation too-long-0x63")
                .contains("2 requests fed, 1 of 2 answers match, 2 given, 1 known deviation, 0 differences");
    }

    @Test
    void aDifferenceIsAFailedCheck() {
        // the set-up of another run: its keys are unknown here
        JsonNode report = clockwire(
                        "pcap",
                        "replay",
                        CAPTURES + "write-lat-2b-noinline.pcap",
                        "--as",
                        "responder",
                        "--setup",
                        SETUPS + "write-lat-256b-inline.yaml",
                        "--json")
                .json(1);
        assertThat(report.get("differences").get(0).get("got").asText()).isEqualTo("0x62");
    }

    @Test
    void optionsAreChecked() {
        clockwire("pcap", "replay", CAPTURES + RNR).failsWith(2, "--as");
        clockwire("pcap", "replay", CAPTURES + RNR, "--as", "respander")
                .failsWith(2, "unknown role 'respander'", "responder");
        clockwire("pcap", "replay", CAPTURES + RNR, "--as", "requester", "--provider", "hard")
                .failsWith(2, "unknown provider 'hard'");
        clockwire("pcap", "replay", "--as", "requester").failsWith(2, "FILE");
    }

    @Test
    void filesThatCannotBeUsedLeaveNothing() throws IOException {
        Path garbage = folder.resolve("garbage");
        Files.writeString(garbage, "This is no capture.");
        Path cut = folder.resolve("cut.pcap");
        byte[] whole = Files.readAllBytes(Path.of(CAPTURES + RNR));
        Files.write(cut, Arrays.copyOf(whole, whole.length / 2));
        Path setup = folder.resolve("setup.yaml");
        Files.writeString(setup, "qps:\n  - {qpn: 1, peer: 2}\n");
        String out = folder.resolve("out").toString();
        clockwire("pcap", "replay", folder + "/none", "--as", "responder", "--out", out)
                .failsWith(3, "none");
        clockwire("pcap", "replay", garbage.toString(), "--as", "responder", "--out", out)
                .failsWith(3, "garbage", "expected the magic number");
        clockwire("pcap", "replay", cut.toString(), "--as", "requester", "--out", out)
                .failsWith(3, "cut.pcap: offset");
        clockwire("pcap", "replay", CAPTURES + RNR, "--as", "responder", "--setup", setup.toString(), "--out", out)
                .failsWith(3, "setup.yaml:2:", "unknown key 'peer'");
        clockwire("pcap", "replay", CAPTURES + RNR, "--as", "responder", "--setup", folder + "/no.yaml")
                .failsWith(3, "no.yaml");
        assertThat(folder.resolve("out")).doesNotExist();
    }
}
