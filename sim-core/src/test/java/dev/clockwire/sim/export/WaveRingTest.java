package dev.clockwire.sim.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.trace.Signals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaveRingTest {
    private static Signals signals() {
        Signals s = new Signals();
        s.vector("top.a", 64);
        s.vector("top.b", 64);
        return s;
    }

    private static List<String> replayed(WaveRing ring) {
        List<String> told = new ArrayList<>();
        ring.replay((signal, ps, value) -> told.add(signal + "@" + ps + "=" + value));
        return told;
    }

    /** It grows in the middle of its wrap: nothing is lost, nothing comes out of order. */
    @Test
    void itGrowsToWhatTheWindowHolds() {
        WaveRing ring = new WaveRing(signals(), 30_000, 1 << 20);
        for (int i = 0; i < 6000; i++) {
            ring.change(i & 1, 10L * i, i);
        }
        assertThat(ring.room()).isEqualTo(4096);
        for (int i = 6000; i < 20_000; i++) {
            ring.change(i & 1, 60_000 + i - 6000, i);
        }
        List<String> told = replayed(ring);
        assertThat(ring.isShort()).isFalse();
        assertThat(ring.room()).isEqualTo(1 << 14);
        long since = 60_000 + 13_999 - 30_000;
        int first = (int) ((since + 9) / 10);
        assertThat(ring.size()).isEqualTo(20_000 - first);
        assertThat(told.subList(0, 3))
                .containsExactly(
                        "0@" + 10L * (first - 1) + "=" + (first - 2 + (first & 1)),
                        "1@" + 10L * (first - 1) + "=" + (first - 1 - (first & 1)),
                        (first & 1) + "@" + 10L * first + "=" + first);
        assertThat(told.get(told.size() - 1)).isEqualTo("1@73999=19999");
    }

    @Test
    void itNeverHoldsMoreThanItsCapacity() {
        WaveRing ring = new WaveRing(signals(), Long.MAX_VALUE, 10_000);
        for (int i = 0; i < 1_000_000; i++) {
            ring.change(0, i, i);
        }
        assertThat(ring.room()).isEqualTo(16_384);
        assertThat(ring.size()).isEqualTo(16_384);
        assertThat(ring.isShort()).isTrue();
        assertThat(ring.sincePs()).isEqualTo(1_000_000 - 16_384 - 1);
    }

    @Test
    void whatIsNoRingIsRefused() {
        assertThatThrownBy(() -> new WaveRing(signals(), 0, 1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> new WaveRing(signals(), 1, (1 << 26) + 1)).hasMessageContaining("67108864");
    }
}
