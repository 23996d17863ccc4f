package dev.clockwire.storage.check.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.Test;

class ChunkIndexTest {
    private static final int CHAINS = 300;
    private static final int KEYS = 20;

    private final ChunkIndex index = new ChunkIndex();

    /** The same keys in many chains: as many chunks, numbered as they come, and found again. */
    @Test
    void numbersChunksInTheOrderInWhichTheyCome() {
        for (int i = 0; i < CHAINS * KEYS; i++) {
            assertThat(index.of(i % CHAINS, i / CHAINS)).isEqualTo(i);
        }
        Snapshot all = new Snapshot();
        index.save(all);
        ChunkIndex other = new ChunkIndex();
        other.of(7, 7);
        other.load(all);
        assertThat(other.size()).isEqualTo(CHAINS * KEYS);
        for (int i = CHAINS * KEYS - 1; i >= 0; i--) {
            assertThat(index.of(i % CHAINS, i / CHAINS)).isEqualTo(i);
            assertThat(other.of(i % CHAINS, i / CHAINS)).isEqualTo(i);
            assertThat(index.chain(i)).isEqualTo(i % CHAINS);
            assertThat(index.key(i)).isEqualTo(i / CHAINS);
        }
    }
}
