package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Submission queues, lists and data in memory of the controller. */
class ControllerMemoryTest {
    private static final long BYTES = 1 << 17;
    private static final int CMBLOC = 0x38;
    private static final int CMBSZ = 0x3C;
    private static final int CMBMSC = 0x50;
    private static final int CMBSTS = 0x58;

    private final RawRig rig = new RawRig(
            NvmeSpec.of("ram")
                    .withNamespaces(List.of(new NamespaceSpec(512, 1 << 16)))
                    .withControllerMemory(BYTES),
            SimSpec.of(1));
    private final long window = rig.ssd.endpoint().barAddress(2);

    private void open() {
        rig.write(CMBMSC, window | 3, 8);
        rig.run(US);
    }

    private void store(long at, byte[] data) {
        rig.core.mmioWrite(window + at, data, 0, data.length);
    }

    @Test
    void itIsShownWhenTheHostAsks() {
        assertThat(rig.ssd.registers().read(0, 8) >>> 57 & 1).as("CAP.CMBS").isEqualTo(1);
        assertThat(rig.ssd.registers().read(CMBSZ, 4)).isZero();
        open();
        assertThat(rig.ssd.registers().read(CMBLOC, 4)).isEqualTo(2);
        assertThat(rig.ssd.registers().read(CMBSZ, 4)).isEqualTo((BYTES / 4096) << 12 | 0x1D);
        RawRig none = new RawRig("ram");
        assertThat(none.ssd.registers().read(0, 8) >>> 57 & 1).isZero();
        assertThatThrownBy(() -> NvmeSpec.of("ram").withControllerMemory(5000))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("power of two from 4096");
    }

    /** The entry is stored by the host in one line; the controller needs no round trip over PCIe for it. */
    @Test
    void aQueueInItIsFetchedAtOnce() {
        open();
        rig.enable(false).queues(1, 0, 0, false).queues(2, 0, 0, false);
        rig.admin(new SqEntry().command(Opcodes.DELETE_SQ, 1, 0).dword(10, 2));
        rig.admin(new SqEntry()
                .command(Opcodes.CREATE_SQ, 1, 0)
                .prp(window, 0)
                .dword(10, 63 << 16 | 2)
                .dword(11, 2 << 16 | 1));
        long data = rig.buffer("data", 4096);
        long[] took = new long[2];
        byte[] b = new byte[64];
        RawRig.transfer(Opcodes.READ, 5, 0, 1, data).store(b, 0);
        for (int i = 0; i < 2; i++) {
            int queue = 1 + i;
            long before = rig.sim.now();
            if (queue == 1) {
                rig.put(1, RawRig.transfer(Opcodes.READ, 5, 0, 1, data));
                rig.ring(1);
            } else {
                store(0, b);
                rig.write(0x1010, 1, 4);
            }
            long count = rig.sim.stats().value("ssd.completions");
            assertThat(rig.sim.runUntil(() -> rig.sim.stats().value("ssd.completions") > count, before + 50 * US))
                    .isTrue();
            took[i] = rig.sim.now() - before;
            rig.run(5 * US);
            assertThat(rig.completions(queue))
                    .extracting(RawRig.Completion::status)
                    .containsExactly(0);
        }
        assertThat(took[0] - took[1]).as("a round trip less").isBetween(250_000L, 600_000L);
    }

    /** Data and a PRP list in it, both ways, with neighbours left alone. */
    @Test
    void dataInItAreWrittenAndRead() {
        open();
        rig.enable(false).queues(1, 0, 0, false);
        byte[] data = new byte[3 * 4096];
        new Random(8).nextBytes(data);
        store(4096, data);
        byte[] list = new byte[64];
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < 8; k++) {
                list[8 * i + k] = (byte) ((window + 8192 + 4096L * i) >>> (8 * k));
            }
        }
        store(65_536, list);
        rig.run(10 * US);
        rig.put(1, RawRig.transfer(Opcodes.WRITE, 1, 64, 24, 0).prp(window + 4096, window + 65_536));
        rig.ring(1);
        rig.run(50 * US);
        assertThat(rig.completions(1)).extracting(RawRig.Completion::status).containsExactly(0);
        long host = rig.buffer("host", 8192);
        rig.put(1, RawRig.transfer(Opcodes.READ, 2, 72, 16, host));
        rig.put(1, RawRig.transfer(Opcodes.READ, 3, 64, 8, window + 40_960));
        rig.put(1, RawRig.transfer(Opcodes.COMPARE, 4, 64, 8, window + 4096));
        rig.ring(1);
        rig.run(50 * US);
        assertThat(rig.completions(1)).extracting(RawRig.Completion::status).containsExactly(0, 0, 0);
        assertThat(rig.bytes(host, 8192)).isEqualTo(Arrays.copyOfRange(data, 4096, 3 * 4096));
        rig.put(1, RawRig.transfer(Opcodes.COMPARE, 5, 64, 8, window + 40_960));
        rig.ring(1);
        rig.run(50 * US);
        assertThat(rig.completions(1)).extracting(RawRig.Completion::status).containsExactly(0);
    }

    /** Commands whose data lie there send nothing but their completions, by PRP and by SGL. */
    @Test
    void dataInItNeedNoPackets() {
        open();
        rig.enable(false).queues(1, 0, 0, false);
        byte[] data = new byte[8192];
        new Random(9).nextBytes(data);
        store(8192, data);
        rig.run(10 * US);
        long up = rig.sim.stats().value("ssd.pcie.up.data_bytes");
        SqEntry write = RawRig.transfer(Opcodes.WRITE, 1, 0, 16, 0).prp(window + 8192, window + 12_288);
        SqEntry read = new SqEntry().command(Opcodes.READ, 2, 1).blocks(0, 16);
        read.flags(SqEntry.SGL, 0);
        SglDescriptor.put(
                read.bytes(), SqEntry.DATA, SglDescriptor.DATA_BLOCK, SglDescriptor.ADDRESS, window + 32_772, 8192);
        rig.put(1, write);
        rig.ring(1);
        rig.run(50 * US);
        rig.put(1, read);
        rig.ring(1);
        rig.run(50 * US);
        assertThat(rig.completions(1)).extracting(RawRig.Completion::status).containsExactly(0, 0);
        assertThat(rig.sim.stats().value("ssd.pcie.up.data_bytes") - up)
                .as("two completions")
                .isEqualTo(32);
        assertThat(content(32_768, 8200)).startsWith(0, 0, 0, 0).endsWith(0, 0, 0, 0);
        assertThat(content(32_772, 8192)).isEqualTo(data);
        assertThat(rig.sim.stats().value("ssd.pcie.bar2.own_written_bytes")).isEqualTo(8192);
        assertThat(rig.sim.stats().value("ssd.pcie.bar2.own_read_bytes")).isEqualTo(8192);
    }

    private byte[] content(long at, int n) {
        Payload p = new Payload();
        Objects.requireNonNull(rig.ssd.controllerMemory()).peek(at, n, p);
        byte[] b = new byte[n];
        p.copyTo(0, b, 0, n);
        return b;
    }

    @Test
    void aPlaceThatPassesTheEndIsTold() {
        rig.write(CMBMSC, 3 | -BYTES, 8);
        rig.run(US);
        assertThat(rig.ssd.registers().read(CMBSTS, 4)).isZero();
        rig.write(CMBMSC, 3L | -4096L, 8);
        rig.run(US);
        assertThat(rig.ssd.registers().read(CMBSTS, 4)).isEqualTo(1);
    }

    /** Addresses of a window that the host has not told of are PCIe addresses of the device itself: nobody answers there. */
    @Test
    void withoutTheHostsWordItIsOutside() {
        rig.enable(false).queues(1, 0, 0, false);
        rig.put(1, RawRig.transfer(Opcodes.WRITE, 1, 64, 8, window));
        rig.ring(1);
        rig.run(500 * US);
        assertThat(rig.completions(1)).extracting(RawRig.Completion::status).doesNotContain(0);
    }
}
