package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.cli.TraceEvents.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** I/Os in {@code timeline.perfetto-trace}: their stages, and what the NICs did for them meanwhile. */
class IoTimelineTest {
    @TempDir
    private Path folder;

    private JsonNode run(String command) {
        return clockwire((command + " --json --out " + folder).split(" ")).document();
    }

    private List<Event> events() throws IOException {
        return TraceEvents.of(Files.readAllBytes(folder.resolve("timeline.perfetto-trace")))
                .events();
    }

    private static Map<Long, List<Event>> ios(List<Event> events) {
        Map<Long, List<Event>> ios = new TreeMap<>();
        events.stream()
                .filter(e -> e.track().contains("/I/O "))
                .forEach(e -> ios.computeIfAbsent(e.number("io"), k -> new ArrayList<>())
                        .add(e));
        return ios;
    }

    private static long latency(List<Event> io) {
        return io.get(io.size() - 1).number("end_ps") - io.get(0).number("start_ps");
    }

    /** The stages of an I/O follow each other without a gap, an arrow leads through them, and all I/Os are there. */
    @ParameterizedTest
    @CsvSource({
        "--local, host0, host0/I/O media",
        "--stack spdk, network, host1/I/O device",
        "--stack spdk --provider soft, network, host1/I/O device",
        "--stack offload, network, network/I/O response",
        "--stack kernel-tcp, network, host1/I/O ssd",
        "--stack kernel-rdma, network, host1/I/O ssd"
    })
    void stagesOfAnIoFollowEachOther(String stack, String process, String track) throws IOException {
        JsonNode result = run("nvmf perf -q 3 -o 4096 -w randrw -M 50 -t 0.0005 " + stack);
        List<Event> events = events();
        Map<Long, List<Event>> ios = ios(events);
        assertThat(ios).hasSize(result.get("ios").asInt());
        ios.forEach((number, io) -> {
            assertThat(io).hasSizeGreaterThan(1);
            long flow = io.get(0).flows().get(0);
            for (int i = 0; i < io.size(); i++) {
                boolean last = i == io.size() - 1;
                assertThat(last ? io.get(i).ends() : io.get(i).flows()).containsExactly(flow);
                if (!last) {
                    assertThat(io.get(i).number("end_ps"))
                            .isEqualTo(io.get(i + 1).number("start_ps"));
                }
            }
        });
        assertThat(ios.values().stream()
                                .mapToLong(IoTimelineTest::latency)
                                .max()
                                .orElseThrow()
                        / 1e6)
                .isCloseTo(result.at("/latency_us/max").asDouble(), within(1e-6));
        assertThat(ios.values().stream().flatMap(List::stream).map(Event::track).distinct())
                .contains(track)
                .allMatch(t -> Stream.of("host0/", "host1/", process + "/").anyMatch(t::startsWith));
    }

    /** A run of which more I/Os end than are kept still shows its fastest and its slowest. */
    @Test
    void theExtremesAreKept() throws IOException {
        JsonNode result = run("nvmf perf -q 64 -o 512 -w randread -t 0.006 --local --media p5800x");
        assertThat(result.get("ios").asLong()).isGreaterThan(4200);
        Map<Long, List<Event>> ios = ios(events());
        assertThat(ios.size()).isBetween(4096, 4098);
        assertThat(ios.values().stream()
                                .mapToLong(IoTimelineTest::latency)
                                .min()
                                .orElseThrow()
                        / 1e6)
                .isCloseTo(result.at("/latency_us/min").asDouble(), within(1e-6));
        assertThat(ios.values().stream()
                                .mapToLong(IoTimelineTest::latency)
                                .max()
                                .orElseThrow()
                        / 1e6)
                .isCloseTo(result.at("/latency_us/max").asDouble(), within(1e-6));
    }

    /** While one READ is under way alone, its capsule leaves the host, its data and its answer the target, and nothing else is on the line. */
    @Test
    void capsuleDataAndAnswerLieWithinTheirStages() throws IOException {
        run("nvmf perf -q 1 -o 4096 -w randread -t 0.0002 --stack spdk");
        List<Event> events = events();
        List<List<Event>> ios = new ArrayList<>(ios(events).values());
        List<Event> io = ios.get(ios.size() / 2);
        assertThat(io)
                .extracting(Event::track)
                .containsExactly(
                        "host0/I/O post",
                        "network/I/O request",
                        "host1/I/O parse",
                        "host1/I/O device",
                        "host1/I/O respond",
                        "network/I/O response");
        long first = ios.get(0).get(0).number("start_ps");
        new ObjectMapper()
                .readTree(folder.resolve("operations.json").toFile())
                .findValues("posted_ps")
                .forEach(posted -> assertThat(posted.asLong()).isGreaterThanOrEqualTo(first));
        assertThat(during(events, io.get(1), "host0/wire")).hasSize(1);
        assertThat(during(events, io.get(1), "host1/wire")).isEmpty();
        assertThat(during(events, io.get(3), "host0/wire")).isEmpty();
        assertThat(during(events, io.get(5), "host1/wire"))
                .as("data, then the answer")
                .hasSize(2)
                .extracting(e -> e.number("journey"))
                .doesNotHaveDuplicates();
        assertThat(during(events, io.get(5), "host1/PCIe downstream"))
                .as("data read by the NIC")
                .anyMatch(e -> e.name().startsWith("CplD"));
    }

    private static List<Event> during(List<Event> events, Event stage, String track) {
        return events.stream()
                .filter(e -> e.track().equals(track)
                        && e.number("start_ps") >= stage.number("start_ps")
                        && e.number("start_ps") < stage.number("end_ps"))
                .toList();
    }
}
