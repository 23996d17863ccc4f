package dev.clockwire.sim.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.Test;

class ArbiterTest {
    @Test
    void roundRobinServesTheNextOneAndMovesOnlyOnAGrant() {
        RoundRobinArbiter a = new RoundRobinArbiter(4);
        assertThat(a.choose(0)).isEqualTo(-1);
        assertThat(a.choose(0b1111)).isZero();
        assertThat(a.choose(0b1111)).isZero();
        a.grant(0);
        assertThat(a.choose(0b1111)).isEqualTo(1);
        assertThat(a.choose(0b1001)).isEqualTo(3);
        a.grant(3);
        assertThat(a.choose(0b1010)).isEqualTo(1);
        a.grant(2);
        assertThat(a.choose(0b0100)).isEqualTo(2);
        assertThatThrownBy(() -> a.grant(4))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("0..3");
        assertThatThrownBy(() -> new RoundRobinArbiter(65)).hasMessageContaining("1..64");
    }

    @Test
    void roundRobinReachesAll64() {
        RoundRobinArbiter a = new RoundRobinArbiter(64);
        for (int i = 0; i < 200; i++) {
            int winner = a.choose(-1L);
            assertThat(winner).isEqualTo(i % 64);
            a.grant(winner);
        }
    }

    @Test
    void priorityServesTheLowest() {
        PriorityArbiter a = new PriorityArbiter();
        a.grant(3);
        assertThat(a.choose(0b1100)).isEqualTo(2);
        assertThat(a.choose(0)).isEqualTo(-1);
    }

    @Test
    void thePointerIsState() {
        RoundRobinArbiter a = new RoundRobinArbiter(4);
        a.grant(2);
        Snapshot s = new Snapshot();
        a.save(s);
        RoundRobinArbiter b = new RoundRobinArbiter(4);
        b.load(s);
        assertThat(b.choose(0b1111)).isEqualTo(3);
    }
}
