package dev.clockwire.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaterfallTest {
    private final StageRegistry names = new StageRegistry();
    private final JourneyLog log = new JourneyLog(100);

    private void stamp(long journey, String stage, int seq, long in, long out, String cause) {
        log.stamp(journey, names.id(stage), seq, in, out, names.id(cause));
    }

    private Waterfall of(long journey) {
        return Waterfall.of(new JourneyIndex(log), names, journey);
    }

    @Test
    void aChainIsItsOwnPath() {
        stamp(7, "wire", 0, 30, 60, "");
        stamp(7, "post", 0, 10, 15, "");
        stamp(8, "post", 0, 0, 99, "");
        stamp(7, "tx", 0, 15, 22, "credits");
        stamp(7, "tx", 0, 22, 30, "");
        Waterfall w = of(7);
        assertThat(w.segments())
                .containsExactly(
                        new Waterfall.Segment("post", "", 10, 15),
                        new Waterfall.Segment("tx", "credits", 15, 22),
                        new Waterfall.Segment("tx", "", 22, 30),
                        new Waterfall.Segment("wire", "", 30, 60));
        assertThat(w.rows())
                .containsExactly(
                        new Waterfall.Row("post", 10, 5, 0, List.of()),
                        new Waterfall.Row("tx", 15, 15, 7, List.of(new Waterfall.Wait("credits", 7))),
                        new Waterfall.Row("wire", 30, 30, 0, List.of()));
        assertThat(w.totalPs()).isEqualTo(50);
        assertThat(w.startPs()).isEqualTo(10);
    }

    @Test
    void theLastToArriveIsCritical() {
        stamp(1, "fetch", 0, 0, 10, "");
        stamp(1, "dma", 1, 10, 20, ""); // early
        stamp(1, "dma", 2, 12, 50, "");
        stamp(1, "dma", 3, 14, 30, "");
        stamp(1, "queue", 2, 10, 12, "tags");
        stamp(1, "complete", 0, 50, 55, "");
        assertThat(of(1).segments())
                .containsExactly(
                        new Waterfall.Segment("fetch", "", 0, 10),
                        new Waterfall.Segment("queue", "tags", 10, 12),
                        new Waterfall.Segment("dma", "", 12, 50),
                        new Waterfall.Segment("complete", "", 50, 55));
    }

    @Test
    void cutThroughHandsOverWhereTheNextStageBegins() {
        stamp(1, "tx", 0, 0, 40, "");
        stamp(1, "wire", 0, 10, 60, "");
        assertThat(of(1).perStage()).containsEntry("tx", 10L).containsEntry("wire", 50L);
    }

    @Test
    void aStageThatEndsExactlyThenGoesBeforeOneThatOverlaps() {
        stamp(1, "overlap", 0, 5, 25, "");
        stamp(1, "exact", 1, 0, 20, "");
        stamp(1, "last", 0, 20, 30, "");
        assertThat(of(1).perStage().keySet()).containsExactly("exact", "last");
    }

    @Test
    void thePartOfTheOperationDecidesBetweenEqualEnds() {
        stamp(1, "mine", 4, 0, 20, "");
        stamp(1, "other", 5, 10, 20, "");
        stamp(1, "last", 4, 20, 30, "");
        assertThat(of(1).perStage().keySet()).containsExactly("mine", "last");
    }

    @Test
    void gapsAreShown() {
        stamp(1, "post", 0, 10, 20, "");
        stamp(1, "poll", 0, 25, 30, "");
        Waterfall w = Waterfall.of(new JourneyIndex(log), names, 1, 5, 33);
        assertThat(w.segments())
                .containsExactly(
                        new Waterfall.Segment(Waterfall.UNACCOUNTED, "", 5, 10),
                        new Waterfall.Segment("post", "", 10, 20),
                        new Waterfall.Segment(Waterfall.UNACCOUNTED, "", 20, 25),
                        new Waterfall.Segment("poll", "", 25, 30),
                        new Waterfall.Segment(Waterfall.UNACCOUNTED, "", 30, 33));
    }

    @Test
    void stampsBeforeThePostAreCut() {
        stamp(1, "prefetch", 0, 0, 20, "");
        stamp(1, "poll", 0, 20, 30, "");
        assertThat(Waterfall.of(new JourneyIndex(log), names, 1, 15, 30).rows().get(0))
                .isEqualTo(new Waterfall.Row("prefetch", 15, 5, 0, List.of()));
        assertThat(Waterfall.of(new JourneyIndex(log), names, 1, 25, 30).rows()).hasSize(1);
        assertThat(Waterfall.of(new JourneyIndex(log), names, 1, 30, 30).rows()).isEmpty();
        assertThatThrownBy(() -> Waterfall.of(new JourneyIndex(log), names, 1, 31, 30))
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> of(2)).hasMessageContaining("has no stamps");
    }

    @Test
    void theExcessIsTheSumOfTheDifferences() {
        stamp(1, "a", 0, 0, 10, "");
        stamp(1, "b", 0, 10, 30, "");
        stamp(2, "a", 0, 100, 115, "");
        stamp(2, "c", 0, 115, 118, "");
        stamp(2, "b", 0, 118, 160, "");
        Waterfall fast = of(1);
        Waterfall slow = of(2);
        assertThat(fast.compare(slow))
                .containsExactly(
                        new Waterfall.Difference("a", 10, 15),
                        new Waterfall.Difference("b", 20, 42),
                        new Waterfall.Difference("c", 0, 3));
        assertThat(fast.compare(slow).stream()
                        .mapToLong(Waterfall.Difference::excessPs)
                        .sum())
                .isEqualTo(slow.totalPs() - fast.totalPs());
    }

    @Test
    void logsOfSeveralPartitionsAreJoined() {
        JourneyLog other = new JourneyLog(4);
        stamp(3, "b", 0, 10, 20, "");
        other.stamp(3, names.id("a"), 0, 0, 10, 0);
        JourneyIndex index = new JourneyIndex(log, other);
        assertThat(index.journeys()).containsExactly(3);
        assertThat(Waterfall.of(index, names, 3).perStage().keySet()).containsExactly("a", "b");
        assertThat(index.stamps()).hasSize(2);
    }

    /** Somebody else's path: its parts join, and neighbours of one stage are one. */
    @Test
    void aPathOfParts() {
        Waterfall.Segment a = new Waterfall.Segment("a", "", 5, 8);
        Waterfall w = Waterfall.of(
                List.of(a, new Waterfall.Segment("a", "", 8, 9), new Waterfall.Segment("b", "turn", 9, 20)));
        assertThat(w.segments()).hasSize(2);
        assertThat(w.totalPs()).isEqualTo(15);
        assertThat(w.perStage()).containsEntry("a", 4L).containsEntry("b", 11L);
        assertThatThrownBy(() -> Waterfall.of(List.of())).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> Waterfall.of(List.of(a, new Waterfall.Segment("b", "", 9, 12))))
                .hasMessageContaining("part b of a path is from 9 to 12 ps: must begin at 8 ps");
        assertThatThrownBy(() -> Waterfall.of(List.of(a, new Waterfall.Segment("b", "", 8, 7))))
                .isInstanceOf(ConfigurationException.class);
    }
}
