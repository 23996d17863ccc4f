package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import org.junit.jupiter.api.Test;

/** Messages of completions: gated, masked, pending, and one for several. */
class InterruptsTest {
    private static final int COALESCING = 8;
    private static final int VECTOR = 9;

    private final RawRig rig = new RawRig("ram");
    private final long data = rig.buffer("data", 4096);

    private void ready() {
        rig.enable(false);
        for (int v = 0; v < 4; v++) {
            rig.program(v, false);
        }
        rig.setVectors(true, false);
        rig.queues(1, 0, 1, true).queues(2, 0, 2, false);
        rig.interrupts.forEach(list -> list.clear());
    }

    private void reads(int queue, int n) {
        for (int i = 0; i < n; i++) {
            rig.put(queue, RawRig.transfer(Opcodes.READ, i, 8L * i, 8, data));
        }
        rig.ring(queue);
    }

    private int feature(int id, int value) {
        return rig.admin(new SqEntry()
                        .command(Opcodes.SET_FEATURES, 1, 0)
                        .dword(10, id)
                        .dword(11, value))
                .status();
    }

    private int taken(int vector) {
        return rig.interrupts.get(vector).size();
    }

    @Test
    void aQueueThatWantsThemHasThem() {
        ready();
        reads(1, 3);
        reads(2, 3);
        rig.run(20 * US);
        assertThat(taken(1)).isEqualTo(3);
        assertThat(taken(2)).isZero();
        assertThat(rig.completions(1)).hasSize(3);
        assertThat(rig.completions(2)).hasSize(3);
        feature(0x0B, 0);
        assertThat(taken(0)).as("the admin queue's").isEqualTo(1);
    }

    /** Seen in memory before its message: the handler finds the completion. */
    @Test
    void theCompletionIsThereWhenTheInterruptIsTaken() {
        ready();
        reads(1, 1);
        rig.sim.runUntil(() -> taken(1) == 1, rig.sim.now() + 100 * US);
        assertThat(rig.completions(1)).hasSize(1);
    }

    @Test
    void aMaskedVectorsInterruptIsPendingAndComesOnce() {
        ready();
        rig.mask(1, true);
        reads(1, 5);
        rig.run(20 * US);
        assertThat(taken(1)).isZero();
        assertThat(rig.ssd.vectors().isPending(1)).isTrue();
        rig.mask(1, false);
        assertThat(taken(1)).isEqualTo(1);
        assertThat(rig.ssd.vectors().isPending(1)).isFalse();
        rig.setVectors(true, true);
        reads(1, 1);
        rig.run(20 * US);
        assertThat(taken(1)).isEqualTo(1);
        rig.setVectors(true, false);
        assertThat(taken(1)).isEqualTo(2);
    }

    /** THR 3 is four entries, TIME 1 is 100 us. */
    @Test
    void oneForSeveral() {
        ready();
        assertThat(feature(COALESCING, 1 << 8 | 3)).isZero();
        rig.interrupts.get(0).clear();
        reads(1, 8);
        rig.run(20 * US);
        assertThat(taken(1)).isEqualTo(2);
        reads(1, 3);
        rig.run(90 * US);
        assertThat(taken(1)).isEqualTo(2);
        long before = rig.sim.now();
        rig.run(20 * US);
        assertThat(taken(1)).isEqualTo(3);
        assertThat(rig.interrupts.get(1).get(2)).isBetween(before, rig.sim.now());
        feature(0x0B, 0);
        assertThat(taken(0)).as("vector 0 never waits").isEqualTo(1);
        assertThat(feature(VECTOR, 1 << 16 | 1)).isZero();
        reads(1, 3);
        rig.run(20 * US);
        assertThat(taken(1)).as("this one no more").isEqualTo(6);
        assertThat(feature(VECTOR, 5000)).isEqualTo(NvmeStatus.INVALID_FIELD.code() | NvmeStatus.DO_NOT_RETRY);
        assertThat(rig.admin(new SqEntry().command(Opcodes.GET_FEATURES, 1, 0).dword(10, COALESCING))
                        .status())
                .isZero();
    }

    /** A reset forgets what was to be told. */
    @Test
    void aResetTellsNothingLater() {
        ready();
        feature(COALESCING, 5 << 8 | 200);
        reads(1, 3);
        rig.run(20 * US);
        rig.write(0x14, 0x0046_0000, 4);
        rig.run(1000 * US);
        assertThat(taken(1)).isZero();
        assertThat(rig.ssd.active()).isZero();
    }
}
