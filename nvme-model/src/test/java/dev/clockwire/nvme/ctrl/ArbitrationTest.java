package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.SimSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A controller that works on one command at a time completes in the order in which it fetches. */
class ArbitrationTest {
    private final RawRig rig = new RawRig(
            NvmeSpec.of("p5800x")
                    .withNamespaces(List.of(new NamespaceSpec(512, 1 << 20)))
                    .withDepth(64, 1),
            SimSpec.of(1));
    private final long data = rig.buffer("data", 4096);

    /** Fills queues while a first command of queue 1 occupies the controller; returns whose commands ended, in order. */
    private String order(int each, int... queues) {
        rig.put(1, RawRig.transfer(Opcodes.READ, 99, 0, 8, data));
        rig.ring(1);
        rig.run(3 * US);
        for (int q : queues) {
            for (int i = 0; i < each; i++) {
                rig.put(q, RawRig.transfer(Opcodes.READ, i, 8L * i, 8, data));
            }
            rig.ring(q);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            rig.run(30 * US);
            rig.completions(1).stream().filter(c -> c.cid() != 99).forEach(c -> text.append(c.sqid()));
        }
        return text.toString();
    }

    private void weights(int value) {
        assertThat(rig.admin(new SqEntry()
                                .command(Opcodes.SET_FEATURES, 1, 0)
                                .dword(10, 1)
                                .dword(11, value))
                        .status())
                .isZero();
    }

    @Test
    void queuesTakeTurnsInBursts() {
        rig.enable(false).queues(1, 0, 0, false);
        rig.submissionQueue(2, 1, 0);
        rig.submissionQueue(3, 1, 0);
        weights(0); // bursts of one
        assertThat(order(4, 2, 3)).isEqualTo("23232323");
    }

    /** A visit takes so many at most, 2^AB of them; 7 is any number. */
    @Test
    void aVisitTakesABurst() {
        Queues queues = new Queues(3);
        for (int id = 1; id <= 3; id++) {
            queues.sq(id).open(0, 64, id, 0);
            queues.sq(id).tail = 20;
        }
        Arbiter arbiter = new Arbiter(queues);
        arbiter.begin(false);
        int[] burst = {1, 2, 4, 64, 1 << 20};
        int[] log = {0, 1, 2, 6, 7};
        for (int i = 0; i < log.length; i++) {
            arbiter.feature(log[i]);
            int before = arbiter.choose();
            assertThat(arbiter.allowance(before)).isEqualTo(burst[i]);
            arbiter.took(before, burst[i]);
            assertThat(arbiter.choose()).isEqualTo(before % 3 + 1);
        }
    }

    /** Four high, two medium, one low in a round; urgent ones before all of them. */
    @Test
    void weightsAreCommandsInARound() {
        rig.enable(true).queues(1, 0, 0, false); // urgent
        rig.submissionQueue(2, 1, 1);
        rig.submissionQueue(3, 1, 2);
        rig.submissionQueue(4, 1, 3);
        weights(3 << 24 | 1 << 16 | 7);
        String order = order(8, 4, 3, 2, 1);
        assertThat(order).hasSize(32).startsWith("11111111");
        // in any window of a round behind the urgent ones the shares are 4 : 2 : 1, up to where high ones end
        String rest = order.substring(8, 22);
        assertThat(rest.chars().filter(c -> c == '2').count()).as(order).isEqualTo(8);
        assertThat(rest.chars().filter(c -> c == '3').count()).as(order).isBetween(4L, 5L);
        assertThat(rest.chars().filter(c -> c == '4').count()).as(order).isBetween(1L, 2L);
    }

    /** Nobody waits for ever but behind urgent ones: a low queue gets its share while high ones never end. */
    @Test
    void lowQueuesAreNotStarved() {
        rig.enable(true).queues(1, 1, 0, false); // high
        rig.submissionQueue(2, 1, 3);
        weights(3 << 24 | 1 << 16);
        String order = order(15, 1, 2);
        assertThat(order.substring(0, 10)).contains("2");
    }
}
