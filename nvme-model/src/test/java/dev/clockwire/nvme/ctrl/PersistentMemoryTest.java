package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.regs.NvmeRegisters;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The persistent memory region; registers as in NVMe 1.4, 3.1.22 to 3.1.28. */
class PersistentMemoryTest {
    private static final long BYTES = 1 << 16;
    private static final int PMRCAP = 0xE00;
    private static final int PMRCTL = 0xE04;
    private static final int PMRSTS = 0xE08;
    private static final int PMRSWTP = 0xE10;
    private static final int PMRMSCL = 0xE14;
    private static final int PMRMSCU = 0xE18;
    private static final int NOT_READY = 0x100;

    private final RawRig rig = new RawRig(
            NvmeSpec.of("ram")
                    .withNamespaces(List.of(new NamespaceSpec(512, 1 << 16)))
                    .withPersistentMemory(BYTES),
            SimSpec.of(1));
    private final long window = rig.ssd.endpoint().barAddress(4);

    private long register(int at) {
        return rig.ssd.registers().read(at, 4);
    }

    private void open(boolean is) {
        rig.write(PMRCTL, is ? 1 : 0, 4);
        rig.run(2000 * US);
    }

    private void store(long at, byte[] data) {
        rig.core.mmioWrite(window + at, data, 0, data.length);
        rig.run(10 * US);
    }

    private long load(long at) {
        long[] x = new long[1];
        boolean[] asked = new boolean[1];
        rig.core.run(core -> {
            if (!asked[0]) {
                asked[0] = true;
                core.mmioRead(window + at, 8);
            } else {
                x[0] = core.loaded();
            }
        });
        rig.run(10 * US);
        return x[0];
    }

    private static byte[] data(int n, int seed) {
        byte[] b = new byte[n];
        new Random(seed).nextBytes(b);
        return b;
    }

    @Test
    void itIsShown() {
        assertThat((rig.ssd.registers().read(0, 8) >>> 56) & 3)
                .as("CAP.PMRS, no CAP.CMBS")
                .isEqualTo(1);
        // RDS and WDS, BIR 4, PMRWBM 1, PMRTO 7.5 s, CMSS
        assertThat(register(PMRCAP)).isEqualTo(0x18 | (4 << 5) | (1 << 10) | (15 << 16) | (1 << 24));
        assertThat(register(PMRSWTP)).as("16,000 MB/s").isEqualTo((16_000 << 8) | 2);
        RawRig none = new RawRig("ram");
        assertThat((none.ssd.registers().read(0, 8) >>> 56) & 1).isZero();
        for (int at = PMRCAP; at <= PMRMSCU; at += 4) {
            assertThat(none.ssd.registers().read(at, 4)).isZero();
        }
        none.write(PMRCTL, 1, 4);
        none.run(2000 * US);
        assertThat(none.ssd.registers().read(PMRSTS, 4)).isZero();
        assertThatThrownBy(() -> NvmeSpec.of("ram").withPersistentMemory(4095))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("persistent memory region of 4095 B");
    }

    /** It needs time to become ready; while it is shut, stores are lost and loads are refused. */
    @Test
    void itOpensAndShuts() {
        store(0, data(64, 1));
        assertThat(load(0)).as("unsupported request").isEqualTo(-1);
        rig.write(PMRCTL, 1, 4);
        rig.run(2 * US);
        assertThat(register(PMRSTS)).isEqualTo(NOT_READY);
        rig.run(2000 * US);
        assertThat(register(PMRSTS)).isZero();
        assertThat(load(0)).isZero();
        store(0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertThat(load(0)).isEqualTo(0x0807060504030201L);
        open(false);
        assertThat(register(PMRSTS)).isEqualTo(NOT_READY);
        assertThat(load(0)).isEqualTo(-1);
    }

    /** A controller reset leaves it open, a subsystem reset shuts it; neither changes a byte. */
    @Test
    void whatIsInItSurvivesResets() {
        open(true);
        rig.enable(false);
        store(4096, data(4096, 2));
        long word = load(4096);
        rig.write(0x14, 0, 4);
        rig.run(2000 * US);
        assertThat(rig.ssd.registers().isReady()).isFalse();
        assertThat(register(PMRCTL)).isEqualTo(1);
        assertThat(load(4096)).isEqualTo(word);
        rig.enable(false);
        rig.write(0x20, NvmeRegisters.RESET_WORD, 4);
        rig.run(2000 * US);
        assertThat(register(PMRCTL)).isZero();
        assertThat(load(4096)).isEqualTo(-1);
        open(true);
        assertThat(load(4096)).isEqualTo(word);
    }

    /** Data of commands lie there if the host says where, and only while it is open. */
    @Test
    void commandsHaveDataInIt() {
        open(true);
        rig.write(PMRMSCU, window >>> 32, 4);
        rig.write(PMRMSCL, (window & 0xFFFF_F000L) | 2, 4);
        rig.enable(false).queues(1, 0, 0, false);
        byte[] data = data(8192, 3);
        store(0, data);
        long up = rig.sim.stats().value("ssd.pcie.up.data_bytes");
        rig.put(1, RawRig.transfer(Opcodes.WRITE, 1, 8, 16, window));
        rig.ring(1);
        rig.run(50 * US);
        long host = rig.buffer("host", 8192);
        assertThat(rig.sim.stats().value("ssd.pcie.up.data_bytes") - up)
                .as("a completion")
                .isEqualTo(16);
        rig.put(1, RawRig.transfer(Opcodes.READ, 2, 8, 16, host));
        rig.ring(1);
        rig.run(50 * US);
        assertThat(rig.completions(1)).extracting(RawRig.Completion::status).containsExactly(0, 0);
        assertThat(rig.bytes(host, 8192)).isEqualTo(data);
        open(false);
        rig.put(1, RawRig.transfer(Opcodes.WRITE, 3, 8, 16, window));
        rig.ring(1);
        rig.run(500 * US);
        assertThat(rig.completions(1)).extracting(RawRig.Completion::status).doesNotContain(0);
    }

    @Test
    void aSnapshotHasItAll() {
        open(true);
        store(0, data(64, 4));
        rig.write(PMRCTL, 0, 4);
        rig.write(PMRCTL, 1, 4);
        rig.run(500 * US); // half-way to ready
        Snapshot half = rig.sim.save();
        rig.run(2000 * US);
        long hash = rig.sim.traceHash();
        rig.sim.restore(half);
        assertThat(register(PMRSTS)).isEqualTo(NOT_READY);
        rig.run(2000 * US);
        assertThat(register(PMRSTS)).isZero();
        assertThat(rig.sim.traceHash()).isEqualTo(hash);
        Payload p = new Payload();
        Objects.requireNonNull(rig.ssd.persistentMemory()).peek(0, 64, p);
        assertThat(p.array()).startsWith(data(64, 4));
    }

    @Test
    void bothMayBeThere() {
        RawRig both =
                new RawRig(NvmeSpec.of("ram").withControllerMemory(4096).withPersistentMemory(8192), SimSpec.of(1));
        long[] bars = {
            both.ssd.endpoint().barAddress(0),
            both.ssd.endpoint().barAddress(2),
            both.ssd.endpoint().barAddress(4)
        };
        assertThat(Arrays.stream(bars).distinct().count()).isEqualTo(3);
        assertThat((both.ssd.registers().read(0, 8) >>> 56) & 3).isEqualTo(3);
    }
}
