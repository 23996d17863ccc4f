package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.cli.TraceEvents.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code timeline.perfetto-trace}: arrows lead from a post through its packets and TLPs to its CQE. */
class TimelineTest {
    private static final int MTU = 4096;

    @TempDir
    private Path folder;

    private List<Event> events(String command) throws IOException {
        clockwire((command + " --out " + folder.resolve("out")).split(" ")).notes();
        return TraceEvents.of(Files.readAllBytes(folder.resolve("out/timeline.perfetto-trace")))
                .events();
    }

    private static Map<Long, List<Event>> flows(List<Event> events) {
        Map<Long, List<Event>> flows = new TreeMap<>();
        for (Event e : events) {
            Stream.of(e.flows(), e.ends())
                    .flatMap(List::stream)
                    .forEach(f ->
                            flows.computeIfAbsent(f, k -> new ArrayList<>()).add(e));
        }
        return flows;
    }

    private String dropping(String match) throws IOException {
        return Files.writeString(folder.resolve("f.yaml"), "faults: [{drop: frame, frames: [3, 8], " + match + "}]\n")
                .toString();
    }

    /** Of all kinds of operations, also when many are under way on many queue pairs, and packets are lost. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "perftest write-bw -s 9000 -n 20 -q 3",
                "perftest write-bw -s 9000 -n 20 -q 2 --faults DROP",
                "perftest read-bw -s 9000 -n 20 -q 3",
                "perftest read-bw -s 9000 -n 20 --faults DROP",
                "perftest atomic-bw -n 20 -q 3",
                "perftest send-bw -s 5000 -n 20 -q 2",
                "perftest send-lat -s 64 -n 10 -I 0",
                "perftest send-bw -c UD -s 1000 -n 10",
                "perftest write-lat -s 8 -n 5",
                "explain read -s 9000",
                "storage run 3fs --op write --ops 3",
                "nvmf perf -q 3 -o 16384 -w randrw -M 50 -t 0.0001 --stack spdk",
                "nvmf perf -q 3 -o 16384 -w randrw -M 50 -t 0.0002 --stack kernel-rdma"
            })
    void everyFlowBeginsOnceGoesForwardAndEndsInACqe(String command) throws IOException {
        String line = command.replace("DROP", dropping("direction: both, match: {opcode: RC_RDMA_*}"));
        List<Event> events = events(line);
        Map<Long, List<Event>> flows = flows(events);
        assertThat(flows).isNotEmpty();
        // others were posted without asking for a completion
        Set<Long> completed = events.stream()
                .filter(e -> e.text("stage").equals("cqe_write"))
                .map(e -> e.number("journey"))
                .collect(Collectors.toSet());
        assertThat(completed).isNotEmpty();
        Set<Long> seen = new HashSet<>();
        flows.forEach((id, way) -> {
            assertThat(way.size()).as("slices of a flow").isGreaterThan(1);
            Event last = way.get(way.size() - 1);
            assertThat(way.stream().filter(e -> e.ends().contains(id)))
                    .as("ends")
                    .containsExactly(last);
            assertThat(way).extracting(e -> e.number("start_ps")).isSorted();
            assertThat(way)
                    .extracting(e -> e.number("journey"))
                    .as("of one operation")
                    .containsOnly(last.number("journey"));
            if (completed.contains(last.number("journey"))) {
                assertThat(last.track()).endsWith("/PCIe upstream");
                assertThat(last.name()).isEqualTo("MWr 64 B");
                assertThat(last.text("stage")).isIn("cqe_write", "recv_cqe_write");
            }
            assertThat(seen.add(id)).isTrue();
        });
    }

    /** Every packet that was sent is in a flow, as often as it was sent. */
    @ParameterizedTest
    @CsvSource({
        "write-bw, 9000, wire",
        "write-bw, 4096, wire",
        "write-bw, 1, wire",
        "read-bw, 12289, response_wire",
        "send-bw, 8192, wire"
    })
    void thereAreAsManyPacketsAsTheMtuWants(String tool, int size, String stage) throws IOException {
        List<Event> events = events("perftest " + tool + " -I 0 -n 6 -q 2 -m " + MTU + " -s " + size);
        Map<Long, List<Event>> packets = events.stream()
                .filter(e -> e.name().equals(stage))
                .collect(Collectors.groupingBy(e -> e.number("journey")));
        assertThat(packets).hasSize(12);
        packets.values().forEach(p -> {
            assertThat(p)
                    .hasSize((size + MTU - 1) / MTU)
                    .allSatisfy(e -> assertThat(e.flows()).isNotEmpty());
            assertThat(p.stream().map(e -> e.number("part")).distinct()).hasSameSizeAs(p);
        });
    }

    @Test
    void aPacketThatIsSentAgainHasAFlowOfItsOwn() throws IOException {
        List<Event> events = events("explain write -s 9000 --faults "
                + Files.writeString(
                        folder.resolve("f.yaml"),
                        "faults: [{drop: frame, frames: [2], direction: client-to-server}]\n"));
        List<Event> sent = events.stream().filter(e -> e.name().equals("wire")).toList();
        assertThat(sent).hasSize(5);
        assertThat(sent.stream().map(e -> e.number("part")).distinct()).hasSize(3);
        assertThat(sent.stream().flatMap(e -> e.flows().stream()).distinct()).hasSize(5);
        Map<Long, List<Event>> flows = flows(events);
        Set<Boolean> arrived = new TreeSet<>();
        for (Event e : sent) {
            arrived.add(Objects.requireNonNull(flows.get(e.flows().get(0))).stream()
                    .anyMatch(p -> p.name().equals("rx_parse")));
        }
        assertThat(arrived).as("the lost one never did").containsExactly(false, true);
    }

    /** A WRITE's way on both hosts, as the page prints it: doorbell, reads of payload with their completions, both ends of the line, writes at the peer. */
    @Test
    void thePageShowsTheWayOfAWrite() throws IOException {
        String page = Files.readString(Path.of("../docs/timeline.md"));
        int begin = page.indexOf("```\n", page.indexOf("<!-- a flow -->")) + 4;
        List<Event> way =
                flows(events("explain write -s 300")).values().iterator().next();
        assertThat(way.stream()
                        .map(e -> String.format(
                                Locale.ROOT, "%9.1f  %-22s %s", e.number("start_ps") / 1e3, e.track(), e.name()))
                        .collect(Collectors.joining("\n", "", "\n")))
                .isEqualTo(page.substring(begin, page.indexOf("```", begin)));
    }

    /** Where the WQE is not in the doorbell it is read: that read and its answer are on the way. */
    @Test
    void aWqeThatIsFetchedIsOnTheWay() throws IOException {
        List<Event> events = events("perftest write-bw -s 64 -n 4 -I 0 -t 1 -l 1 -P nic.blueflame=false");
        List<String> fetches = flows(events).values().stream()
                .flatMap(List::stream)
                .filter(e -> e.text("stage").equals("wqe_fetch"))
                .map(e -> e.track() + " " + e.name().replaceFirst(" .*", ""))
                .distinct()
                .toList();
        assertThat(fetches).contains("host0/PCIe upstream MRd", "host0/PCIe downstream CplD");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "perftest write-bw -s 9000 -n 20 -q 3",
                "perftest read-bw -s 9000 -n 20",
                "perftest atomic-lat -n 9"
            })
    void everyTlpOfTheCountersIsThereOnce(String command) throws IOException {
        Map<String, Long> shown = events(command).stream()
                .filter(e -> e.track().contains("/PCIe "))
                .collect(Collectors.groupingBy(Event::track, TreeMap::new, Collectors.counting()));
        Map<String, Long> counted = new TreeMap<>();
        for (JsonNode stat : new ObjectMapper()
                .readTree(folder.resolve("out/stats.json").toFile())
                .get("stats")) {
            String name = stat.get("name").asText();
            if (name.endsWith(".tlps") && stat.get("value").asLong() > 0) {
                String way = name.endsWith(".pcie.up.tlps") ? "upstream" : "downstream";
                counted.put(
                        name.substring(0, name.indexOf('.')) + "/PCIe " + way,
                        stat.get("value").asLong());
            }
        }
        assertThat(shown).isEqualTo(counted);
    }

    /** TLPs are noted when their times are known: that is no event, and trains of TLPs stay together. */
    @Test
    void lookingChangesNothing() {
        String[] plain = "perftest write-bw -s 9000 -n 20 -q 3 --json".split(" ");
        String[] seen = ("perftest write-bw -s 9000 -n 20 -q 3 --json --out " + folder.resolve("o")).split(" ");
        JsonNode without = clockwire(plain).json();
        JsonNode with = clockwire(seen).json();
        for (String field : List.of("trace_hash", "events", "evaluations")) {
            assertThat(with.get(field)).as(field).isNotNull().isEqualTo(without.get(field));
        }
    }

    @Test
    void othersDecodeIt() throws IOException, InterruptedException {
        boolean found = Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(dir -> Files.isExecutable(Path.of(dir, "protoc")));
        if ("true".equals(System.getenv("CI"))) {
            Assertions.assertTrue(found, "protoc must be installed");
        }
        Assumptions.assumeTrue(found, "protoc is not installed");
        events("perftest write-bw -s 9000 -n 5");
        Process judge = new ProcessBuilder("protoc", "--decode_raw")
                .redirectInput(folder.resolve("out/timeline.perfetto-trace").toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("raw").toFile())
                .start();
        assertThat(judge.waitFor()).isZero();
        assertThat(folder.resolve("raw")).content().contains("48: 0x").contains("47: 0x");
    }
}
