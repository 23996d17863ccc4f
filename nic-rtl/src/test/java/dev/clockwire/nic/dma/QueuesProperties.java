package dev.clockwire.nic.dma;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.stage.QpRing;
import dev.clockwire.nic.stage.TokenQueue;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.testkit.NumberToken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The rings inside the engines against the collections of the JDK. */
class QueuesProperties {
    @Property
    void aRingHoldsEachQueueOnceInTheOrderOfTheirComing(
            @ForAll @Size(max = 300) List<@IntRange(min = -3, max = 70) Integer> steps) {
        QpRing ring = new QpRing();
        Set<Integer> model = new LinkedHashSet<>();
        for (int step : steps) {
            if (step >= 0) {
                ring.add(step);
                model.add(step);
            } else if (!model.isEmpty()) {
                int first = model.iterator().next();
                model.remove(first);
                assertThat(ring.next()).isEqualTo(first);
            }
            List<Integer> found = new ArrayList<>();
            for (int i = 0; i < ring.size(); i++) {
                found.add(ring.get(i));
            }
            assertThat(found).containsExactlyElementsOf(model);
        }
        ring.clear();
        assertThat(ring.size()).isZero();
        ring.add(5);
        assertThat(ring.next()).isEqualTo(5);
    }

    @Property
    void aTokenQueueIsFirstInFirstOutAcrossASnapshot(@ForAll @Size(max = 200) List<Boolean> steps) {
        TokenQueue<NumberToken> queue = new TokenQueue<>();
        Deque<Long> model = new ArrayDeque<>();
        long next = 0;
        for (boolean add : steps) {
            if (add || model.isEmpty()) {
                queue.add(new NumberToken(next));
                model.add(next++);
            } else {
                assertThat(queue.first().number()).isEqualTo(model.peek());
                assertThat(queue.remove().number()).isEqualTo(model.remove());
            }
            assertThat(queue.size()).isEqualTo(model.size());
        }
        Snapshot snapshot = new Snapshot();
        queue.save(snapshot);
        snapshot.rewind();
        TokenQueue<NumberToken> copy = new TokenQueue<>();
        copy.load(snapshot);
        while (!model.isEmpty()) {
            assertThat(copy.remove().number()).isEqualTo(model.remove());
        }
        assertThat(copy.size()).isZero();
    }

    /** A message counts only when every packet from the front to its end has its payload, in whatever order that came. */
    @Property
    void messagesAreWholeFromTheFront(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 3) Integer> kinds) {
        SlotQueue queue = new SlotQueue();
        List<TxSlot> all = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            TxSlot slot = new TxSlot(i, new RocePacket());
            slot.last = (kinds.get(i) & 1) != 0;
            slot.pending = (kinds.get(i) & 2) != 0 ? 1 : 0;
            queue.add(slot);
            all.add(slot);
        }
        for (int late = kinds.size() - 1; late >= 0; late--) {
            all.get(late).pending = 0;
            queue.advance();
            int whole = 0;
            for (int i = 0; i < all.size() && all.get(i).pending == 0; i++) {
                whole += all.get(i).last ? 1 : 0;
            }
            assertThat(queue.wholeMessages).isEqualTo(whole);
        }
        while (queue.size() > 0) {
            queue.remove();
        }
        assertThat(queue.wholeMessages).isZero();
        assertThat(queue.complete).isZero();
    }
}
