package dev.clockwire.nvme.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks against an array. */
class MemoryStoreTest {
    @ParameterizedTest
    @EnumSource
    void blocksKeepWhatIsWritten(PayloadMode mode) {
        MemoryStore store = new MemoryStore("disk", 512, 1L << 33, mode);
        byte[][] oracle = new byte[64][512];
        Random random = new Random(5);
        long base = store.blocks() - 64;
        for (int i = 0; i < 2000; i++) {
            int at = random.nextInt(64);
            int n = 1 + random.nextInt(64 - at);
            Payload data = new Payload();
            if (random.nextInt(4) == 0) {
                store.zero(base + at, n);
                for (int k = 0; k < n; k++) {
                    oracle[at + k] = new byte[512];
                }
            } else {
                byte[] bytes = new byte[512 * n + 3];
                random.nextBytes(bytes);
                data.appendBytes(bytes, 0, bytes.length);
                store.write(base + at, n, data, 3);
                for (int k = 0; k < n; k++) {
                    System.arraycopy(bytes, 3 + 512 * k, oracle[at + k], 0, 512);
                }
            }
            at = random.nextInt(64);
            data.clear();
            store.read(base + at, 1, data);
            byte[] got = new byte[512];
            if (data.isBytes()) {
                data.copyTo(0, got, 0, 512);
            } else {
                assertThat(data.writer(0)).as("never written").isZero();
            }
            assertThat(got).isEqualTo(oracle[at]);
        }
    }

    @ParameterizedTest
    @CsvSource({"500, 10", "1000, 10", "131072, 1", "512, 0", "512, 137438953473"})
    void storesThatCannotExistAreRefused(int blockBytes, long blocks) {
        assertThatThrownBy(() -> new MemoryStore("disk", blockBytes, blocks, PayloadMode.BYTES))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("must be");
    }
}
