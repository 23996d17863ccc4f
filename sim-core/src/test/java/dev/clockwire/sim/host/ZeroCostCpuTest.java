package dev.clockwire.sim.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZeroCostCpuTest {
    private final List<String> stores = new ArrayList<>();
    private final AddressSpace memory = new AddressSpace("memory", PayloadMode.BYTES);
    private final ZeroCostCpu cpu = new ZeroCostCpu("host0.core0", memory, () -> 1000, this::store);

    private void store(long ps, long address, byte[] data, int off, int len) {
        stores.add(ps + " " + Long.toHexString(address) + " " + HexFormat.of().formatHex(data, off, off + len));
    }

    @Test
    void onlyExplicitChargesMoveTime() {
        assertThat(cpu.name()).isEqualTo("host0.core0");
        assertThat(cpu.memory()).isSameAs(memory);
        for (HostCost c : HostCost.values()) {
            cpu.charge(c, 1_000_000);
        }
        assertThat(cpu.now()).isEqualTo(1000);
        cpu.charge(25);
        assertThat(cpu.now()).isEqualTo(1025);
    }

    @Test
    void storesGoOutInOrderLittleEndian() {
        cpu.mmioWrite(0x18, 0x1122334455667788L, 4);
        cpu.charge(5);
        cpu.mmioWrite(0x800, new byte[] {9, 8, 7, 6}, 1, 3);
        assertThat(stores).containsExactly("1000 18 88776655", "1005 800 080706");
    }

    @Test
    void aStepRunsOnlyWhenAskedFor() {
        int[] steps = new int[1];
        Runnable program = () -> {
            if (++steps[0] < 3) {
                cpu.wake();
            }
            cpu.charge(7);
        };
        assertThat(cpu.step(program)).isFalse();
        cpu.wake();
        cpu.wake();
        while (cpu.step(program)) {
            assertThat(cpu.now()).isEqualTo(1007);
        }
        assertThat(steps[0]).isEqualTo(3);
    }
}
