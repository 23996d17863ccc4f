package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of the ns-3 model published with HPCC, and ours with the same parameters. Its links run 1 % fast. */
class TraceRunsTest {
    private static final double LINK_ERROR = 83.84 / 83;

    private static Path file(String name) {
        try {
            return Path.of(Objects.requireNonNull(TraceRunsTest.class.getResource(name + ".json"), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    private static FabricResult run(String name) throws IOException {
        return new FabricRun(TraceFile.read(file(name)), SimSpec.of(1)).run();
    }

    private static JsonNode result(String name) throws IOException {
        return new ObjectMapper().readTree(Files.readString(file(name))).get("result");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a0_single_flow",
                "a1_two_flows_same_start_vendor",
                "a2_two_flows_staggered_vendor",
                "b1_incast8_dcqcn_vendor_buf32",
                "b2_incast8_dcqcn_vendor_buf4",
                "b4_incast8_nocc_pfc_buf4",
                "b5_incast8_dcqcn_paper_buf4",
                "d_gbn_loss_0.001",
                "f_ecn_400_1600_0.2",
                "f_ecn_1600_3200_0.2",
                "e2_headroom_27500"
            })
    void meanCompletionIsThatOfTheReference(String name) throws IOException {
        FabricResult ours = run(name);
        JsonNode theirs = result(name);
        double sum = 0;
        for (FabricResult.Flow flow : ours.flows()) {
            assertThat(flow.status()).as(flow.name()).isEqualTo("success");
            sum += Objects.requireNonNull(flow.fctUs());
        }
        double reference = 0;
        for (JsonNode fct : theirs.get("fct_us")) {
            reference += fct.asDouble();
        }
        assertThat(sum / reference / LINK_ERROR)
                .as("ratio of mean completion times")
                .isBetween(0.95, 1.05);
        assertThat(ours.drops()).isEqualTo(theirs.get("drops").asLong());
        long pauses = theirs.get("pause_tx").asLong();
        if (pauses > 50) {
            assertThat((double) ours.pauses()).isBetween(pauses * 0.7, pauses * 1.4);
        } else {
            assertThat(ours.pauses()).isLessThan(50);
        }
        long notifications = theirs.get("cnp_echo_rx").asLong();
        assertThat((double) ours.cnps()).isBetween(notifications * 0.75, notifications * 1.25);
    }

    @Test
    void theVictimGetsWhatTheReferenceGivesIt() throws IOException {
        assertThat(run("c1_victim_nocc_pfc_x2").flows().get(2).goodputGbps()).isBetween(15.3, 16.3);
        assertThat(run("c2_victim_dcqcn_vendor_x2").flows().get(2).goodputGbps())
                .isBetween(40.0, 51.0);
    }

    @Test
    void theRingStandsStillAndIsNamed() throws IOException {
        FabricResult ours = run("h1_ring5_cbd_nocc_pfc");
        assertThat(ours.deadlock()).hasSize(5).contains("switch5->switch6", "switch9->switch5");
        assertThat(ours.flows()).allMatch(f -> f.fctUs() == null && f.goodputGbps() > 0);
    }

    @Test
    void lookingChangesNothing() throws IOException {
        FabricJob job = TraceFile.read(file("b2_incast8_dcqcn_vendor_buf4"));
        FabricRun looked = new FabricRun(job, SimSpec.of(1)).sampled(1_000_000);
        assertThat(looked.run().traceHash())
                .isEqualTo(new FabricRun(job, SimSpec.of(1)).run().traceHash());
        Series series = Objects.requireNonNull(looked.series());
        double most = series.samples().stream()
                .filter(s -> s.metric().equals("queue_bytes"))
                .mapToDouble(Series.Sample::value)
                .max()
                .orElse(0);
        assertThat(most).as("the queue before the sink").isGreaterThan(500_000);
        assertThat(series.csv()).startsWith("time_us,object,metric,value\n1.000,flow0,rate_gbps,100.000\n");
        assertThat(SeriesPlot.svg("incast <8>", series))
                .contains("incast &lt;8&gt;")
                .as("times are round")
                .containsPattern("text-anchor=\"middle\">[125]0*</text>")
                .doesNotContain("e+")
                .endsWith("</svg>\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"config\": {}}",
                "{\"config\": {}, \"topology\": {\"nodes\": 2, \"switches\": []}}",
                "{\"config\": {}, \"topology\": {\"nodes\": 2, \"switches\": [], \"links\": [[0, 7, \"1Gbps\","
                        + " \"1ms\"]]}}",
                "{\"config\": {}, \"topology\": {\"nodes\": 2, \"switches\": [], \"links\": [[0, 1, \"fast\","
                        + " \"1ms\"]]}}",
                "{\"config\": {}, \"topology\": {\"nodes\": 2, \"switches\": [], \"links\": [[0, 1, \"1Gbps\","
                        + " \"soon\"]]}}",
                "{\"config\": {\"BUFFER_SIZE\": 0}, \"topology\": {\"nodes\": 2, \"switches\": [],"
                        + " \"links\": [[0, 1, \"1Gbps\", \"1ms\"]]}, \"flows\": []}"
            })
    void whatIsNoTraceIsRefused(String text, @TempDir Path folder) throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.json"), text);
        assertThatThrownBy(() -> TraceFile.read(bad))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(bad.toString());
    }

    /** A run that left them out would be another one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CC_MODE | 3 | CC_MODE 3 is HPCC: only 1 (DCQCN) and 0 (none) are simulated",
                "CC_MODE | 7 | CC_MODE 7 is TIMELY",
                "CC_MODE | 8 | CC_MODE 8 is DCTCP",
                "CC_MODE | 5 | CC_MODE 5 is no mode that is known",
                "HAS_WIN | 1 | HAS_WIN 1: windows are not simulated; only 0 is",
                "RATE_BOUND | 0 | RATE_BOUND 0: flows that no rate bounds are not simulated; only 1 is",
                "ERROR_RATE_PER_LINK | 0.01 | ERROR_RATE_PER_LINK 0.01: error rates"
            })
    void whatIsNotSimulatedIsRefusedByNameAndLine(String key, String value, String words, @TempDir Path folder)
            throws IOException {
        String text = Files.readString(file("c1_victim_nocc_pfc_x2"))
                .replaceAll(", \"" + key + "\": [^,}]*", "")
                .replaceFirst("\"config\": \\{", "\"config\": {\n\n\"" + key + "\": " + value + ", ");
        Path trace = Files.writeString(folder.resolve("t.json"), text);

        assertThatThrownBy(() -> TraceFile.read(trace))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("t.json:3: " + words);
    }

    /** A value of another type is no value: what stands there is said, where, and what would do. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "config | BUFFER_SIZE | true | config.BUFFER_SIZE: expected a number from 1 to 4096, found true",
                "config | BUFFER_SIZE | 4.5 | config.BUFFER_SIZE: 4.5 is no whole number from 1 to 4096",
                "config | BUFFER_SIZE | \"4\" | config.BUFFER_SIZE: expected a number from 1 to 4096, found \"4\"",
                "config | BUFFER_SIZE | 5000 | config.BUFFER_SIZE: 5000 is outside its range 1 to 4096",
                "config | SIMULATOR_STOP_TIME | true | config.SIMULATOR_STOP_TIME: expected a number",
                "config | SIMULATOR_STOP_TIME | 2 | config.SIMULATOR_STOP_TIME: 2 is outside its range 2.000000001 to 3602",
                "config | ENABLE_QCN | \"yes\" | config.ENABLE_QCN: expected a number from 0 to 1, found \"yes\"",
                "config | CC_MODE | [1] | config.CC_MODE: expected a number from 0 to 1000, found a list",
                "config | PACKET_PAYLOAD_SIZE | 0 | config.PACKET_PAYLOAD_SIZE: 0 is outside its range 1 to 9000",
                "config | KMAX_MAP | \"1 fast 3\" | config.KMAX_MAP: '1 fast 3': expected a count, then pairs",
                "config | KMAX_MAP | \"1 1 3\" | config.KMAX_MAP: has no value for 100000000000 bit/s",
                "config | RATE_AI | 20 | config.RATE_AI: expected a string, found 20",
                "config | RATE_AI | \"20M\" | config.RATE_AI: rate '20M': expected for example 100Gbps",
                "topology | nodes | -1 | topology.nodes: -1 is outside its range 2 to 1048576",
                "topology | nodes | 4e0 | no way: this one is right",
                "topology | switches | [\"a\"] | topology.switches[0]: expected a number from 0 to",
                "topology | links | 3 | topology.links: expected a list, found 3"
            })
    void aWrongTypeIsRefusedWithItsPlace(String part, String key, String value, String words, @TempDir Path folder)
            throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = (ObjectNode) mapper.readTree(file("a0_single_flow").toFile());
        ((ObjectNode) root.get("config")).put("KMIN_MAP", "1 100000000000 400");
        ObjectNode changed = (ObjectNode) root.get(part);
        changed.set(key, mapper.readTree(value));
        String text = mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
        Path trace = Files.writeString(folder.resolve("t.json"), text);
        if (words.startsWith("no way")) {
            assertThat(TraceFile.read(trace).network().flows()).hasSize(1);
            return;
        }
        long line =
                1 + text.lines().takeWhile(l -> !l.contains("\"" + key + "\"")).count();
        assertThatThrownBy(() -> TraceFile.read(trace))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("t.json:" + line + ": " + words);
    }

    @Test
    void whatIsMissingIsNamedWithItsPlace(@TempDir Path folder) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        for (String gone : List.of(
                "SIMULATOR_STOP_TIME", "BUFFER_SIZE", "PACKET_PAYLOAD_SIZE", "KMIN_MAP", "EWMA_GAIN", "MIN_RATE")) {
            ObjectNode root =
                    (ObjectNode) mapper.readTree(file("a0_single_flow").toFile());
            ((ObjectNode) root.get("config")).remove(gone);
            Path trace = Files.writeString(folder.resolve("t.json"), root.toPrettyString());
            assertThatThrownBy(() -> TraceFile.read(trace))
                    .hasMessageContaining("t.json:")
                    .hasMessageContaining(": config: no field " + gone);
        }
        ObjectNode root = (ObjectNode) mapper.readTree(file("a0_single_flow").toFile());
        ((ObjectNode) root.get("flows").get(0)).put("dst", 3);
        Path trace = Files.writeString(folder.resolve("t.json"), root.toPrettyString());
        assertThatThrownBy(() -> TraceFile.read(trace))
                .hasMessageContaining("flows[0].dst: 3 is a switch: flows go from host to host");
    }
}
