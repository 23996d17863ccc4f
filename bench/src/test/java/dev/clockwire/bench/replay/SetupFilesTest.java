package dev.clockwire.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.bench.yaml.FileSchema;
import dev.clockwire.bench.yaml.Mutants;
import dev.clockwire.bench.yaml.SchemaCheck;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** With a set-up that comes from the tools' logs nothing is inferred: refusals are predicted, not copied. */
class SetupFilesTest {
    private static final Path SETUPS = Path.of("src/test/resources/dev/clockwire/bench/replay/setups");

    @TempDir
    Path folder;

    static List<Path> setups() {
        try (Stream<Path> files = Files.list(SETUPS)) {
            return files.sorted()
                    .filter(f -> Captures.all().containsKey(name(f)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path setup) {
        return setup.getFileName().toString().replace(".yaml", "");
    }

    private static ReplayReport replay(Path capture, String setup) throws IOException {
        return Replay.of(capture, Replay.Role.RESPONDER, Provider.SOFT, SETUPS.resolve(setup + ".yaml"))
                .report();
    }

    @ParameterizedTest
    @MethodSource("setups")
    void answersFollowFromTheLogs(Path setup) throws IOException {
        ReplayReport report = replay(Captures.of(name(setup)), name(setup));
        assertThat(report.differences()).isEmpty();
        assertThat(report.matching() + report.knownDeviations().size()).isEqualTo(report.answersExpected());
    }

    /** The schema for editors accepts all set-ups, and of changed ones those that the reader does. */
    @Test
    void theSchemaSaysWhatTheReaderDoes() throws IOException {
        JsonNode schema = FileSchema.of("a set-up", SetupFile.SHAPE);
        int looked = 0;
        for (Path setup : setups()) {
            JsonNode document = SchemaCheck.yaml(Files.readString(setup));
            assertThat(SchemaCheck.accepts(schema, document)).as("%s", setup).isTrue();
            for (Mutants.Mutant m : Mutants.of(document, "none")) {
                looked++;
                assertThat(SchemaCheck.accepts(schema, m.document()))
                        .as("%s of %s", m.what(), setup)
                        .isEqualTo(reads(m.document().toString()));
            }
        }
        assertThat(looked).isGreaterThan(500);
    }

    private static boolean reads(String text) throws IOException {
        try {
            YamlValue.parse("s.yaml", text, SetupFile::parse);
            return true;
        } catch (ConfigurationException e) {
            return false;
        }
    }

    /** The capture says "granted" where the set-up refuses, so the refusal cannot come from the capture. */
    @ParameterizedTest
    @CsvSource({"verbs-bad-rkey-write-nak", "verbs-bad-rkey-read-nak", "verbs-read-beyond-mr-nak"})
    void aRefusalIsPredicted(String name) throws IOException {
        Path without = folder.resolve("without.pcap");
        Mutation.of(Captures.of(name)).drop(p -> p.syndrome == 0x62).write(without);
        ReplayReport predicted = replay(without, name);
        assertThat(predicted.differences()).singleElement().satisfies(d -> {
            assertThat(d.expected()).isNull();
            assertThat(d.got()).contains("RC_ACKNOWLEDGE").contains("syndrome 0x62");
        });

        Path lie = folder.resolve("lie.pcap");
        Mutation.of(Captures.of(name))
                .change(p -> p.syndrome == 0x62, p -> p.syndrome = 0x1F)
                .write(lie);
        assertThat(replay(lie, name).differences())
                .extracting(
                        ReplayReport.Difference::field, ReplayReport.Difference::expected, ReplayReport.Difference::got)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("syndrome", "0x1f", "0x62"));
    }

    @Test
    void withoutReceivesTheReceiverIsNotReady() {
        Given given = SetupFile.parse(YamlValue.parse("s.yaml", "qps: []"));
        Capture capture = Capture.read(Captures.of("send-bw-rc-2b-mtu1024"));
        ReplayReport report =
                new ResponderReplay(capture, Provider.SOFT, given).run().report();
        assertThat(report.differences().get(0).field()).isEqualTo("syndrome");
        assertThat(report.differences().get(0).got()).isEqualTo("0x2c");
    }

    @Test
    void readsEverything() {
        Given given = SetupFile.parse(YamlValue.parse("s.yaml", """
                qps:
                  - {qpn: 0x2a, peer_qpn: 43, start_psn: 0xfffffd, mtu: 512, host: "fd00::2"}
                regions:
                  - {key: 0xffffffff, va: 0xfffffffffffff000, length: 4096, access: remote_read}
                receives:
                  - {qpn: 0x2a, size: 0, count: 3, after_frame: 17, host: 10.0.0.2}
                """));
        assertThat(given.qps())
                .containsExactly(new Given.Qp(new Gid(0xFD00_0000_0000_0000L, 2), 0x2A, 43, 0xFFFFFD, 512));
        assertThat(given.regions()).containsExactly(new Given.Region(null, -1, -4096, 4096, 4));
        assertThat(given.receives()).containsExactly(new Given.Receive(Gid.ofIpv4(0x0A00_0002), 0x2A, 0, 3, 17));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "qbs: []|s.yaml:1:1: unknown key 'qbs'; did you mean qps?",
                "qps: 3|s.yaml:1:6: expected a list",
                "qps: [{qpn: 1, peer_qpn: 2, start_psn: 3}]|s.yaml:1:7: 'mtu' is missing",
                "qps: [{qpn: 0x1000000, peer_qpn: 2, start_psn: 3, mtu: 512}]|s.yaml:1:13: 0x1000000 is outside",
                "qps: [{qpn: 1, peer_qpn: 2, start_psn: 3, mtu: 1000}]|s.yaml:1:48: path MTU 1000: must be 256, 512",
                "qps: [{qpn: 1, peer_qpn: 2, start_psn: 3, mtu: 512, host: nobody}]|expected an IPv4 or IPv6 address",
                "qps: [{qpn: 1, peer_qpn: 2, start_psn: 3, mtu: 512, host: 10.0.0.256}]|expected an IPv4 or IPv6",
                "qps: [{qpn: 1, peer_qpn: 2, start_psn: 3, mtu: 512, host: '1::2::3'}]|expected an IPv4 or IPv6",
                "regions: [{key: 1, va: 0, length: 0, access: []}]|s.yaml:1:35: 0 is outside",
                "regions: [{key: 1, va: 0xfffffffffffffff0, length: 17, access: []}]|passes the end of the address space",
                "regions: [{key: 1, va: 0, length: 1, access: [remote_reed]}]|unknown access 'remote_reed'; did you mean remote_read?",
                "regions: [{key: 1, va: 0, length: 1, access: []}, {key: 1, va: 9, length: 1, access: []}]|has this key",
                "receives: [{qpn: 1, size: x, count: 1}]|s.yaml:1:27: expected an integer, found 'x'"
            })
    void mistakesAreShown(String text, String words) {
        assertThatThrownBy(() -> SetupFile.parse(YamlValue.parse("s.yaml", text)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(words);
    }
}
