package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.pcap.PacketReport;
import dev.clockwire.bench.pcap.PcapDecode;
import dev.clockwire.sim.capture.CaptureReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run of given duration stops anywhere in the pattern of signals: what it counts is judged by the bytes on the wire. */
class DurationRunTest {
    @TempDir
    Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "write-bw -s 262144 -c RC --cq-mod 50, 262144",
        "write-bw -s 262144 -c UC --cq-mod 50, 262144",
        "write-bw -s 131072 -c RC --cq-mod 30 -q 3, 131072",
        "write-bw -s 262144 -c RC --cq-mod 50 --provider soft, 262144",
        "send-bw -s 65536 -c RC --cq-mod 50, 65536",
        "send-bw -s 4096 -c UD --cq-mod 50, 4096",
        "read-bw -s 262144 -c RC --cq-mod 50, 262144"
    })
    void everyMessageThatWasSentIsCounted(String line, long size) {
        String all = "perftest " + line + " -D 0.0001 -t 64 --exact --json --out " + folder;
        JsonNode d = clockwire(all.split(" ")).json();
        long counted = d.get("iterations").asLong() * d.get("qps").asLong();
        assertThat(counted * size).isEqualTo(payload(line.startsWith("read"))).isPositive();
    }

    /** What the run says of its end and what stands in its table are one number. */
    @Test
    void theReportHasOneNumberOfMessages() {
        String text = clockwire("perftest", "write-bw", "-s", "4096", "-D", "0.01", "-q", "3")
                .text();
        Matcher said = Pattern.compile("(\\d+) messages were measured").matcher(text);
        assertThat(said.find()).as(text).isTrue();
        assertThat(text).containsPattern("(?m)^ 4096 +" + said.group(1) + " ");
    }

    /** Options of the real tool: a traffic class is in every frame, a timeout is in the run's command, a service level needs a VLAN. */
    @Test
    void trafficClassTimeoutAndServiceLevel() throws IOException {
        clockwire(("perftest write-bw -s 4096 -n 5 --tclass 104 -u 18 --json --out " + folder).split(" "))
                .json();
        try (CaptureReader reader = CaptureReader.open(folder.resolve("capture.pcapng"))) {
            while (reader.next()) {
                assertThat(reader.data()[reader.dataOffset() + 15] & 0xFF)
                        .as("IPv4")
                        .isEqualTo(104);
            }
        }
        assertThat(Files.readString(folder.resolve("stats.json"))).contains("--qp-timeout 18 --tclass 104");
        clockwire("perftest", "write-bw", "-S", "3")
                .failsWith(2, "'-S'", "no VLAN tag; --tclass says their code point");
        clockwire("perftest", "write-bw", "-u", "32").failsWith(2, "-u 32 is outside its range 0 to 31");
        clockwire("perftest", "write-bw", "--tclass", "256").failsWith(2, "--tclass 256 is outside its range 0 to 255");
    }

    /** Returns the payload bytes of the frames that carry messages. */
    private long payload(boolean reads) {
        long sum = 0;
        for (PacketReport p :
                PcapDecode.decode(folder.resolve("capture.pcapng")).packets()) {
            String opcode = p.opcode();
            Integer bytes = p.payloadLen();
            if (opcode != null && bytes != null && opcode.contains("READ_RESPONSE") == reads) {
                sum += bytes;
            }
        }
        return sum;
    }
}
