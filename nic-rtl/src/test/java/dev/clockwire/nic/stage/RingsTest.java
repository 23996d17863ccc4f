package dev.clockwire.nic.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.testkit.NumberToken;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The growing rings at the edges of their arrays, which start with 16 places. */
class RingsTest {
    /** Fills a ring whose front stands somewhere in the array, so that it grows while it goes over the end. */
    @ParameterizedTest
    @CsvSource({"0,16", "0,17", "5,16", "5,17", "15,17", "15,33", "3,70", "16,40"})
    void aRingOfQueuesGrowsInOrder(int front, int count) {
        QpRing ring = new QpRing();
        for (int i = 0; i < front; i++) {
            assertThat(ring.add(i)).isTrue();
            assertThat(ring.next()).isEqualTo(i);
        }
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            assertThat(ring.add(200 - 2 * i)).isTrue();
            assertThat(ring.add(200 - 2 * i)).as("in already").isFalse();
            all.add(200 - 2 * i);
            assertThat(ring.size()).isEqualTo(i + 1);
        }
        assertThat(content(ring)).isEqualTo(all);
        Snapshot saved = new Snapshot();
        ring.save(saved);
        saved.rewind();
        QpRing copy = new QpRing();
        copy.add(3);
        copy.add(200);
        copy.load(saved);
        assertThat(content(copy)).isEqualTo(all);
        assertThat(copy.add(3)).as("what was in before is out").isTrue();
        for (int q : all) {
            assertThat(ring.next()).isEqualTo(q);
            assertThat(ring.add(q)).as("may come again").isTrue();
        }
        assertThat(content(ring)).isEqualTo(all);
        ring.clear();
        assertThat(ring.size()).isZero();
    }

    private static List<Integer> content(QpRing ring) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < ring.size(); i++) {
            found.add(ring.get(i));
        }
        return found;
    }

    @ParameterizedTest
    @CsvSource({"0,16", "0,17", "5,16", "5,17", "15,17", "15,33", "3,70", "16,40"})
    void aQueueOfTokensToo(int front, int count) {
        TokenQueue<NumberToken> queue = new TokenQueue<>();
        for (int i = 0; i < front; i++) {
            queue.add(new NumberToken(-1));
            queue.remove();
        }
        for (int i = 0; i < count; i++) {
            queue.add(new NumberToken(i));
            assertThat(queue.first().number()).isZero();
            assertThat(queue.size()).isEqualTo(i + 1);
        }
        Snapshot saved = new Snapshot();
        queue.save(saved);
        saved.rewind();
        TokenQueue<NumberToken> copy = new TokenQueue<>();
        for (int i = 0; i < 9; i++) {
            copy.add(new NumberToken(77));
        }
        copy.remove();
        copy.load(saved);
        for (int i = 0; i < count; i++) {
            assertThat(copy.remove().number()).isEqualTo(i);
            assertThat(queue.remove().number()).isEqualTo(i);
        }
        assertThat(copy.size()).isZero();
        assertThat(queue.size()).isZero();
    }

    /** A token may not leave before the one in front of it, and keeps its cycle through a snapshot. */
    @ParameterizedTest
    @CsvSource({"0", "1", "3", "4"})
    void tokensOfAStageLeaveInOrderNotBeforeTheirCycle(int front) {
        LatencyState s = new LatencyState(5);
        for (int i = 0; i < front; i++) {
            s.push(new NumberToken(0), 1000);
            s.pop();
        }
        long[] cycles = {10, 7, 12, 12, 30};
        long[] due = {10, 10, 12, 12, 30};
        for (int i = 0; i < 5; i++) {
            assertThat(s.full()).isFalse();
            s.push(new NumberToken(i), cycles[i]);
            assertThat(s.empty()).isFalse();
        }
        assertThat(s.full()).isTrue();
        s.nextEntry = 5;
        s.turn = 1;
        Snapshot saved = new Snapshot();
        s.save(saved);
        saved.rewind();
        LatencyState copy = new LatencyState(5);
        copy.push(new NumberToken(9), 9);
        copy.load(saved);
        assertThat(copy.nextEntry).isEqualTo(5);
        assertThat(copy.turn).isEqualTo(1);
        for (int i = 0; i < 5; i++) {
            assertThat(s.headDue()).isEqualTo(due[i]);
            assertThat(copy.headDue()).isEqualTo(due[i]);
            assertThat(((NumberToken) s.pop()).number()).isEqualTo(i);
            assertThat(((NumberToken) copy.pop()).number()).isEqualTo(i);
        }
        assertThat(s.empty()).isTrue();
    }
}
