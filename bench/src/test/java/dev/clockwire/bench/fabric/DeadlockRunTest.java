package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.SimSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in which switches wait for each other in circles: which ones, and what the rest of the fabric does meanwhile. */
class DeadlockRunTest {
    private static final int RING = 5;
    private static final String ALWAYS = "switches: {buffer: {mib: 4}%s}\nhosts: {dcqcn: off, timeout_us: %d}\n";

    @TempDir
    private Path folder;

    private final List<String> hosts = new ArrayList<>();
    private final List<String> switches = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private final List<String> flows = new ArrayList<>();

    /** A ring of five switches with a host each, whose flows pass two links. */
    private void ring(String name) {
        for (int i = 0; i < RING; i++) {
            hosts.add(name + "h" + i);
            switches.add(name + i);
            link(name + "h" + i, name + i);
            link(name + i, name + (i + 1) % RING);
            flows.add("  - {from: %sh%d, to: %sh%d, bytes: 8000000}".formatted(name, i, name, (i + 2) % RING));
        }
    }

    private void link(String a, String b) {
        links.add("  - {between: [%s, %s], gbps: 100, delay_us: 1}".formatted(a, b));
    }

    private FabricResult run(String watchdog, int timeoutUs) throws IOException {
        String text = "nodes: {hosts: " + hosts + ", switches: " + switches + "}\nlinks:\n" + String.join("\n", links)
                + "\n" + ALWAYS.formatted(watchdog, timeoutUs) + "flows:\n" + String.join("\n", flows)
                + "\nuntil_ms: 100\n";
        Path file = Files.writeString(folder.resolve("f.yaml"), text);
        return new FabricRun(FabricFile.read(file, 1), SimSpec.of(1)).run();
    }

    @Test
    void everyCircleIsNamed() throws IOException {
        ring("a");
        ring("b");
        FabricResult result = run("", 0);
        assertThat(result.deadlocks())
                .containsExactly(
                        List.of("a0->a1", "a1->a2", "a2->a3", "a3->a4", "a4->a0"),
                        List.of("b0->b1", "b1->b2", "b2->b3", "b3->b4", "b4->b0"));
        assertThat(result.deadlock()).isEqualTo(result.deadlocks().get(0));
        assertThat(result.simulatedMs()).as("nothing moves any more").isLessThan(3);
    }

    @Test
    void flowsBesideADeadlockComeToTheirEnd() throws IOException {
        ring("a");
        hosts.addAll(List.of("x", "y"));
        switches.add("t");
        link("x", "t");
        link("y", "t");
        flows.add("  - {from: x, to: y, bytes: 8000000}");
        flows.add("  - {from: y, to: x, bytes: 1000, start_us: 9000}");
        FabricResult result = run("", 0);
        assertThat(result.deadlocks()).hasSize(1);
        assertThat(result.flows().stream().map(FabricResult.Flow::status))
                .containsExactly(
                        "unfinished", "unfinished", "unfinished", "unfinished", "unfinished", "success", "success");
    }

    /** What the watchdog drops is no fault of a neighbour. */
    @Test
    void whatTheWatchdogDropsIsSaidToBeIts() throws IOException {
        ring("a");
        FabricResult result = run(", watchdog: {detect_ms: 0.2}", 500);
        assertThat(result.flows()).allMatch(f -> f.status().equals("success"));
        assertThat(result.drops()).isPositive();
        assertThat(result.findings()).isNotEmpty().allMatch(f -> f.rule().equals("watchdog"));
    }
}
