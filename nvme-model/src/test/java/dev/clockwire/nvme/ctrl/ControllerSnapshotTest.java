package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Run half, record, run the rest, go back to the half, run the rest again: the same completions, data and trace, wherever the half is. */
class ControllerSnapshotTest {
    private static RawRig rig(String media) {
        return new RawRig(NvmeSpec.of(media).withNamespaces(List.of(new NamespaceSpec(512, 1 << 16))), SimSpec.of(1));
    }

    /** Writes, reads, compares, zeroes and deallocations of two queues, with lists and interrupts that wait. */
    private static long begin(RawRig rig) {
        rig.enable(false).queues(1, 0, 1, true).queues(2, 0, 2, true);
        rig.admin(new SqEntry().command(Opcodes.SET_FEATURES, 9, 0).dword(10, 8).dword(11, 1 << 8 | 3));
        Random random = new Random(4);
        long data = rig.buffer("data", 1 << 20);
        long lists = rig.buffer("lists", 1 << 18);
        byte[] bytes = new byte[1 << 20];
        random.nextBytes(bytes);
        rig.host.memory().putBytes(data, bytes, 0, bytes.length);
        int[] ops = {Opcodes.WRITE, Opcodes.READ, Opcodes.COMPARE, Opcodes.WRITE, Opcodes.WRITE_ZEROES};
        for (int i = 0; i < 60; i++) {
            int blocks = 1 + random.nextInt(100);
            long va = data + (i % 16) * 65_536L;
            SqEntry e = RawRig.transfer(ops[i % 5], 100 + i, random.nextInt(60_000), blocks, va);
            if (blocks > 16 && ops[i % 5] != Opcodes.WRITE_ZEROES) {
                for (int p = 1; p * 8 < blocks; p++) {
                    rig.host.memory().putLong(lists + i * 4096L + (p - 1) * 8L, va + p * 4096L);
                }
                e.prp(va, lists + i * 4096L);
            }
            rig.put(1 + i % 2, e);
        }
        rig.ring(1);
        rig.ring(2);
        return data;
    }

    private static List<Object> end(RawRig rig, long data) {
        rig.run(3000 * US);
        List<RawRig.Completion> one = rig.completions(1);
        List<RawRig.Completion> two = rig.completions(2);
        assertThat(one).hasSize(30);
        assertThat(two).hasSize(30);
        return List.of(
                one,
                two,
                Arrays.hashCode(rig.bytes(data, 1 << 20)),
                rig.sim.traceHash(),
                rig.sim.stats().value("ssd.interrupts"),
                rig.sim.now());
    }

    @ParameterizedTest
    @CsvSource({"p5800x, 1", "p5800x, 4", "p5800x, 9", "p5800x, 17", "pm9a3, 30", "pm9a3, 90", "ram, 6", "ram, 12"})
    void theRestIsTheSame(String media, int us) {
        RawRig whole = rig(media);
        long data = begin(whole);
        whole.run(us * US);
        List<Object> expected = end(whole, data);

        RawRig half = rig(media);
        begin(half);
        half.run(us * US);
        assertThat(half.ssd.active()).as("in the middle").isPositive();
        Snapshot middle = half.sim.save();
        assertThat(end(half, data)).as("recording changes nothing").isEqualTo(expected);
        half.sim.restore(middle);
        half.forgetCompletions();
        assertThat(end(half, data)).isEqualTo(expected);
    }
}
