package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compare and write as one: both or neither. */
class FusedTest {
    private final RawRig rig =
            new RawRig("p5800x").enable(false).queues(1, 0, 0, false).queues(2, 0, 0, false);
    private final long old = fill(0x11);
    private final long fresh = fill(0x22);
    private final long other = fill(0x33);

    private long fill(int value) {
        long at = rig.buffer("b" + value, 4096);
        byte[] b = new byte[4096];
        Arrays.fill(b, (byte) value);
        rig.host.memory().putBytes(at, b, 0, b.length);
        return at;
    }

    private static SqEntry fused(int opcode, int fuse, int cid, long slba, long va) {
        return RawRig.transfer(opcode, cid, slba, 4, va).flags(0, fuse);
    }

    private void pair(int queue, int cid, long slba, long expected, long wanted) {
        rig.put(queue, fused(Opcodes.COMPARE, 1, cid, slba, expected));
        rig.put(queue, fused(Opcodes.WRITE, 2, cid + 1, slba, wanted));
    }

    private List<String> ends(int queue) {
        rig.ring(queue);
        rig.run(100 * US);
        return rig.completions(queue).stream()
                .map(c -> c.cid() + " " + NvmeStatus.describe(c.status()))
                .toList();
    }

    private int at(long slba) {
        long va = rig.buffer("look" + rig.sim.now(), 4096);
        rig.put(1, RawRig.transfer(Opcodes.READ, 99, slba, 4, va));
        assertThat(ends(1)).hasSize(1);
        return rig.bytes(va, 1)[0];
    }

    @Test
    void whatIsEqualIsWritten() {
        rig.put(1, RawRig.transfer(Opcodes.WRITE, 1, 8, 4, old));
        assertThat(ends(1)).hasSize(1);
        pair(1, 10, 8, old, fresh);
        assertThat(ends(1)).hasSize(2).allMatch(s -> s.endsWith(NvmeStatus.describe(0)));
        assertThat(at(8)).isEqualTo(0x22);
        pair(1, 20, 8, old, other);
        assertThat(ends(1))
                .containsExactly(
                        "20 " + NvmeStatus.describe(NvmeStatus.COMPARE_FAILURE.code()),
                        "21 " + NvmeStatus.describe(NvmeStatus.ABORTED_FUSED_FAILED.code()));
        assertThat(at(8)).isEqualTo(0x22);
        rig.ssd.spoil(1, 8, 1, true, 1);
        pair(1, 30, 8, fresh, other);
        assertThat(ends(1))
                .containsExactly(
                        "30 " + NvmeStatus.describe(0), "31 " + NvmeStatus.describe(NvmeStatus.WRITE_FAULT.code()));
        assertThat(at(8)).isEqualTo(0x22);
    }

    /** The entries come one behind the other, with anything between them, or not at all. */
    @Test
    void aPartnerThatIsMissingEndsTheOther() {
        rig.put(1, fused(Opcodes.COMPARE, 1, 10, 8, old));
        assertThat(ends(1)).as("it waits for the next entry").isEmpty();
        rig.put(1, RawRig.transfer(Opcodes.READ, 11, 0, 4, other));
        assertThat(ends(1))
                .containsExactly(
                        "10 " + NvmeStatus.describe(NvmeStatus.ABORTED_FUSED_MISSING.code()),
                        "11 " + NvmeStatus.describe(0));
        rig.put(1, fused(Opcodes.WRITE, 2, 12, 8, old));
        assertThat(ends(1)).containsExactly("12 " + NvmeStatus.describe(NvmeStatus.ABORTED_FUSED_MISSING.code()));
        rig.put(1, fused(Opcodes.COMPARE, 1, 13, 8, old));
        assertThat(ends(1)).isEmpty();
        rig.put(2, fused(Opcodes.WRITE, 2, 14, 8, old));
        assertThat(ends(2)).as("another queue's is no partner").hasSize(1);
        rig.put(1, fused(Opcodes.WRITE, 2, 15, 9, old));
        assertThat(ends(1)).as("other blocks").hasSize(2).allMatch(s -> s.contains("field"));
        rig.put(1, fused(Opcodes.COMPARE, 1, 16, 8, old));
        rig.put(1, fused(Opcodes.WRITE, 3, 17, 8, old));
        assertThat(ends(1)).hasSize(2);
        assertThat(rig.ssd.active()).isZero();
    }

    @Test
    void anErrorOfOneIsAnErrorOfBoth() {
        pair(1, 10, 1 << 20, old, fresh);
        assertThat(ends(1)).hasSize(2).contains("11 " + NvmeStatus.describe(NvmeStatus.ABORTED_FUSED_FAILED.code()));
        pair(1, 20, 8, old, 0x7000_0000_0000L);
        assertThat(ends(1))
                .containsExactlyInAnyOrder(
                        "21 " + NvmeStatus.describe(NvmeStatus.DATA_TRANSFER_ERROR.code()),
                        "20 " + NvmeStatus.describe(NvmeStatus.ABORTED_FUSED_FAILED.code()));
        rig.put(1, fused(Opcodes.COMPARE, 1, 30, 8, old));
        assertThat(ends(1)).isEmpty();
        rig.admin(new SqEntry().command(Opcodes.DELETE_SQ, 5, 0).dword(10, 1));
        assertThat(rig.completions(1))
                .extracting(RawRig.Completion::status)
                .containsExactly(NvmeStatus.ABORTED_SQ_DELETED.code());
        assertThat(rig.ssd.active()).isZero();
    }

    /** Two hosts' queues count a word up by compare and write until each has done so 12 times: no count is lost. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void pairsOfTwoQueuesDoNotMix(long seed) {
        Random random = new Random(seed);
        long[] look = {rig.buffer("l1", 4096), rig.buffer("l2", 4096)};
        long[] want = {rig.buffer("w1", 4096), rig.buffer("w2", 4096)};
        int[] step = {0, 0};
        int[] done = {0, 0};
        for (int n = 0; n < 4000 && done[0] + done[1] < 24; n++) {
            int q = random.nextInt(2);
            List<RawRig.Completion> ended = rig.completions(q + 1);
            if (step[q] == 0 && done[q] < 12) {
                rig.put(q + 1, RawRig.transfer(Opcodes.READ, 1, 8, 4, look[q]));
                step[q] = 1;
            } else if (step[q] == 1 && !ended.isEmpty()) {
                int word = rig.host.memory().getInt(look[q]);
                rig.host.memory().putInt(want[q], word + 1);
                rig.put(q + 1, fused(Opcodes.COMPARE, 1, 2, 8, look[q]));
                rig.put(q + 1, fused(Opcodes.WRITE, 2, 3, 8, want[q]));
                step[q] = 2;
            } else if (step[q] == 2 && !ended.isEmpty()) {
                step[q] = ended.size() == 2 ? 0 : 3;
                done[q] += ended.get(0).status() == 0 ? 1 : 0;
            } else if (step[q] == 3 && !ended.isEmpty()) {
                step[q] = 0;
            }
            rig.ring(q + 1);
            rig.run(US / 2 + random.nextInt(1_000_000));
        }
        rig.run(100 * US);
        long va = rig.buffer("end", 4096);
        rig.completions(1);
        rig.put(1, RawRig.transfer(Opcodes.READ, 1, 8, 4, va));
        assertThat(ends(1)).isNotEmpty();
        assertThat(LittleEndian.get32(rig.bytes(va, 4), 0)).isEqualTo(24);
    }
}
