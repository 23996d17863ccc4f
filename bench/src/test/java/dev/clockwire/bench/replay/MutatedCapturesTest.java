package dev.clockwire.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is wrong in a capture's answers is found, and nothing of it becomes an answer of the simulated side. */
class MutatedCapturesTest {
    private static final String LOSSY = "lossy-send-bw-4k-rx-loss5-server";
    private static final int ACK = Opcode.RC_ACKNOWLEDGE.code();

    @TempDir
    Path folder;

    private Replay replay(Mutation mutation) throws IOException {
        Path file = folder.resolve("x.pcapng");
        mutation.write(file);
        return Replay.of(file, Replay.Role.RESPONDER, Provider.SOFT, null);
    }

    private static List<Captured> acks(String name) {
        return Capture.read(Captures.of(name)).answers().stream()
                .filter(Captured::isAck)
                .toList();
    }

    /** What the simulated side gave, without the peer's number, which only answers tell. */
    private static Map<AnswerHead, Long> given(Replay replay) {
        Map<AnswerHead, Long> all = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        replay.sent().forEach(s -> all.merge(AnswerHead.of(s.packet()), 1L, Long::sum));
        return all;
    }

    private void aloneDiffers(String name, long frame, String field, Consumer<RocePacket> poison) throws IOException {
        Map<AnswerHead, Long> base = given(replay(Mutation.of(Captures.of(name))));
        Replay poisoned = replay(Mutation.of(Captures.of(name)).change(frame, poison));
        assertThat(poisoned.report().differences())
                .extracting(ReplayReport.Difference::frame, ReplayReport.Difference::field)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(frame, field));
        assertThat(given(poisoned)).isEqualTo(base);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "duplicate-write-bw-16k-server",
                LOSSY,
                "verbs-mixed-pipelined-mtu1024",
                "rping-rc-cm-send-read-write",
                "nvmeof-connect-io-disconnect-linkmtu1500-read-retry"
            })
    void aPoisonedAnswerIsReportedAndNothingElse(String name) throws IOException {
        List<Captured> acks = acks(name);
        long middle = acks.get(acks.size() / 2).frame();
        long last = acks.get(acks.size() - 1).frame();
        aloneDiffers(name, middle, "msn", p -> p.msn ^= 1);
        aloneDiffers(name, middle, "psn", p -> p.psn ^= 2);
        aloneDiffers(name, middle, "dest_qp", p -> p.destQp ^= 0x80);
        aloneDiffers(name, middle, "opcode", p -> p.opcode = Opcode.RC_RDMA_READ_RESPONSE_ONLY.code());
        for (int syndrome : new int[] {0x60, 0x61, 0x62, 0x63, 0x2C}) {
            aloneDiffers(name, middle, "syndrome", p -> p.syndrome = syndrome);
            aloneDiffers(name, last, "syndrome", p -> p.syndrome = syndrome);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "duplicate-write-bw-16k-server",
                "verbs-mixed-pipelined-mtu1024",
                "rping-rc-cm-send-read-write",
                "corrupt-write-bw-4k-server",
                "reorder-write-bw-4k-server"
            })
    void withoutTheCapturedAnswersTheSameAreGiven(String name) throws IOException {
        Map<AnswerHead, Long> base = given(replay(Mutation.of(Captures.of(name))));
        Replay without = replay(Mutation.of(Captures.of(name)).drop(p -> p.opcode == ACK));
        assertThat(given(without)).isEqualTo(base);
        assertThat(without.report().requestsLost()).isEmpty();
    }

    @Test
    void aMissingAnswerIsReported() throws IOException {
        long frame = acks("write-lat-256b-inline").get(3).frame();
        Captured gone = acks("write-lat-256b-inline").get(3);
        Replay replay = replay(Mutation.of(Captures.of("write-lat-256b-inline"))
                .drop(p -> p.opcode == ACK && p.psn == gone.packet().psn && p.flow.srcLo == gone.packet().flow.srcLo));
        assertThat(replay.report().differences()).singleElement().satisfies(d -> {
            assertThat(d.frame()).isLessThan(frame);
            assertThat(d.expected()).isNull();
            assertThat(d.got()).contains("MSN " + gone.packet().msn);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {LOSSY, "verbs-mixed-pipelined-mtu1024", "rping-rc-cm-send-read-write"})
    void everyFirstPsnIsGood(String name) throws IOException {
        ReplayReport base = replay(Mutation.of(Captures.of(name))).report();
        for (int shift : new int[] {0xEEEEEE, 0x7FFFFF, -0x111112}) {
            Mutation moved = Mutation.of(Captures.of(name)).change(p -> true, p -> p.psn = Psn.plus(p.psn, shift));
            ReplayReport report = replay(moved).report();
            assertThat(report.differences()).isEmpty();
            assertThat(report.matching()).isEqualTo(base.matching());
            assertThat(report.requestsLost()).isEqualTo(base.requestsLost());
        }
    }

    @Test
    void bytesThatARequestWroteMustComeBack() throws IOException {
        // FETCH_ADDs show the counter that earlier ones left: another value cannot be memory that nobody wrote
        String name = "lossy-verbs-16-fetch-adds-loss15-both-server";
        List<Captured> answers = Capture.read(Captures.of(name)).answers();
        long frame = answers.get(5).frame();
        Replay replay = replay(Mutation.of(Captures.of(name)).change(frame, p -> p.original ^= 4));
        assertThat(replay.report().differences())
                .extracting(ReplayReport.Difference::frame, ReplayReport.Difference::field)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(frame, "original"));
    }

    /** A capture may say anything: that a request was granted which goes beyond the end of all addresses, for instance. */
    @ParameterizedTest
    @ValueSource(longs = {-34, -1, 0x7FFF_FFFF_FFFF_F000L, 8, -4096})
    void whatNoRegionCanHoldIsADifference(long va) throws IOException {
        for (String name : List.of("reorder-read-bw-4k-server", "write-lat-2b-noinline", "verbs-atomics-faa-cas")) {
            List<Captured> requests = Capture.read(Captures.of(name)).requests();
            long last = requests.get(requests.size() - 1).frame();
            ReplayReport report = replay(Mutation.of(Captures.of(name)).change(last, p -> p.va = va))
                    .report();
            assertThat(report.differences()).as(name).isNotEmpty();
        }
    }

    @Test
    void aReadThatNobodyCanPostEndsTheWorkOfTheRequester() throws IOException {
        String name = "reorder-read-bw-4k-server";
        long second = Capture.read(Captures.of(name)).requests().get(1).frame();
        Mutation.of(Captures.of(name))
                .change(second, p -> p.dmaLen = (1L << 31) + 1)
                .write(folder.resolve("x.pcapng"));
        ReplayReport report = Replay.of(folder.resolve("x.pcapng"), Replay.Role.REQUESTER, Provider.SOFT, null)
                .report();
        assertThat(report.answersGot()).isLessThan(report.answersExpected() + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"reorder-read-bw-4k-server", "verbs-atomics-faa-cas", "verbs-mixed-pipelined-mtu1024"})
    void aSetupWithoutTheRegionRefuses(String name) throws IOException {
        Path setup = folder.resolve("empty.yaml");
        Files.writeString(setup, "{}");
        ReplayReport report = Replay.of(Captures.of(name), Replay.Role.RESPONDER, Provider.SOFT, setup)
                .report();
        assertThat(report.differences()).isNotEmpty();
    }

    @Test
    void aCaptureThatEndsInTheMiddleIsReplayedSoFar() throws IOException {
        Mutation all = Mutation.of(Captures.of("nvmeof-connect-io-disconnect-linkmtu1500-read-retry"));
        for (int frames = all.size() - 1; frames > 0; frames -= 41) {
            Mutation cut = Mutation.of(Captures.of("nvmeof-connect-io-disconnect-linkmtu1500-read-retry"))
                    .cut(frames);
            ReplayReport report = replay(cut).report();
            assertThat(report.matching() + report.knownDeviations().size()).isEqualTo(report.answersExpected());
            ReplayReport asked = Replay.of(folder.resolve("x.pcapng"), Replay.Role.REQUESTER, Provider.SOFT, null)
                    .report();
            assertThat(asked.differences()).isEmpty();
        }
    }

    @Test
    void anotherRequestIsAnotherRequest() throws IOException {
        Capture capture = Capture.read(Captures.of("verbs-mixed-pipelined-mtu1024"));
        Captured read =
                capture.requests().stream().filter(Captured::isRead).findFirst().orElseThrow();
        Mutation mutation =
                Mutation.of(Captures.of("verbs-mixed-pipelined-mtu1024")).change(read.frame(), p -> p.va += 8);
        // the bytes at another address are not the ones that the captured answers have
        assertThat(replay(mutation).report().differences())
                .extracting(ReplayReport.Difference::field)
                .allMatch(f -> f.startsWith("payload["))
                .isNotEmpty();
    }
}
