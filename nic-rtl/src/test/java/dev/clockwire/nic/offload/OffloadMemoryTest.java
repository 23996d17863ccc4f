package dev.clockwire.nic.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import org.junit.jupiter.api.Test;

class OffloadMemoryTest {
    /** Ring, lists and buffers begin at pages and do not touch; PRP lists name all pages but the first: NVMe Base 2.0, 4.1.1. */
    @Test
    void everythingHasItsPlace() {
        OffloadMemory m = new OffloadMemory(0x40_0000_0000L, 100, 33, 3 * 4096);
        assertThat(m.sq()).isEqualTo(0x40_0000_0000L);
        assertThat(m.lists()).isEqualTo(m.sq() + 8192);
        assertThat(m.staging()).isEqualTo(m.lists() + 3 * 4096);
        assertThat(m.bytes()).isEqualTo(5 * 4096 + 33 * 3 * 4096L);
        byte[] b = m.listContent();
        assertThat(b).hasSize(33 * 256);
        for (int i = 0; i < 33; i++) {
            long buffer = m.staging() + i * 3L * 4096L;
            assertThat(Capsule.get64(b, 256 * i)).isEqualTo(buffer + 4096);
            assertThat(Capsule.get64(b, 256 * i + 8)).isEqualTo(buffer + 8192);
            assertThat(Capsule.get64(b, 256 * i + 16)).isZero();
        }
    }

    @Test
    void wrongMemoryIsRefused() {
        assertThatThrownBy(() -> new OffloadMemory(64, 16, 1, 4096))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("memory at 0x40: must begin at a page");
        assertThatThrownBy(() -> new OffloadMemory(0, 16, 1, 5000)).hasMessageContaining("5000 bytes");
    }
}
