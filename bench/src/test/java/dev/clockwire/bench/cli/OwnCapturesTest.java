package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Captures of our own devices under loss, duplication, reordering and corruption, as one host saw them, are explained by a replay without a
 * rest: what the server answered by the rules on the requests that reached it, what the client asked by the answers that reached it.
 */
class OwnCapturesTest {
    private static final String FAULTS = """
            faults:
              - {drop: frame, probability: 0.01}
              - {duplicate: frame, probability: 0.01}
              - {reorder: frame, probability: 0.01}
              - {corrupt: frame, probability: 0.01}
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "write-bw -s 10000 -m 1024 -q 2, hw, 1",
        "write-bw -s 3000 -m 256 -q 1, soft, 2",
        "send-bw -s 5000 -m 512 -q 3, hw, 3",
        "send-bw -s 9000 -m 4096 -q 2, soft, 4",
        "read-bw -s 10000 -m 1024 -q 2, hw, 5",
        "read-bw -s 5000 -m 2048 -q 1, soft, 6",
        "atomic-bw -q 2, hw, 7",
        "atomic-bw -q 3, soft, 8",
        "write-bw -c UC -s 5000 -m 1024 -q 2, soft, 9",
    })
    void nothingIsUnexplained(String tool, String provider, int seed) throws IOException {
        Path faults = Files.writeString(folder.resolve("f.yaml"), FAULTS);
        for (String view : new String[] {"server", "client"}) {
            Path out = folder.resolve(view);
            clockwire(("perftest " + tool + " -n 40 --provider " + provider + " --seed " + seed + " --view " + view
                            + " --faults " + faults + " --out " + out)
                    .split(" "));
            String role = view.equals("server") ? "responder" : "requester";
            for (String simulated : new String[] {"hw", "soft"}) {
                JsonNode d = clockwire(("pcap replay " + out.resolve("capture.pcapng") + " --as " + role
                                        + " --provider " + simulated + " --json")
                                .split(" "))
                        .json();
                assertThat(d.get("differences")).as(role + " on " + simulated).isEmpty();
                assertThat(d.get("requests_lost")).isEmpty();
                assertThat(d.get("requests_fed").asInt()).isPositive();
            }
        }
    }
}
