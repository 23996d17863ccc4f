package dev.clockwire.storage.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SlotsTest {
    /** What a message of the test was sent for, and by which number. */
    private record Message(int number, String to) {}

    /**
     * Things come and go, messages arrive in order but late: each reaches the thing that it was sent for or, when that is gone, nothing; and there are
     * never more numbers than things and messages at a time.
     */
    @Property(tries = 300)
    void aMessageReachesWhatItWasSentFor(@ForAll @Size(max = 400) List<@IntRange(max = 99) Integer> moves) {
        Slots<String> slots = new Slots<>();
        List<Message> alive = new ArrayList<>();
        ArrayDeque<Message> underWay = new ArrayDeque<>();
        int most = 0;
        for (int i = 0; i < moves.size(); i++) {
            int move = moves.get(i);
            if (move < 25 || alive.isEmpty()) {
                int number = slots.next();
                String name = "thing " + i;
                assertThat(slots.add(name)).isEqualTo(number);
                alive.add(new Message(number, name));
            } else if (move < 50) {
                Message gone = alive.remove(move % alive.size());
                slots.remove(gone.number);
                slots.remove(gone.number);
            } else if (move < 75) {
                Message to = alive.get(move % alive.size());
                slots.sent(to.number);
                underWay.add(to);
            } else if (!underWay.isEmpty()) {
                Message m = underWay.remove();
                assertThat(slots.received(m.number)).isEqualTo(alive.contains(m) ? m.to : null);
            }
            most = Math.max(most, alive.size() + underWay.size());
            assertThat(slots.size()).isLessThanOrEqualTo(most);
        }
    }
}
