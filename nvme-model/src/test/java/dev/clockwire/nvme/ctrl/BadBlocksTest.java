package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Media that fail: the status, nothing moved or stored, an entry in the error log, and the rest works. */
class BadBlocksTest {
    private final RawRig rig = new RawRig("p5800x").enable(false).queues(1, 0, 0, false);
    private final long data = rig.buffer("data", 4096);
    private final long look = rig.buffer("look", 4096);

    private int run(int opcode, long slba, int blocks, long va) {
        rig.put(1, RawRig.transfer(opcode, 3, slba, blocks, va));
        rig.ring(1);
        rig.run(50 * US);
        var ended = rig.completions(1);
        assertThat(ended).hasSize(1);
        return ended.get(0).status() & 0x7FF;
    }

    @Test
    void aBadBlockFailsWhatTouchesIt() {
        byte[] x = new byte[4096];
        Arrays.fill(x, (byte) 9);
        rig.host.memory().putBytes(data, x, 0, x.length);
        assertThat(run(Opcodes.WRITE, 96, 8, data)).isZero();
        rig.ssd.spoil(1, 100, 1, false, 4);
        assertThat(run(Opcodes.READ, 96, 8, look)).isEqualTo(NvmeStatus.UNRECOVERED_READ.code());
        assertThat(rig.bytes(look, 4096)).as("nothing is moved").containsOnly(0);
        assertThat(run(Opcodes.READ, 92, 8, look)).as("the last block but four").isZero();
        assertThat(run(Opcodes.READ, 101, 4, look)).isZero();
        assertThat(run(Opcodes.COMPARE, 100, 1, data)).isEqualTo(NvmeStatus.UNRECOVERED_READ.code());
        assertThat(run(Opcodes.VERIFY, 99, 2, 0)).isEqualTo(NvmeStatus.UNRECOVERED_READ.code());
        assertThat(run(Opcodes.READ, 100, 1, look)).isEqualTo(NvmeStatus.UNRECOVERED_READ.code());
        assertThat(run(Opcodes.READ, 100, 1, look)).as("four times only").isZero();
        rig.ssd.spoil(1, 96, 8, true, 2);
        Arrays.fill(x, (byte) 7);
        rig.host.memory().putBytes(data, x, 0, x.length);
        assertThat(run(Opcodes.WRITE, 96, 8, data)).isEqualTo(NvmeStatus.WRITE_FAULT.code());
        assertThat(run(Opcodes.WRITE_ZEROES, 103, 1, 0)).isEqualTo(NvmeStatus.WRITE_FAULT.code());
        assertThat(run(Opcodes.READ, 96, 8, look)).isZero();
        assertThat(rig.bytes(look, 4096)).as("nothing is stored").containsOnly(9);
        assertThat(run(Opcodes.WRITE, 96, 8, data)).isZero();
        assertThat(rig.ssd.active()).isZero();
    }

    @Test
    void theErrorLogTellsOfIt() {
        rig.ssd.spoil(1, 5, 1, false, 1);
        assertThat(run(Opcodes.READ, 0, 8, look)).isEqualTo(NvmeStatus.UNRECOVERED_READ.code());
        rig.admin(new SqEntry()
                .command(Opcodes.GET_LOG_PAGE, 1, 0)
                .dword(10, 15 << 16 | 1)
                .prp(look, 0));
        byte[] log = rig.bytes(look, 64);
        assertThat(log[0]).as("count").isEqualTo((byte) 1);
        assertThat(log[8]).as("queue").isEqualTo((byte) 1);
        assertThat(log[10]).as("command").isEqualTo((byte) 3);
        assertThat(LittleEndian.get16(log, 12) >> 1 & 0x7FF).isEqualTo(NvmeStatus.UNRECOVERED_READ.code());
    }

    @Test
    void rangesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> rig.ssd.spoil(1, 0, 0, true, 1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> rig.ssd.spoil(1, -1, 1, true, 1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> rig.ssd.spoil(1, 0, 1, true, 0)).hasMessageContaining("once or more");
    }
}
