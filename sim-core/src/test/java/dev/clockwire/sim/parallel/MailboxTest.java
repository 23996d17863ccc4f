package dev.clockwire.sim.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What one thread puts another takes, once and in order, pages turned and given back on the way. */
class MailboxTest {
    private static final int MANY = 200_000;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Ear ear = new Ear(sim);
    private final Mailbox box = new Mailbox();

    /** Takes words that count up. */
    private static final class Ear extends SimNode {
        private final EventPort port = new EventPort(this, "in") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                assertThat(a).isEqualTo(heard);
                assertThat(b).isEqualTo(-a);
                heard++;
            }
        };
        private long heard;

        Ear(Sim sim) {
            super(sim.root(), "ear");
        }
    }

    @Test
    void nothingIsSeenBeforeItIsPublished() {
        sim.elaborate();
        box.put(ear.port, 10, 1, 0, 0, null);
        box.empty();
        sim.run(20);
        assertThat(ear.heard).isZero();
        box.publish();
        assertThat(sim.nextAt(100)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theEarliestCountsFromTheTimeThatIsWatched() {
        box.watchFrom(100);
        assertThat(box.earliest()).isEqualTo(Long.MAX_VALUE);
        box.put(ear.port, 99, 1, 0, 0, null);
        assertThat(box.earliest()).isEqualTo(Long.MAX_VALUE);
        box.put(ear.port, 130, 1, 0, 0, null);
        box.put(ear.port, 100, 1, 0, 0, null);
        box.put(ear.port, 120, 1, 0, 0, null);
        assertThat(box.earliest()).isEqualTo(100);
        box.watchFrom(140);
        assertThat(box.earliest()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void twoThreadsLoseAndDoubleNothing() throws InterruptedException {
        sim.elaborate();
        AtomicBoolean finished = new AtomicBoolean();
        Thread sender = new Thread(() -> {
            for (int i = 0; i < MANY; i++) {
                box.put(ear.port, 1_000_000 + i, 1, i, -i, null);
                if (i % 37 == 0) {
                    box.publish();
                }
            }
            box.publish();
            finished.set(true);
        });
        sender.start();
        while (!finished.get()) {
            box.empty();
        }
        sender.join();
        box.empty();
        sim.run(2_000_000);
        assertThat(ear.heard).isEqualTo(MANY);
    }
}
