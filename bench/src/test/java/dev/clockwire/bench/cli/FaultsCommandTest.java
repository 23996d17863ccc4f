package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.pcap.CaptureReport;
import dev.clockwire.bench.pcap.PcapDecode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault plans about hosts, from a file to what the tools say, on both providers. */
class FaultsCommandTest {
    @TempDir
    private Path folder;

    private String[] line(String command, String entry) throws IOException {
        Path file = Files.writeString(folder.resolve("f.yaml"), "faults:\n  - {" + entry + "}\n");
        return ("perftest " + command + " --faults " + file).split(" ");
    }

    @ParameterizedTest
    @CsvSource({
        "hw, crash: server", "soft, crash: server", "hw, restart: server", "soft, restart: server",
        "hw, reset: server", "soft, reset: server", "hw, link: {down: link}", "soft, link: {down: link}"
    })
    void aLostPeerEndsTheRunWithItsStatus(String provider, String fault) throws IOException {
        clockwire(line("write-bw -s 4096 -n 100000 --provider " + provider, fault + ", at_us: 100"))
                .failsWith(3, "client: ", "RETRY_EXC_ERR", "Fault 1 (", "1 time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hw", "soft"})
    void bothSidesOfAPingPongSayWhatTheySaw(String provider) throws IOException {
        clockwire(line("send-lat -n 100000 --provider " + provider, "link: {down: link}, at_us: 100"))
                .failsWith(3, "client: ", "server: ", "RETRY_EXC_ERR");
    }

    @ParameterizedTest
    @CsvSource({"hw, crash", "soft, crash", "hw, restart", "soft, restart"})
    void aCrashedClientEndsTheRun(String provider, String what) throws IOException {
        clockwire(line("write-bw -s 4096 -n 100000 --provider " + provider, what + ": client, at_us: 100"))
                .failsWith(3, "client: crashed");
    }

    /** The queue has one entry, so that the NIC reads for each completion how far it has been polled; it cannot, and nothing overflowed. */
    @ParameterizedTest
    @ValueSource(strings = {"read-lat", "atomic-lat"})
    void aQueueWhoseRecordCannotBeReadEndsTheRunAsAFailedOperationDoes(String tool) throws IOException {
        String fault = "ca: tlp, match: {type: MRd}, packets: [3], direction: upstream, host: client";
        clockwire(line(tool + " -n 20", fault))
                .failsWith(3, "client: poll_cq: EIO", "could not read its record", " us; server: ", "Fault 1 (ca: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hw", "soft"})
    void aResetClientHearsOfItsFlushedWork(String provider) throws IOException {
        clockwire(line("write-bw -s 4096 -n 100000 --provider " + provider, "reset: client, at_us: 100"))
                .failsWith(3, "client: ", "WR_FLUSH_ERR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hw", "soft"})
    void aProgramSeesCompletionsOutOfOrder(String provider) throws IOException {
        String command = "write-bw -s 64 -n 200 --cq-mod 1 --json --provider " + provider;
        JsonNode d =
                clockwire(line(command, "cqe_order: client, probability: 0.1")).json();
        assertThat(d.get("iterations").asInt()).isEqualTo(200);
        long hits = d.get("faults").get(0).get("hits").asLong();
        assertThat(hits).isBetween(5L, 40L);
        assertThat(d.get("completions_out_of_order").asLong()).isBetween(1L, hits);
        assertThat(clockwire(line(command.replace(" --json", ""), "cqe_order: client, frames: [3]"))
                        .text())
                .contains("Completions out of order: 1", "Fault 1 (cqe_order: host0): 1 time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hw", "soft"})
    void aPauseCostsItsTime(String provider) throws IOException {
        String command = "read-lat -s 8 -n 1000 --json --provider " + provider;
        JsonNode d = clockwire(line(command, "pause: server, at_us: 100, for_us: 10"))
                .json();
        assertThat(d.get("latency_us").get("max").asDouble()).isGreaterThan(10);
        assertThat(d.get("faults").get(0).get("action").asText()).isEqualTo("pause: host1");
    }

    @Test
    void aRuleThatNeverStrikesIsReported() throws IOException {
        String entry = "drop: frame, frames: [100000]";
        assertThat(clockwire(line("write-lat -n 5", entry)).notes()).contains("Fault 1 (drop: frame): never struck");
        assertThat(clockwire(line("write-lat -n 5", "link: {down: link}, at_us: 1000000"))
                        .notes())
                .contains("never struck");
        String[] explain = line("", entry);
        assertThat(clockwire("explain", "write", "--faults", explain[explain.length - 1])
                        .notes())
                .contains("never struck");
        assertThat(clockwire(line("write-lat -n 5", "drop: frame, frames: [1], match: {opcode: RC_RDMA_WRITE*}"))
                        .notes())
                .isEmpty();
    }

    @Test
    void whatMeansNothingIsRefused() throws IOException {
        clockwire(line("write-lat", "crash: server, at_us: 1, for_us: 3")).failsWith(3, "restart_after_us");
        clockwire(line("write-lat", "pause: server, at_us: 1, for_us: 2, restart_after_us: 3"))
                .failsWith(3, "means nothing");
        clockwire(line("write-lat", "cqe_order: server, at_event: nak")).failsWith(3, "completions");
        clockwire(line("write-lat", "cqe_order: server, probability: 1, match: {qp: 3}"))
                .failsWith(3, "completions");
        clockwire(line("write-lat", "disk: {slow: server}, at_us: 1")).failsWith(3, "cannot happen");
    }

    @Test
    void aCaptureShowsWhatOneSideSees() throws IOException {
        String entry = "drop: frame, frames: [2], match: {opcode: RC_RDMA_WRITE_ONLY}";
        int line = writes(entry, "line");
        assertThat(line).as("the lost one and its repetition").isGreaterThan(20);
        assertThat(writes(entry, "client")).isEqualTo(line);
        assertThat(writes(entry, "server")).isEqualTo(line - 1);
        String damage = "corrupt: frame, frames: [2], bit: 700, direction: tx";
        writes(damage, "client");
        assertThat(PcapDecode.decode(folder.resolve("client/capture.pcapng")).icrcBad())
                .isZero();
        writes(damage, "server");
        assertThat(PcapDecode.decode(folder.resolve("server/capture.pcapng")).icrcBad())
                .isEqualTo(1);
    }

    private int writes(String entry, String view) throws IOException {
        Path out = folder.resolve(view);
        clockwire(line("write-bw -s 1000 -n 20 --view " + view + " --out " + out, entry))
                .text();
        CaptureReport capture = PcapDecode.decode(out.resolve("capture.pcapng"));
        return (int) capture.packets().stream()
                .filter(p -> "RC_RDMA_WRITE_ONLY".equals(p.opcode()))
                .count();
    }

    /** One completion comes 5 us late: so does one READ, and the others as without it. */
    @Test
    void aPacketOfTheHostsLinkCanComeLate() throws IOException {
        String command = "read-lat -s 64 -n 50 --json";
        JsonNode plain = clockwire(("perftest " + command).split(" ")).json().get("latency_us");
        JsonNode d = clockwire(line(
                        command,
                        "delay: tlp, match: {type: CplD}, packets: 40, direction: downstream, host: client, for_us: 5"))
                .json();
        JsonNode late = d.get("latency_us");
        assertThat(late.get("p50")).isEqualTo(plain.get("p50"));
        assertThat(late.get("max").asDouble() - late.get("p50").asDouble()).isCloseTo(5.0, within(0.02));
        assertThat(d.get("faults").get(0).get("hits").asLong()).isEqualTo(1);
        assertThat(d.get("faults").get(0).get("action").asText()).isEqualTo("delay: tlp CplD from host0");
    }

    /** A wrong bit costs a NAK and a repetition, and nothing of it is to be seen but the time; each is counted at its receiver. */
    @Test
    void wrongBitsOnTheHostsLinkAreRepaired() throws IOException {
        String bits = "corrupt: tlp, packets: [40, 44], direction: downstream, host: client}\n"
                + "  - {corrupt: dllp, packets: 7, direction: upstream, host: server";
        JsonNode d =
                clockwire(line("read-lat -s 64 -n 50 --json --counters", bits)).json();
        assertThat(d.get("iterations").asInt()).isEqualTo(50);
        assertThat(d.get("faults").get(0).get("hits").asLong()).isEqualTo(2);
        assertThat(d.get("faults").get(1).get("hits").asLong()).isEqualTo(1);
        JsonNode us = d.get("latency_us");
        assertThat(us.get("max").asDouble()).isGreaterThan(us.get("p50").asDouble() + 0.1);
        JsonNode clean = clockwire("perftest", "read-lat", "-s", "64", "-n", "50", "--json")
                .json();
        assertThat(us.get("p50")).isEqualTo(clean.get("latency_us").get("p50"));
        assertThat(d.get("content_hash")).isEqualTo(clean.get("content_hash"));
    }

    /** Each fault ends with the status that the verbs know it by; what is never answered is given up after 10 ms. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "read-lat -s 64 | ur: tlp, match: {type: MRd}, direction: upstream, host: server | REM_OP_ERR | 1 time",
                "write-bw -s 4096 | ca: tlp, match: {type: MRd}, direction: upstream, host: client | LOC_QP_OP_ERR |"
                        + " us;",
                "write-bw -s 4096 | poison: tlp, match: {type: CplD}, direction: downstream, host: client |"
                        + " LOC_QP_OP_ERR | us;",
                "write-bw -s 4096 | malform: tlp, match: {type: CplD}, direction: downstream, host: client |"
                        + " LOC_QP_OP_ERR | at 100",
                "write-bw -s 4096 | drop: tlp, match: {type: MRd}, direction: upstream, host: client | LOC_QP_OP_ERR |"
                        + " at 100"
            })
    void faultsOfPacketsEndWithTheirStatus(String command, String fault, String status, String also)
            throws IOException {
        clockwire(line(command + " -n 50", fault + ", packets: 10")).failsWith(3, status, also, "1 time");
    }

    @Test
    void softwareDevicesHaveNoLinkToTheirHost() throws IOException {
        clockwire(line(
                        "write-lat -n 5 --provider soft",
                        "drop: tlp, match: {type: MRd}, packets: 1, direction: upstream, host: client"))
                .failsWith(3, "PCIe", "hardware");
    }
}
