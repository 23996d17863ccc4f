package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.SimSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ends while something else of it is under way ends once, and what was meant for the old does not reach the new. */
class StrayEndsTest {
    private static final int DNR = NvmeStatus.DO_NOT_RETRY;

    /** The list is known to be wrong long before the medium has read: one completion, one slot, and the next commands are sound. */
    @ParameterizedTest
    @CsvSource({"1024, 15", "8192, 15", "0, 13", "4096, 17"})
    void aListThatIsWrongWaitsForTheMedium(int length, int code) {
        RawRig rig = new RawRig("p4800x").enable(false).queues(1, 0, 0, false);
        long data = rig.buffer("data", 8192);
        long list = rig.buffer("list", 4096);
        byte[] d = new byte[16];
        SglDescriptor.put(d, 0, code == 17 ? 5 : SglDescriptor.DATA_BLOCK, 0, data, length);
        rig.memory.putBytes(list, d, 0, 16);
        for (int cid = 0; cid < 40; cid++) {
            SqEntry e = new SqEntry()
                    .command(Opcodes.READ, cid, 1)
                    .flags(SqEntry.SGL, 0)
                    .blocks(0, 8);
            byte[] raw = new byte[SqEntry.BYTES];
            e.store(raw, 0);
            SglDescriptor.put(raw, SqEntry.DATA, SglDescriptor.LAST_SEGMENT, 0, list, code == 13 ? 15 : 16);
            rig.put(1, new SqEntry().load(raw, 0));
        }
        rig.ring(1);
        rig.run(400 * US);
        List<RawRig.Completion> all = rig.completions(1);
        assertThat(all)
                .extracting(RawRig.Completion::cid)
                .doesNotHaveDuplicates()
                .hasSize(40);
        assertThat(all).allMatch(c -> (c.status() & 0x7FF) == code, "status " + code);
        assertThat(rig.ssd.active()).isZero();
        rig.put(1, RawRig.transfer(Opcodes.READ, 77, 0, 8, data));
        rig.ring(1);
        rig.run(100 * US);
        assertThat(rig.completions(1)).extracting(RawRig.Completion::status).containsExactly(0);
    }

    /** The second of two deletions finds the queue going: the completion queue keeps count of who uses it. */
    @Test
    void aQueueIsDeletedOnce() {
        RawRig rig = new RawRig("p4800x").enable(false).queues(1, 0, 0, false);
        rig.submissionQueue(2, 1, 0);
        long data = rig.buffer("data", 4096);
        for (int i = 0; i < 8; i++) {
            rig.put(1, RawRig.transfer(Opcodes.READ, i, 0, 8, data));
        }
        rig.ring(1);
        rig.run(2 * US);
        rig.put(0, new SqEntry().command(Opcodes.DELETE_SQ, 20, 0).dword(10, 1));
        rig.put(0, new SqEntry().command(Opcodes.DELETE_SQ, 21, 0).dword(10, 1));
        rig.ring(0);
        rig.run(200 * US);
        assertThat(rig.completions(0))
                .extracting(c -> c.cid() + " " + (c.status() & ~DNR))
                .containsExactlyInAnyOrder("20 0", "21 " + NvmeStatus.QUEUE_ID_INVALID.code());
        assertThat(rig.completions(1)).hasSize(8);
        assertThat(rig.admin(new SqEntry().command(Opcodes.DELETE_CQ, 22, 0).dword(10, 1))
                                .status()
                        & ~DNR)
                .as("queue 2 still completes there")
                .isEqualTo(NvmeStatus.QUEUE_DELETION_INVALID.code());
        rig.put(2, RawRig.transfer(Opcodes.READ, 5, 0, 8, data));
        rig.ring(2);
        rig.run(100 * US);
        assertThat(rig.ssd.active()).isZero();
    }

    /**
     * Entries are on their way when their queue is deleted and one of the same number is asked for at once (SPDK issue 1795): they belong to the old
     * one, which is gone only when they have come.
     */
    @Test
    void entriesOnTheirWayBelongToTheOldQueue() {
        RawRig rig = new RawRig("p4800x").enable(false).queues(1, 0, 0, false);
        long data = rig.buffer("data", 4096);
        long other = rig.buffer("other ring", 4096);
        for (int i = 0; i < 3; i++) {
            rig.put(1, RawRig.transfer(Opcodes.READ, 40 + i, 0, 8, data));
        }
        SqEntry create = new SqEntry()
                .command(Opcodes.CREATE_SQ, 21, 0)
                .prp(other, 0)
                .dword(10, (RawRig.ENTRIES - 1) << 16 | 1)
                .dword(11, 1 << 16 | 1);
        rig.put(0, new SqEntry().command(Opcodes.DELETE_SQ, 20, 0).dword(10, 1));
        rig.put(0, create);
        rig.ring(0); // both are read at once, and done while those of the other queue come
        rig.ring(1);
        rig.run(100 * US);
        assertThat(rig.completions(1))
                .extracting(c -> c.cid() + " " + c.status())
                .containsExactlyInAnyOrder("40 8", "41 8", "42 8");
        assertThat(rig.completions(0))
                .extracting(c -> c.cid() + " " + (c.status() & ~DNR))
                .containsExactlyInAnyOrder("20 0", "21 " + NvmeStatus.QUEUE_ID_INVALID.code());

        assertThat(rig.admin(create).status()).isZero();
        byte[] b = new byte[SqEntry.BYTES];
        RawRig.transfer(Opcodes.READ, 50, 0, 8, data).store(b, 0);
        rig.memory.putBytes(other, b, 0, b.length);
        rig.write(0x1008, 1, 4);
        rig.run(100 * US);
        assertThat(rig.completions(1))
                .extracting(c -> c.cid() + " " + c.status() + " head " + c.sqHead())
                .containsExactly("50 0 head 1");
        assertThat(rig.ssd.active()).isZero();
    }

    /** 32768 blocks of 64 KiB are 2^31 bytes, which no int holds. */
    @ParameterizedTest
    @ValueSource(ints = {32_768, 65_536})
    void theLargestBlocksAreZeroed(int blocks) {
        RawRig rig = new RawRig(
                        NvmeSpec.of("pm9a3").withNamespaces(List.of(new NamespaceSpec(65_536, 65_536))), SimSpec.of(1))
                .enable(false)
                .queues(1, 0, 0, false);
        rig.put(1, new SqEntry().command(Opcodes.WRITE_ZEROES, 1, 1).blocks(0, blocks));
        rig.put(1, new SqEntry().command(Opcodes.VERIFY, 2, 1).blocks(0, blocks));
        rig.ring(1);
        rig.run(3_000_000 * US);
        assertThat(rig.completions(1)).extracting(RawRig.Completion::status).containsExactly(0, 0);
        assertThat(rig.ssd.active()).isZero();
    }

    /** A controller that is disabled while it shuts down does not tell of that shutdown when it is enabled again. */
    @Test
    void aResetForgetsAShutdown() {
        RawRig rig = new RawRig("pm9a3").enable(false).queues(1, 0, 0, false);
        long data = rig.buffer("data", 1 << 16);
        for (int i = 0; i < 48; i++) {
            rig.put(1, RawRig.transfer(Opcodes.WRITE, i, 8L * i, 2, data));
        }
        rig.ring(1);
        rig.run(100 * US);
        rig.write(0x14, 0x0046_4001, 4);
        rig.run(5 * US);
        rig.write(0x14, 0x0046_0000, 4);
        rig.run(5 * US);
        for (int i = 0; i < 100 && (rig.ssd.registers().read(0x1C, 4) & 1) != 0; i++) {
            rig.run(100 * US); // as a host has to
        }
        rig.enable(false);
        assertThat(rig.ssd.registers().read(0x1C, 4)).as("RDY only").isEqualTo(1);
    }
}
