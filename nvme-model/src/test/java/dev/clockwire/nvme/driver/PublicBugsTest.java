package dev.clockwire.nvme.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Faults of other implementations that were reported in public, tried on the driver and what it drives. */
class PublicBugsTest {
    private static final int READS = 8;

    private final DriverRig rig = new DriverRig("null").ready(128, true);
    private final long buffer = rig.memory("buffer", 128 * 4096);

    private void submit(int count, boolean[] taken) {
        int[] next = {0};
        rig.work = () -> {
            if (next[0] == count) {
                return false;
            }
            int tag = next[0]++;
            taken[tag] = rig.queue().transfer(Opcodes.READ, 1, tag, 1, buffer + tag * 4096L, 512, tag);
            return true;
        };
        rig.core.wake();
    }

    /** SPDK issue 3243: whenever memory is looked at, an entry of the completion ring is as it was, or complete. */
    @Test
    void aCompletionIsThereAsAWhole() {
        byte[][] seen = new byte[READS][16];
        long ring = rig.queue().place().cq();
        Set<Integer> ended = new HashSet<>();
        rig.done = (tag, status, result) -> ended.add(tag);
        submit(READS, new boolean[READS]);
        byte[] now = new byte[16];
        int changes = 0;
        for (int ns = 0; ns < 10_000; ns++) {
            rig.sim.run(rig.sim.now() + 1_000);
            for (int i = 0; i < READS; i++) {
                rig.host.memory().getBytes(ring + 16L * i, now, 0, 16);
                if (!Arrays.equals(now, seen[i])) {
                    changes++;
                    assertThat(LittleEndian.get16(now, 14) & 1)
                            .as("phase of a changed entry")
                            .isEqualTo(1);
                    assertThat(LittleEndian.get16(now, 10))
                            .as("its queue")
                            .isEqualTo(rig.queue().place().id());
                    seen[i] = now.clone();
                }
            }
        }
        assertThat(changes).as("each entry changed once").isEqualTo(READS);
        assertThat(ended).hasSize(READS);
    }

    /** The same issue from the other side: a phase bit before the rest shows an old identifier, whose command is not ended by it again. */
    @Test
    void aTornCompletionEndsNoCommand() {
        long ring = rig.queue().place().cq();
        int[] ended = {0};
        rig.done = (tag, status, result) -> ended[0]++;
        submit(1, new boolean[1]);
        rig.sim.run(rig.sim.now() + 20_000_000);
        assertThat(ended[0]).isEqualTo(1);
        byte[] torn = new byte[16];
        LittleEndian.put16(torn, 14, 1); // DW3 has come, with the identifier of an older lap; DW0 to DW2 have not
        rig.host.memory().putBytes(ring + 16, torn, 0, 16);
        rig.core.wake();
        rig.sim.run(rig.sim.now() + 20_000_000);
        assertThat(ended[0]).as("command 0 is over").isEqualTo(1);
        assertThat(rig.queue().unknown()).isEqualTo(1);
    }

    /** SPDK issue 819: a ring of 128 takes 127 commands. */
    @Test
    void theRingRefusesTheCommandThatWouldPassItsHead() {
        boolean[] taken = new boolean[128];
        int[] ended = {0};
        rig.done = (tag, status, result) -> ended[0]++;
        rig.work = () -> {
            if (rig.queue().submitted() > 0) {
                return false;
            }
            for (int tag = 0; tag < 128; tag++) {
                taken[tag] = rig.queue().transfer(Opcodes.READ, 1, tag, 1, buffer + tag * 4096L, 512, tag);
            }
            return true;
        };
        rig.core.wake();
        rig.sim.run(rig.sim.now() + 500_000_000);
        for (int tag = 0; tag < 128; tag++) {
            assertThat(taken[tag]).as("command " + tag).isEqualTo(tag < 127);
        }
        assertThat(ended[0]).isEqualTo(127);
        assertThat(rig.queue().free()).isEqualTo(127);
        assertThat(rig.queue().submit(new SqEntry().command(Opcodes.FLUSH, 0, 1), 0))
                .isTrue();
    }
}
