package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code storage run} says of operations without success, and of what does not come back. */
class StorageFailuresTest {
    private static final String CRASH = "{at_us: 300, crash: node1}";
    private static final String HINT = "--quick-timers";

    @TempDir
    private Path folder;

    private CommandRunner run(String options, String... faults) throws IOException {
        Path file = Files.writeString(
                folder.resolve("faults.yaml"), "faults:\n  - " + String.join("\n  - ", faults) + "\n");
        return clockwire(
                ("storage run 3fs --provider soft --ssd media --replicas 2 --keys 8 " + options + " --faults " + file)
                        .split(" "));
    }

    /** The client gives up long before the manager of the real system has missed the node. */
    @Test
    void aReasonIsGivenAndWhatHelps() throws IOException {
        String text = run("--ops 200", CRASH).text();
        assertThat(text)
                .contains("2 replicas, 1 client: 199 operations ended well, 1 without success\n")
                .contains("  no success  1 COMMUNICATION\n")
                .contains(HINT);
        String quick = run("--ops 200 --quick-timers", CRASH).text();
        assertThat(quick)
                .contains("200 operations ended well, 0 without success\n")
                .doesNotContain("no success", HINT);
    }

    @Test
    void reasonsAddUpToTheOperationsWithoutSuccess() throws IOException {
        JsonNode d = run("--ops 60 --clients 3 --json", CRASH).json();
        long sum = 0;
        for (JsonNode n : d.get("failures")) {
            sum += n.asLong();
        }
        assertThat(sum).isPositive().isEqualTo(d.get("ops_failed").asLong());
    }

    /** Both replicas are needed: one missed writes while it was away, and the other one's disk has failed meanwhile. */
    @Test
    void aReplicaWhoseDiskIsGoneIsSaid() throws IOException {
        String text = run(
                        "--ops 20 --quick-timers",
                        "{at_us: 300, crash: node1, restart_after_us: 3000}",
                        "{at_us: 500, disk: {error: node0}}")
                .printed();
        assertThat(text)
                .contains("gone for good: ssd0 of node0; what waits for it waits for ever\n")
                .contains("replicas not compared: gave up after");
        assertThat(run("--ops 200 --quick-timers", "{at_us: 300, disk: {error: node0}}")
                        .text())
                .contains("gone for good: ssd0 of node0; replicas are those in service\n", "replicas equal");
    }

    @Test
    void aSizeIsRefusedAsItWasTyped() {
        clockwire("perftest", "send-lat", "-c", "UD", "-s", "64k")
                .failsWith(2, "-s 64k is outside its range 0 to 4096");
        clockwire("perftest", "write-lat", "-s", "4g").failsWith(2, "-s 4g is outside its range 0 to 1073741824");
        clockwire("explain", "atomic", "-s", "4k").failsWith(2, "-s 4k: atomics have one size");
        clockwire("nvmf", "perf", "--local", "-q", "1", "-o", "1g", "-w", "read", "-t", "1")
                .failsWith(2, "-o 1g is outside its range 512 to 16777216");
        clockwire("nvmf", "perf", "--local", "-q", "0k", "-o", "4k", "-w", "read", "-t", "1")
                .failsWith(2, "-q 0k is outside its range 1 to 65536");
    }
}
