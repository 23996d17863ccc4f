package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.SimSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of fabrics that people have reported in public, each as a small run; repository and number stand beside it. */
class PublicFaultsTest {
    @TempDir
    private Path folder;

    private FabricResult run(EndpointKind kind, String yaml) throws IOException {
        FabricJob job = FabricFile.read(Files.writeString(folder.resolve("f.yaml"), yaml), 1);
        FabricRun run = new FabricRun(job, SimSpec.of(1));
        return run.endpoints(kind, Profiles.named("cx6-200g"), p -> p).run();
    }

    private FabricResult run(String yaml) throws IOException {
        return run(EndpointKind.LIGHT, yaml);
    }

    private static String incast(String buffer, String rest) {
        return """
                topology: {kind: star, hosts: 9, gbps: 100, delay_us: 1}
                framing: bare
                switches: {buffer: {BUFFER}REST}
                hosts: {dcqcn: off, payload: 1000, header_bytes: 48}
                flows:
                  - incast: {from: 8, to: host8, bytes: 2000000}
                until_ms: 20
                """.replace("BUFFER", buffer).replace("REST", rest);
    }

    /** High-Precision-Congestion-Control 14: no pauses, since the buffer is so large that the threshold is never reached. */
    @Test
    void aBufferCanBeSoLargeThatNobodyIsPaused() throws IOException {
        FabricResult large = run(incast("mib: 32", ""));
        assertThat(large.pauses()).isZero();
        assertThat(large.findings()).singleElement().satisfies(f -> {
            assertThat(f.rule()).isEqualTo("nobody-told");
            assertThat(f.text())
                    .containsPattern("XOFF comes when a port holds 2[0-9]{6} B of what came in by it, and the fullest,"
                            + " switch->host[0-7], held 1[0-9]{6} B");
            assertThat(f.where()).as("where the queue is").isEqualTo("switch->host8");
        });
        FabricResult small = run(incast("mib: 4", ""));
        assertThat(small.pauses()).isPositive();
        assertThat(small.findings()).isEmpty();
    }

    /** High-Precision-Congestion-Control 15 and 53, ns3-rdma 28: losses while flow control works. */
    @ParameterizedTest
    @CsvSource({"27000, 0", "26000, 1"})
    void headroomThatIsShortIsSaidInBytes(int headroom, int loses) throws IOException {
        FabricResult r = run(incast("mib: 4", ", headroom_bytes: " + headroom));
        assertThat(r.pauses()).isPositive();
        assertThat(r.drops() > 0).isEqualTo(loses == 1);
        assertThat(r.findings().isEmpty()).isEqualTo(loses == 0);
        assertThat(r.findings())
                .allMatch(f -> f.rule().equals("headroom")
                        && f.text().contains("headroom short by ")
                        && f.text().contains("cable 25000 B, frames of 1048 B"));
    }

    /** The same, 28: a lost tail is never sent again without a timer. */
    @ParameterizedTest
    @ValueSource(ints = {0, 500})
    void aLostTailNeedsATimer(int timeout) throws IOException {
        FabricResult r = run(("""
                nodes: {hosts: [a, b], switches: [s]}
                links:
                  - {between: [a, s], gbps: 100, delay_us: 1, loss: 0.02}
                  - {between: [b, s], gbps: 100, delay_us: 1}
                hosts: {dcqcn: off, timeout_us: TIMEOUT, nak_us: 100}
                flows:
                """ + "  - {from: a, to: b, bytes: 10000, start_us: 0}\n".repeat(40) + "until_ms: 50\n")
                .replace("TIMEOUT", "" + timeout));
        assertThat(r.lost()).isPositive();
        boolean all = r.flows().stream().allMatch(f -> f.status().equals("success"));
        assertThat(all).isEqualTo(timeout > 0);
        assertThat(r.findings().stream().anyMatch(f -> f.rule().equals("no-timeout")))
                .isEqualTo(timeout == 0);
    }

    /** The same, 65: one acknowledgement for so many packets, and one at the end. */
    @ParameterizedTest
    @CsvSource({"100, 5", "105, 6", "19, 1"})
    void acknowledgementsKeepTheirInterval(int packets, int acknowledgements) throws IOException {
        FabricResult r = run("""
                topology: {kind: star, hosts: 2, gbps: 100, delay_us: 1}
                hosts: {dcqcn: off, payload: 1000, ack_every: 20}
                flows:
                  - {from: host0, to: host1, bytes: PACKETS000}
                """.replace("PACKETS", "" + packets));
        assertThat(r.flows()).allMatch(f -> f.status().equals("success"));
        assertThat(r.dataPackets()).isEqualTo(packets);
        assertThat(r.frames()).as("each twice").isEqualTo(2L * (packets + acknowledgements));
    }

    /** SimAI 286: classes of a pause were taken for numbers of queue pairs. Here NICs with one and two of them are paused in classes 3 and 7. */
    @ParameterizedTest
    @CsvSource({"1, 3", "2, 3", "1, 7", "2, 7"})
    void aClassIsNoNumberOfAQueuePair(int pairs, int priority) throws IOException {
        FabricResult r = run(
                EndpointKind.HW,
                """
                topology: {kind: star, hosts: 3, gbps: 100, delay_us: 1}
                switches: {buffer: {mib: 1}, pfc: {classes: [CLASS]}}
                hosts: {dcqcn: off, priority: CLASS, answer_priority: 6}
                flows:
                """.replace("CLASS", "" + priority)
                        + "  - incast: {from: 2, to: host2, bytes: 1000000}\n".repeat(pairs));
        assertThat(r.pauses()).isPositive();
        assertThat(r.drops()).isZero();
        assertThat(r.flows())
                .hasSize(2 * pairs)
                .allMatch(f -> f.status().equals("success") && f.retransmissions() == 0);
    }

    /** ns-3-alibabacloud 12: a lab saw pauses where its model had none, until notifications took the time that NICs take. */
    @Test
    void lateNotificationsBringPauses() throws IOException {
        long before = -1;
        for (int late : new int[] {0, 5, 55}) {
            long pauses = run("""
                    nodes: {hosts: [a, b, c], switches: [s]}
                    links:
                      - {between: [a, s], gbps: 100, delay_us: 1}
                      - {between: [b, s], gbps: 100, delay_us: 1}
                      - {between: [c, s], gbps: 25, delay_us: 1}
                    switches: {buffer: {mib: 9}, ecn: {kmin_kb: 102, kmax_kb: 416, pmax: 0.2}}
                    hosts: {dcqcn: nvidia, cnp: {latency_us: LATE}}
                    flows:
                      - {from: a, to: c, bytes: 20000000}
                      - {from: b, to: c, bytes: 20000000}
                    until_ms: 30
                    """.replace("LATE", "" + late)).pauses();
            assertThat(pauses).as("latency of %d us", late).isGreaterThan(before);
            assertThat(pauses > 0).isEqualTo(late > 0);
            before = pauses;
        }
    }
}
