package dev.clockwire.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.nic.profile.Param;
import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.Setting;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProfileFileTest {
    @Test
    void valuesAreLaidOverTheBase() throws IOException {
        Profile p = ProfileFile.parse("card.yaml", """
            base: cx6-200g
            title: our card
            nic:
              core_mhz: {value: 322, source: RTL of May, confidence: A}
              dma: {buffer_packets: 77}
            link.mtu: 1024
            """);
        assertThat(p.title()).isEqualTo("our card");
        assertThat(p.toString())
                .isEqualTo("cx6-200g -P link.mtu=1024 -P nic.core_mhz=322 -P nic.dma.buffer_packets=77");
        assertThat(p.settings().get("nic.core_mhz")).isEqualTo(new Setting("322", "RTL of May", 'A'));
        assertThat(p.settings().get("link.mtu")).isEqualTo(new Setting("1024", "card.yaml:6:11", 'C'));
        assertThat(p.text("pcie.generation"))
                .isEqualTo(Profiles.named("cx6-200g").text("pcie.generation"));
    }

    @Test
    void aFileMayHoldEveryValueOfAProfileAndThenIsIt() throws IOException {
        for (Profile base : Profiles.all()) {
            StringBuilder text = new StringBuilder();
            base.settings()
                    .forEach((path, s) ->
                            text.append(path).append(": ").append(s.value()).append('\n'));
            Profile read = ProfileFile.parse("all.yaml", text.toString());
            base.settings().forEach((path, s) -> assertThat(read.text(path)).isEqualTo(s.value()));
        }
    }

    @Test
    void allMistakesAreToldFromTopToBottom() {
        assertThatThrownBy(() -> ProfileFile.parse("bad.yaml", """
            base: cx6-200
            nic:
              core_mhz: 300000
              bluflame: true
              core_mhz: 3
            link:
              gbps: abc
              mtv: 9
            pcie: 5
            host.mmio_ns: {vlue: 3}
            host.root_complex_ns: {value: -3, confidence: D}
            """))
                .isInstanceOf(ConfigurationException.class)
                .extracting(e -> String.valueOf(e.getMessage()).lines().toList())
                .isEqualTo(List.of(
                        "bad.yaml:1:7: unknown profile 'cx6-200'; did you mean cx6-200g?",
                        "bad.yaml:3:13: nic.core_mhz=300000: allowed is a whole number from 1 to 4000 MHz",
                        "bad.yaml:4:3: unknown parameter 'nic.bluflame'; did you mean nic.blueflame?",
                        "bad.yaml:5:3: 'core_mhz' stands here twice",
                        "bad.yaml:7:9: link.gbps=abc: allowed is a number from 1 to 1600 Gb/s",
                        "bad.yaml:8:3: unknown parameter 'link.mtv'; did you mean link.mtu?",
                        "bad.yaml:9:7: expected a mapping (key: value), found '5'",
                        "bad.yaml:10:16: unknown key 'vlue'; did you mean value?",
                        "bad.yaml:11:31: host.root_complex_ns=-3: allowed is a number from 0 to 10000 ns in steps of"
                                + " 0.001",
                        "bad.yaml:11:47: confidence 'D': allowed is A, B, C"));
    }

    /** Nested and dotted it is the same parameter: of two values none is silently the one. */
    @Test
    void aParameterStandsOnceHoweverItIsWritten() {
        assertThatThrownBy(() -> ProfileFile.parse("bad.yaml", """
            nic.core_mhz: 300
            nic: {core_mhz: 400, wqe: {outstanding_fetches: 2}}
            nic.wqe: {outstanding_fetches: 3}
            base: [cx6-200g]
            """))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("""
                    bad.yaml:2:7: 'nic.core_mhz' stands here twice
                    bad.yaml:3:11: 'nic.wqe.outstanding_fetches' stands here twice
                    bad.yaml:4:7: expected a single value, found a list\
                    """);
    }

    @Test
    void titlesAndSourcesAreOneLine() throws IOException {
        Profile p = ProfileFile.parse("card.yaml", """
            title: |
              our card,
              as measured
            link.mtu: {value: 1024, source: "log\\n\\e[31mof May "}
            """);
        assertThat(p.title()).isEqualTo("our card, as measured");
        assertThat(p.settings().get("link.mtu")).isEqualTo(new Setting("1024", "log [31mof May", 'C'));
    }

    @Test
    void noTextDoesMoreThanBeRefused() {
        String good = """
            base: cx6-200g
            nic:
              core_mhz: {value: 322, source: x}
              dma: {buffer_packets: 7}
            link.mtu: 1024
            """;
        SplittableRandom random = new SplittableRandom(5);
        String signs = "{}[]:,-#&*!|>'\"%@`\n\t 0aZ.~?\u00e4";
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder(good);
            for (int k = random.nextInt(1, 5); k > 0; k--) {
                int at = random.nextInt(text.length());
                text.setCharAt(at, signs.charAt(random.nextInt(signs.length())));
            }
            try {
                ProfileFile.parse("f.yaml", text.toString());
            } catch (ConfigurationException e) {
                assertThat(e.getMessage()).contains("f.yaml");
            } catch (IOException e) {
                throw new AssertionError(text.toString(), e);
            }
        }
    }

    /** A path that is also the beginning of another could be neither value nor group. */
    @Test
    void noParameterIsAGroup() {
        List<String> paths = Parameters.all().stream().map(Param::path).toList();
        assertThat(paths).noneMatch(p -> paths.stream().anyMatch(q -> q.startsWith(p + ".")));
        assertThat(paths).doesNotContain(ProfileFile.BASE, ProfileFile.TITLE).allMatch(p -> p.contains("."));
    }

    @Test
    void theSchemaLeadsToEveryParameterByBothNotations() {
        ObjectNode schema = ProfileSchema.of();
        List<String> nested = new ArrayList<>();
        collect("", schema, nested);
        List<String> paths = Parameters.all().stream().map(Param::path).toList();
        assertThat(nested).containsExactlyInAnyOrderElementsOf(paths);
        for (Param p : Parameters.all()) {
            assertThat(schema.at("/properties").get(p.path()).get("$ref").asText())
                    .isEqualTo("#/$defs/" + p.path());
            JsonNode value = schema.get("$defs").get(p.path()).get("anyOf").get(0);
            for (Profile known : Profiles.all()) {
                assertThat(holds(value, ProfileReport.typed(known.text(p.path()))))
                        .as(known.name() + " " + p.path())
                        .isTrue();
            }
        }
    }

    private static void collect(String prefix, JsonNode object, List<String> found) {
        object.get("properties").properties().forEach(e -> {
            if (e.getValue().has("properties")) {
                collect(prefix + e.getKey() + ".", e.getValue(), found);
            } else if (e.getValue().has("$ref") && !e.getKey().contains(".")) {
                assertThat(e.getValue().get("$ref").asText()).isEqualTo("#/$defs/" + prefix + e.getKey());
                found.add(prefix + e.getKey());
            }
        });
    }

    private static boolean holds(JsonNode value, Object typed) {
        if (value.has("enum")) {
            for (JsonNode word : value.get("enum")) {
                if (word.asText().equals(typed.toString())) {
                    return true;
                }
            }
            return false;
        }
        return switch (value.get("type").asText()) {
            case "boolean" -> typed instanceof Boolean;
            case "integer" ->
                typed instanceof Long n
                        && n >= value.get("minimum").asLong()
                        && n <= value.get("maximum").asLong();
            default ->
                Double.parseDouble(typed.toString()) >= value.get("minimum").asDouble()
                        && Double.parseDouble(typed.toString())
                                <= value.get("maximum").asDouble();
        };
    }
}
