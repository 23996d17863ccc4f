package dev.clockwire.nvme.ctrl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import org.junit.jupiter.api.Test;

/** Faults of other controllers that were reported in public, with the reports' inputs. */
class PublicReportsTest {
    private static final long US = RawRig.US;
    private static final int DNR = 1 << 14;
    private static final int MORE = 1 << 13;
    private static final int SMALL = 8;

    private static SqEntry createCq(int id, long ring) {
        return new SqEntry()
                .command(Opcodes.CREATE_CQ, 30, 0)
                .prp(ring, 0)
                .dword(10, (SMALL - 1) << 16 | id)
                .dword(11, 1);
    }

    private static SqEntry createSq(int id, long ring) {
        return new SqEntry()
                .command(Opcodes.CREATE_SQ, 31, 0)
                .prp(ring, 0)
                .dword(10, (SMALL - 1) << 16 | id)
                .dword(11, id << 16 | 1);
    }

    private static void put(RawRig rig, long ring, int at, SqEntry e) {
        byte[] b = new byte[SqEntry.BYTES];
        e.store(b, 0);
        rig.memory.putBytes(ring + (long) at * SqEntry.BYTES, b, 0, b.length);
    }

    private static String completion(RawRig rig, long ring, int at) {
        byte[] b = rig.bytes(ring + 16L * at, 16);
        int status = (b[14] & 0xFF) | (b[15] & 0xFF) << 8;
        return "cid " + (b[12] & 0xFF) + " head " + (b[8] & 0xFF) + " phase " + (status & 1) + " status "
                + (status >> 1);
    }

    /** SPDK issue 2171: a queue of 8; tails of 65535 and 8 are ignored and told of as an event of type 0, information 1; then 3 works. */
    @Test
    void tailsBeyondTheQueue() {
        RawRig rig = new RawRig("p4800x").enable(false);
        long sq = rig.buffer("sq", 4096);
        long cq = rig.buffer("cq", 4096);
        long data = rig.buffer("data", 4096);
        assertThat(rig.admin(createCq(1, cq)).status()).isZero();
        assertThat(rig.admin(createSq(1, sq)).status()).isZero();
        rig.put(0, new SqEntry().command(Opcodes.ASYNC_EVENT, 60, 0));
        rig.ring(0);
        for (int i = 0; i < 3; i++) {
            put(rig, sq, i, RawRig.transfer(Opcodes.READ, i, 0, 8, data));
        }
        for (int tail : new int[] {0xFFFF, SMALL}) {
            rig.write(0x1008, tail, 4);
            rig.run(100 * US);
            assertThat(rig.ssd.active()).as("but for the event").isLessThanOrEqualTo(1);
            assertThat(completion(rig, cq, 0)).isEqualTo("cid 0 head 0 phase 0 status 0");
        }
        assertThat(rig.ssd.registers().doorbellErrors()).isEqualTo(2);
        assertThat(rig.completions(0))
                .as("one event for both, until its log is read")
                .extracting(c -> c.cid() + " " + c.status())
                .containsExactly("60 0");
        rig.write(0x1008, 3, 4);
        rig.run(100 * US);
        for (int i = 0; i < 3; i++) {
            assertThat(completion(rig, cq, i)).matches("cid \\d head \\d phase 1 status 0");
        }
    }

    /** SPDK issue 1795: three commands, then the pair is deleted and made again with other memory: head and phase begin anew. */
    @Test
    void aQueueIdIsUsedAgain() {
        RawRig rig = new RawRig("p4800x").enable(false);
        long data = rig.buffer("data", 4096);
        for (int round = 0; round < 3; round++) {
            long sq = rig.buffer("sq" + round, 4096);
            long cq = rig.buffer("cq" + round, 4096);
            assertThat(rig.admin(createCq(1, cq)).status()).isZero();
            assertThat(rig.admin(createSq(1, sq)).status()).isZero();
            for (int i = 0; i < 3; i++) {
                put(rig, sq, i, RawRig.transfer(Opcodes.READ, 10 + i, 0, 8, data));
                rig.write(0x1008, i + 1, 4);
                rig.run(100 * US);
                assertThat(completion(rig, cq, i))
                        .as("round %d", round)
                        .isEqualTo("cid " + (10 + i) + " head " + (i + 1) + " phase 1 status 0");
                rig.write(0x100C, i + 1, 4);
            }
            assertThat(rig.admin(new SqEntry().command(Opcodes.DELETE_SQ, 1, 0).dword(10, 1))
                            .status())
                    .isZero();
            assertThat(rig.admin(new SqEntry().command(Opcodes.DELETE_CQ, 1, 0).dword(10, 1))
                            .status())
                    .isZero();
        }
        assertThat(rig.ssd.registers().doorbellErrors()).isZero();
    }

    /** FEMU PR 96: CC is written in two steps, settings first and the enable bit later. */
    @Test
    void ccInTwoSteps() {
        RawRig rig = new RawRig("p4800x");
        rig.write(0x24, (RawRig.ENTRIES - 1L) << 16 | (RawRig.ENTRIES - 1), 4);
        rig.write(0x28, rig.buffer("asq", 4096), 8);
        rig.write(0x30, rig.buffer("acq", 4096), 8);
        rig.write(0x14, 0x0046_0000, 4);
        rig.run(1_000 * US);
        assertThat(rig.ssd.registers().isFatal()).isFalse();
        rig.write(0x14, 0x0046_0001, 4);
        rig.run(2_000 * US);
        rig.core.mmioRead(rig.bar + 0x1C, 4);
        rig.run(10 * US);
        assertThat(rig.core.loaded() & 3).as("RDY, and no CFS").isEqualTo(1);
    }

    /** OpenVMM PR 4080: there are no shadow doorbells here, so nothing is written to pages that a host once gave. */
    @Test
    void shadowDoorbellsAreRefused() {
        RawRig rig = new RawRig("p4800x").enable(false);
        long page = rig.buffer("canary", 8192);
        byte[] canary = new byte[8192];
        java.util.Arrays.fill(canary, (byte) 0xA5);
        rig.memory.putBytes(page, canary, 0, canary.length);
        SqEntry dbbuf = new SqEntry().command(0x7C, 5, 0).prp(page, page + 4096);
        assertThat(rig.admin(dbbuf).status() & ~(DNR | MORE)).isEqualTo(NvmeStatus.INVALID_OPCODE.code());
        rig.write(0x14, 0x0046_0000, 4);
        rig.run(2_000 * US);
        rig.reopen();
        assertThat(rig.bytes(page, 8192)).isEqualTo(canary);
    }
}
