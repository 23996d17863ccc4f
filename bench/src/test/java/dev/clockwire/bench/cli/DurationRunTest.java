package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.pcap.PacketReport;
import dev.clockwire.bench.pcap.PcapDecode;
import java.nio.file.Path;
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
