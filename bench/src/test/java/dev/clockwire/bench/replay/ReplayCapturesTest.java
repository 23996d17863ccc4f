package dev.clockwire.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulated side agrees with Linux soft-RoCE in every captured answer and request. */
class ReplayCapturesTest {
    static Collection<Path> captures() {
        return Captures.all().values();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void respondersAnswerAsCaptured(Path capture) throws IOException {
        ReplayReport report = Replay.of(capture, Replay.Role.RESPONDER, Replay.Provider.SOFT, null)
                .report();
        assertThat(report.differences()).isEmpty();
        assertThat(report.matching() + report.knownDeviations().size()).isEqualTo(report.answersExpected());
        boolean loses = capture.toString().matches(".*(rx-loss|loss\\d+-both).*");
        int mayLose = loses ? (report.requestsFed() * 12 + 99) / 100 : 0;
        assertThat(report.requestsLost()).hasSizeLessThanOrEqualTo(mayLose);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void requestersAskAsCaptured(Path capture) throws IOException {
        ReplayReport report = Replay.of(capture, Replay.Role.REQUESTER, Replay.Provider.SOFT, null)
                .report();
        assertThat(report.differences()).isEmpty();
        assertThat(report.matching()).isEqualTo(report.answersExpected()).isEqualTo(report.answersGot());
    }
}
