package dev.clockwire.storage.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.trace.Waterfall;
import org.junit.jupiter.api.Test;

/** The way of an operation backwards through what was done for it: the last of those that are waited for, and only the try that was answered. */
class StepOrderTest {
    private static final int CLIENT = 9;
    private static final StepOrder ORDER = new StepOrder((place, of, write) -> place == 0 ? "leader" : "replica")
            .tries("ask", "@: begin")
            .arrives("received", "request to @", "ask", "forward")
            .follows("forward", "@: forward")
            .follows("store", "@: checksum")
            .next("stored", "@: SSD write")
            .next("reply", "@: answer")
            .beside("replied", "answer to @", "reply")
            .joins("answer", "@: answer")
            .arrives("answered", "answer to @", "answer");

    private final OperationSteps op = new OperationSteps();

    private StepOrderTest at(int host, String step, long ps) {
        op.add(step, host, ps);
        return this;
    }

    private Waterfall endsAt(long ps) {
        op.end(ps);
        return ORDER.path(op);
    }

    /** Machine 0 stores from 31 on beside machine 1 and 2, each of which may be the last. */
    private StepOrderTest forks(long own, long first, long second) {
        op.begin(CLIENT, true, 10);
        at(CLIENT, "ask", 12).at(0, "received", 20).at(0, "forward", 24).at(0, "forward", 30);
        at(0, "store", 31).at(1, "received", 40).at(2, "received", 41);
        at(1, "store", 42).at(2, "store", 43).at(1, "stored", first - 20).at(1, "reply", first - 15);
        at(2, "stored", second - 20).at(2, "reply", second - 10);
        if (own < Math.min(first, second)) {
            at(0, "stored", own);
        }
        at(0, "replied", Math.min(first, second));
        if (own > first && own < second) {
            at(0, "stored", own);
        }
        at(0, "replied", Math.max(first, second));
        if (own > Math.max(first, second)) {
            at(0, "stored", own);
        }
        return this;
    }

    @Test
    void theLastReplicaCounts() {
        forks(60, 100, 150).at(0, "answer", 152).at(CLIENT, "answered", 160);
        assertThat(endsAt(160).perStage())
                .containsExactlyInAnyOrderEntriesOf(java.util.Map.of(
                        "client: begin", 2L,
                        "request to leader", 8L,
                        "leader: forward", 10L,
                        "request to replica", 11L,
                        "replica: checksum", 2L,
                        "replica: SSD write", 87L,
                        "replica: answer", 10L,
                        "answer to leader", 10L,
                        "leader: answer", 2L,
                        "answer to client", 8L))
                .doesNotContainKey(Waterfall.UNACCOUNTED);
    }

    /** What arrives while a machine is at work does not make that work part of what arrived. */
    @Test
    void theOwnDiskCountsIfItIsLast() {
        forks(120, 100, 110).at(0, "answer", 121).at(CLIENT, "answered", 130);
        assertThat(endsAt(130).perStage())
                .containsEntry("leader: SSD write", 120L - 31)
                .containsEntry("leader: answer", 1L)
                .doesNotContainKeys("answer to leader", "request to replica");
    }

    @Test
    void triesThatFailedAreOneStage() {
        op.begin(CLIENT, true, 0);
        at(CLIENT, "ask", 1).at(0, "received", 5).at(0, "store", 6).at(0, "stored", 50);
        at(CLIENT, "ask", 300).at(CLIENT, "ask", 700).at(0, "received", 710).at(0, "answer", 711);
        at(CLIENT, "answered", 720);
        assertThat(endsAt(720).perStage())
                .containsExactly(
                        java.util.Map.entry("client: begin", 1L),
                        java.util.Map.entry("tries before", 699L),
                        java.util.Map.entry("request to leader", 10L),
                        java.util.Map.entry("leader: answer", 1L),
                        java.util.Map.entry("answer to client", 9L));
    }

    /** What nobody has told is not made up. */
    @Test
    void anArrivalWithoutASenderIsUnaccounted() {
        op.begin(CLIENT, false, 0);
        at(CLIENT, "answered", 30);
        assertThat(endsAt(40).perStage())
                .containsEntry(Waterfall.UNACCOUNTED, 30L)
                .containsEntry("client: completion", 10L);
        op.begin(CLIENT, false, 5);
        assertThat(endsAt(5).totalPs()).isZero();
        assertThat(endsAt(8).perStage()).containsOnly(java.util.Map.entry(Waterfall.UNACCOUNTED, 3L));
    }
}
