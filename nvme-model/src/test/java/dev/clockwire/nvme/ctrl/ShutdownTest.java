package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The handshakes of enabling, disabling, shutting down and resetting, as registers show them. */
class ShutdownTest {
    private static final int CC = 0x14;
    private static final int CSTS = 0x1C;
    private static final int NSSR = 0x20;
    private static final int AQA = 0x24;
    private static final int READY = 1;
    private static final int OCCURS = 1 << 2;
    private static final int COMPLETE = 2 << 2;
    private static final int WAS_RESET = 1 << 4;

    private static int status(RawRig rig) {
        return (int) rig.ssd.registers().read(CSTS, 4);
    }

    /** Everything written is programmed first: 4 pages of 16 KiB take a program, 500 us, beside each other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aShutdownWaitsForTheBuffer(int kind) {
        RawRig rig = new RawRig("pm9a3").enable(false).queues(1, 0, 0, false);
        long data = rig.buffer("data", 1 << 16);
        for (int i = 0; i < 16; i++) {
            rig.put(1, RawRig.transfer(Opcodes.WRITE, i, 8L * i, 8, data));
        }
        rig.ring(1);
        rig.run(60 * US);
        assertThat(rig.completions(1)).hasSize(16);
        rig.write(CC, 0x0046_0001 | kind << 14, 4);
        rig.run(20 * US);
        assertThat(status(rig)).isEqualTo(READY | OCCURS);
        rig.run(700 * US);
        assertThat(status(rig)).isEqualTo(READY | COMPLETE);
        rig.write(CC, 0x0046_0000, 4);
        rig.run(20 * US);
        assertThat(status(rig)).as("disabled").isZero();
        rig.enable(false);
        assertThat(status(rig)).isEqualTo(READY);
    }

    /** Settings first, EN later, as Linux writes since 5.18; both orders of it work. */
    @Test
    void settingsMayComeBeforeEnable() {
        RawRig rig = new RawRig("ram");
        rig.write(AQA, 63L << 16 | 63, 4);
        long rings = rig.buffer("admin", 8192);
        rig.write(0x28, rings, 8);
        rig.write(0x30, rings + 4096, 8);
        rig.write(CC, 0x0046_0060, 4);
        rig.run(2000 * US);
        assertThat(status(rig)).isZero();
        rig.write(CC, 0x0046_0061, 4);
        rig.run(500 * US);
        assertThat(status(rig)).as("not before its time").isZero();
        rig.run(1500 * US);
        assertThat(status(rig)).isEqualTo(READY);
    }

    /** Disabled and enabled again: queues are gone, places of the admin queues stay. */
    @Test
    void disablingForgetsQueuesButNotTheirPlaces() {
        RawRig rig = new RawRig("ram").enable(false).queues(1, 0, 0, false);
        long aqa = rig.ssd.registers().read(AQA, 4);
        rig.write(CC, 0x0046_0000, 4);
        rig.run(50 * US);
        assertThat(status(rig)).isZero();
        assertThat(rig.ssd.registers().read(CC, 4)).isZero();
        assertThat(rig.ssd.registers().read(AQA, 4)).isEqualTo(aqa);
        long errors = rig.ssd.registers().doorbellErrors();
        rig.write(0x1008, 1, 4);
        rig.run(50 * US);
        assertThat(rig.ssd.registers().doorbellErrors()).isEqualTo(errors + 1);
    }

    /** Only the one word resets, and is remembered until it is cleared. */
    @Test
    void aSubsystemResetIsRemembered() {
        RawRig rig = new RawRig("ram").enable(false);
        rig.write(NSSR, 0x4E56_4D66, 4);
        rig.run(50 * US);
        assertThat(status(rig)).isEqualTo(READY);
        rig.write(NSSR, 0x4E56_4D65, 4);
        rig.run(50 * US);
        assertThat(status(rig)).isEqualTo(WAS_RESET);
        rig.write(CSTS, WAS_RESET, 4);
        rig.run(50 * US);
        assertThat(status(rig)).isZero();
        rig.write(CSTS, 0xFFFF_FFFFL, 4);
        rig.run(50 * US);
        assertThat(status(rig)).as("read only").isZero();
    }

    /** A queue that is made anew begins at its first entry with phase 1, whatever its number did before. */
    @Test
    void aNumberUsedAgainBeginsAnew() {
        RawRig rig = new RawRig("ram").enable(false).queues(1, 0, 0, false);
        long data = rig.buffer("data", 4096);
        for (int i = 0; i < 3; i++) {
            rig.put(1, RawRig.transfer(Opcodes.READ, i, 0, 8, data));
        }
        rig.ring(1);
        rig.run(50 * US);
        assertThat(rig.completions(1)).hasSize(3);
        rig.admin(new SqEntry().command(Opcodes.DELETE_SQ, 1, 0).dword(10, 1));
        rig.admin(new SqEntry().command(Opcodes.DELETE_CQ, 1, 0).dword(10, 1));
        long ring = rig.buffer("new", 8192);
        rig.admin(new SqEntry()
                .command(Opcodes.CREATE_CQ, 1, 0)
                .prp(ring, 0)
                .dword(10, 15 << 16 | 1)
                .dword(11, 1));
        rig.admin(new SqEntry()
                .command(Opcodes.CREATE_SQ, 1, 0)
                .prp(ring + 4096, 0)
                .dword(10, 15 << 16 | 1)
                .dword(11, 1 << 16 | 1));
        byte[] b = new byte[64];
        RawRig.transfer(Opcodes.READ, 77, 0, 8, data).store(b, 0);
        rig.host.memory().putBytes(ring + 4096, b, 0, 64);
        rig.write(0x1008, 1, 4);
        rig.run(50 * US);
        byte[] cqe = rig.bytes(ring, 16);
        assertThat(cqe[12]).isEqualTo((byte) 77);
        assertThat(cqe[14] & 1).isEqualTo(1);
        assertThat(cqe[8]).as("SQ head").isEqualTo((byte) 1);
    }
}
