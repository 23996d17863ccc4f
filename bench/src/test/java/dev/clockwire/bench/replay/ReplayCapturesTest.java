package dev.clockwire.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.perftest.Provider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulated side agrees with Linux soft-RoCE in every captured answer and request. */
class ReplayCapturesTest {
    static List<Arguments> captures() {
        return Captures.all().values().stream()
                .flatMap(file -> Stream.of(Arguments.of(file, Provider.SOFT), Arguments.of(file, Provider.HW)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void respondersAnswerAsCaptured(Path capture, Provider provider) throws IOException {
        ReplayReport report =
                Replay.of(capture, Replay.Role.RESPONDER, provider, null).report();
        assertThat(report.differences()).isEmpty();
        assertThat(report.matching() + report.knownDeviations().size()).isEqualTo(report.answersExpected());
        boolean loses = capture.toString().matches(".*(rx-loss|loss\\d+-both).*");
        int mayLose = loses ? (report.requestsFed() * 12 + 99) / 100 : 0;
        assertThat(report.requestsLost()).hasSizeLessThanOrEqualTo(mayLose);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void requestersAskAsCaptured(Path capture, Provider provider) throws IOException {
        ReplayReport report =
                Replay.of(capture, Replay.Role.REQUESTER, provider, null).report();
        assertThat(report.differences()).isEmpty();
        assertThat(report.matching()).isEqualTo(report.answersExpected()).isEqualTo(report.answersGot());
    }
}
