package dev.clockwire.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WaterfallAlongChainTest {
    private static final StageChain CHAIN = new StageChain()
            .once("post")
            .packets("payload")
            .feed("assembly", "mac")
            .deliver("wire", "parse")
            .once("poll");

    private final JourneyLog log = new JourneyLog(256);
    private final StageRegistry names = new StageRegistry();

    private void stamp(String stage, int seq, long in, long out, String cause) {
        log.stamp(7, names.id(stage), seq, in, out, names.id(cause));
    }

    private void stamp(String stage, int seq, long in, long out) {
        stamp(stage, seq, in, out, "");
    }

    private List<Waterfall.Row> path(long start, long end) {
        return Waterfall.along(CHAIN, 2, log, names, 7, start, end).rows();
    }

    private static Waterfall.Row span(String stage, long start, long end) {
        return new Waterfall.Row(stage, start, end - start, 0, List.of());
    }

    /** A packet that takes 10 in assembly, MAC and parser and 30 on the wire; the MAC starts at a given time. */
    private void packet(int seq, long payload, String macCause, long macIn) {
        stamp("payload", seq, 0, payload);
        stamp("assembly", seq, payload, payload + 10);
        stamp("mac", seq, macIn, macIn + 10, macCause);
        stamp("wire", seq, macIn + 10, macIn + 40);
        stamp("parse", seq, macIn + 40, macIn + 50);
    }

    @Test
    void onePacketIsAChain() {
        stamp("post", 0, 0, 5);
        packet(3, 100, "", 110);
        stamp("poll", 0, 160, 170);
        assertThat(path(0, 170))
                .containsExactly(
                        span("post", 0, 5),
                        span("payload", 5, 100),
                        span("assembly", 100, 110),
                        span("mac", 110, 120),
                        span("wire", 120, 150),
                        span("parse", 150, 160),
                        span("poll", 160, 170));
    }

    @Test
    void packetsThatQueueForTheLineLeadBackToTheFirst() {
        packet(1, 100, "", 110);
        packet(2, 120, Waterfall.BEHIND, 140);
        packet(3, 140, Waterfall.BEHIND, 170);
        assertThat(path(0, 220))
                .containsExactly(
                        span("payload", 0, 100),
                        span("assembly", 100, 110),
                        span("mac", 110, 120),
                        span("wire", 120, 210),
                        span("parse", 210, 220));
    }

    /** The largest message at the smallest path MTU: a path that takes a time with the square of it would take hours. */
    @Test
    @Timeout(60)
    void aMillionPacketsAreFollowedBackToo() {
        int packets = 1 << 19;
        JourneyLog large = new JourneyLog(1 << 21);
        for (int i = 0; i < packets; i++) {
            large.stamp(7, names.id("payload"), i, 0, 100, 0);
            large.stamp(7, names.id("mac"), i, 110 + 10L * i, 120 + 10L * i, names.id(Waterfall.BEHIND));
            large.stamp(7, names.id("wire"), i, 120 + 10L * i, 150 + 10L * i, 0);
        }
        long end = 150 + 10L * (packets - 1);
        assertThat(Waterfall.along(CHAIN, 2, large, names, 7, 0, end).rows())
                .startsWith(span("payload", 0, 100))
                .contains(span("wire", 120, end));
    }

    @Test
    void aPacketThatFoundTheLineFreeCountsItself() {
        packet(1, 100, "", 110);
        packet(2, 500, "", 510);
        packet(3, 520, Waterfall.BEHIND, 540);
        assertThat(path(0, 600))
                .startsWith(span("payload", 0, 500), span("assembly", 500, 510), span("mac", 510, 520))
                .contains(span("wire", 520, 580));
    }

    @Test
    void aMessageThatIsStoredWholeHasItsPayloadWhenTheLastPieceIsThere() {
        stamp("payload", 1, 0, 100);
        stamp("payload", 2, 0, 200);
        stamp("payload", 3, 0, 300);
        stamp("assembly", 1, 300, 310);
        stamp("assembly", 2, 320, 330);
        stamp("mac", 1, 310, 320);
        stamp("mac", 2, 330, 340);
        stamp("wire", 1, 320, 350);
        stamp("wire", 2, 340, 370);
        assertThat(path(0, 370))
                .containsExactly(
                        span("payload", 0, 300),
                        span("assembly", 300, 310),
                        span("mac", 310, 320),
                        span("wire", 320, 370));
    }

    @Test
    void aPacketThatWasReadyWhileTheOneBeforeWasInTheStageQueued() {
        packet(1, 100, "", 110);
        packet(2, 104, "", 124);
        stamp("assembly", 2, 110, 120);
        assertThat(path(0, 174)).contains(span("payload", 0, 100), span("wire", 120, 164));
    }

    @Test
    void aPacketThatWaitedForSomethingElseDidNotQueue() {
        packet(1, 100, "", 110);
        packet(2, 200, "", 300);
        assertThat(path(0, 350))
                .contains(
                        span("payload", 0, 200),
                        new Waterfall.Row("mac", 210, 100, 90, List.of(new Waterfall.Wait(Waterfall.UNKNOWN, 90))));
    }

    @Test
    void carriedStagesKnowNoWaiting() {
        StageChain chain = new StageChain().once("post", "poll").carried("poll");
        stamp("post", 0, 0, 5);
        stamp("poll", 0, 50, 60);
        assertThat(Waterfall.along(chain, 2, log, names, 7, 0, 60).rows())
                .containsExactly(span("post", 0, 5), span("poll", 5, 60));
    }

    @Test
    void absentStagesLeaveTheirTimeToTheNextAsWaiting() {
        stamp("post", 0, 0, 5);
        stamp("assembly", 1, 25, 30, "encoder");
        stamp("mac", 1, 30, 40);
        assertThat(path(0, 40))
                .containsExactly(
                        span("post", 0, 5),
                        new Waterfall.Row("assembly", 5, 25, 20, List.of(new Waterfall.Wait("encoder", 20))),
                        span("mac", 30, 40));
    }

    @Test
    void whatHappensAfterTheEndDoesNotCount() {
        stamp("post", 0, 0, 50);
        stamp("mac", 1, 20, 30);
        stamp("poll", 0, 60, 90);
        assertThat(path(10, 80))
                .containsExactly(
                        span("post", 10, 50),
                        span("mac", 50, 50),
                        new Waterfall.Row("poll", 50, 30, 30, List.of(new Waterfall.Wait(Waterfall.UNKNOWN, 30))));
    }

    @Test
    void theLastStageLastsToTheEnd() {
        stamp("post", 0, 0, 5);
        assertThat(path(0, 80))
                .containsExactly(
                        span("post", 0, 5),
                        new Waterfall.Row("poll", 5, 75, 75, List.of(new Waterfall.Wait(Waterfall.UNKNOWN, 75))));
    }

    @Test
    void otherJourneysAreNotMixedIn() {
        stamp("post", 0, 0, 5);
        log.stamp(8, names.id("poll"), 0, 5, 9, 0);
        assertThat(path(0, 5)).containsExactly(span("post", 0, 5));
        assertThatThrownBy(() -> Waterfall.along(CHAIN, 2, log, names, 9, 0, 1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("journey 9");
    }

    @Test
    void aRetransmissionCountsInsteadOfTheLostPacket() {
        packet(1, 100, "", 110);
        stamp("mac", 1, 900, 910);
        stamp("wire", 1, 910, 940);
        stamp("parse", 1, 940, 950);
        assertThat(path(0, 950)).contains(span("wire", 910, 940), span("mac", 110, 910));
    }

    @Test
    void theChainNamesTheCauseWhereNoStampDoes() {
        StageChain chain = new StageChain().once("post", "fetch", "poll").waits("a slot", "fetch", "poll");
        stamp("post", 0, 0, 5);
        stamp("fetch", 0, 15, 20);
        stamp("poll", 0, 30, 40, "the device");
        assertThat(Waterfall.along(chain, 2, log, names, 7, 0, 40).segments())
                .containsExactly(
                        new Waterfall.Segment("post", "", 0, 5),
                        new Waterfall.Segment("fetch", "a slot", 5, 15),
                        new Waterfall.Segment("fetch", "", 15, 20),
                        new Waterfall.Segment("poll", "the device", 20, 30),
                        new Waterfall.Segment("poll", "", 30, 40));
    }

    @Test
    void theDifferenceOfTwoOperationsIsTheSumOfTheirStages() {
        packet(1, 100, "", 110);
        packet(2, 300, "", 330);
        Waterfall fast = Waterfall.along(CHAIN, 2, log, names, 7, 0, 160);
        Waterfall slow = Waterfall.along(CHAIN, 2, log, names, 7, 0, 380);
        assertThat(fast.compare(slow).stream()
                        .mapToLong(Waterfall.Difference::excessPs)
                        .sum())
                .isEqualTo(220);
        assertThat(fast.compare(slow))
                .contains(new Waterfall.Difference("payload", 100, 300), new Waterfall.Difference("mac", 10, 30));
    }
}
