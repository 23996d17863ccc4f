package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The ends of the ranges, what is said when a link is misused, and points whose owner decides ahead. */
class LinkLimitsTest {
    private static final int MOST = 1 << 20;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Scope top = sim.root();
    private final Clock clock = new Clock(top, "clk", Frequency.mhz(1000));
    private final LambdaModule m = new LambdaModule(top, "m", clock);
    private final LambdaModule p = new LambdaModule(top, "p", clock);
    private int names;

    private String name() {
        return "x" + names++;
    }

    private static void refused(Runnable make, String why) {
        assertThatThrownBy(make::run).isInstanceOf(ConfigurationException.class).hasMessageContaining(why);
    }

    @Test
    void theSmallestAndTheLargestAreAllowed() {
        for (int n : new int[] {1, MOST}) {
            assertThatCode(() -> new LongChannel(top, name(), clock, n)).doesNotThrowAnyException();
            assertThatCode(() -> new LongInlet(m, name(), n, 1)).doesNotThrowAnyException();
            assertThatCode(() -> new CreditChannel<TestToken>(top, name(), clock, n, 1, 32))
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> new CreditChannel<TestToken>(top, name(), clock, 1, 32, 1))
                .doesNotThrowAnyException();
        assertThatCode(() -> new LongInlet(m, name(), 1, 16)).doesNotThrowAnyException();
        assertThat(new Beats(1).count(3)).isEqualTo(3);
        refused(() -> new LongChannel(top, name(), clock, MOST + 1), "capacity 1048577");
        refused(() -> new LongInlet(m, name(), MOST + 1, 1), "capacity 1048577");
        refused(() -> new LongInlet(m, name(), 1, 0), "depth 0");
        refused(() -> new CreditChannel<TestToken>(top, name(), clock, MOST + 1, 1, 1), "credits 1048577");
        refused(() -> new CreditChannel<TestToken>(top, name(), clock, 1, 33, 1), "latency 33");
        refused(() -> new CreditChannel<TestToken>(top, name(), clock, 1, 1, 0), "credit latency 0");
    }

    @Test
    void anOutletOfOnePicosecond() {
        List<Long> got = new ArrayList<>();
        EventPort port = new EventPort(p, "in") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                got.add(now());
            }
        };
        Outlet out = new Outlet(m, port, 1, 1);
        m.tick = n -> {
            if (n == 2) {
                assertThat(out.writeAfter(7_000, 0, 0, new TestToken(0, 0))).isEqualTo(9_000);
            }
            if (n == 4) {
                assertThat(out.write(0, 0, new TestToken(0, 0))).isEqualTo(9_000);
            }
            return n < 4;
        };
        sim.run(3_500);
        Snapshot s = sim.save();
        sim.run(20_000);
        sim.restore(s);
        sim.run(20_000);
        assertThat(got).containsExactly(9_000L, 9_000L, 9_000L, 9_000L);
    }

    @Test
    void aMisusedCreditChannelSaysWhy() {
        CreditChannel<TestToken> c =
                new CreditChannel<TestToken>(top, "c", clock, 1, 1, 4).from(p).to(m);
        CreditChannel<TestToken> wide =
                new CreditChannel<TestToken>(top, "w", clock, 4, 1, 1).from(p).to(m);
        sim.elaborate();
        c.put(0, new TestToken(0, 0));
        assertThatThrownBy(() -> c.put(1, new TestToken(0, 0)))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("c: put in cycle 1: no credit");
        assertThatThrownBy(() -> c.take(0)).hasMessageContaining("take in cycle 0: no token is visible");
        wide.put(0, new TestToken(0, 0));
        assertThatThrownBy(() -> wide.put(0, new TestToken(0, 0)))
                .hasMessageContaining("w: put in cycle 0: the second in this cycle");
        assertThat(wide.credits(0)).isEqualTo(3);
        wide.take(1);
        wide.put(1, new TestToken(1, 1));
        assertThatThrownBy(() -> wide.take(1)).hasMessageContaining("take in cycle 1: the second in this cycle");
    }

    @Test
    void aMisusedFifoSaysWhy() {
        AsyncFifo<TestToken> f =
                new AsyncFifo<TestToken>(top, "f", 1, 1).from(p).to(m);
        AsyncFifo<TestToken> wide =
                new AsyncFifo<TestToken>(top, "w", 4, 1).from(p).to(m);
        sim.elaborate();
        f.put(0, new TestToken(0, 0));
        assertThat(f.ready(1)).isFalse();
        assertThatThrownBy(() -> f.put(1, new TestToken(0, 0))).hasMessageContaining("put in cycle 1: no room");
        wide.put(0, new TestToken(0, 0));
        assertThat(wide.occupancy()).isEqualTo(1);
        assertThatThrownBy(() -> wide.put(0, new TestToken(0, 0)))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("w: put in cycle 0: the second in this cycle");
    }

    @Test
    void inletsSayHowMuchSpaceIsLeft() {
        LongInlet words = new LongInlet(m, "words", 5, 1);
        Inlet<TestToken> tokens = new Inlet<>(m, "tokens", 5, 1);
        sim.elaborate();
        for (int i = 5; i > 0; i--) {
            assertThat(words.space()).isEqualTo(i);
            assertThat(tokens.space()).isEqualTo(i);
            words.write(i);
            tokens.write(new TestToken(i, 0));
        }
    }

    @Test
    void aPointWhoseOwnerDecidesAheadIsSettledWhenSomebodyLooks() {
        Probe probe = new Probe(m, "point");
        List<Long> asked = new ArrayList<>();
        probe.late(now -> {
            asked.add(now);
            probe.fold(now, 1, 2);
        });
        sim.run(500);
        long value = probe.value();
        assertThat(asked).containsExactly(500L);
        assertThat(probe.count()).isEqualTo(2);
        assertThat(probe.value()).isNotEqualTo(value);
        assertThat(asked).hasSize(3);
        assertThat(probe.path()).isEqualTo("m.point");
    }

    @Test
    void timesForPeopleHaveThreeDigits() {
        assertThat(Ends.ns(0)).isEqualTo("0.000 ns");
        assertThat(Ends.ns(7)).isEqualTo("0.007 ns");
        assertThat(Ends.ns(1_999)).isEqualTo("1.999 ns");
        assertThat(Ends.ns(12_345_678)).isEqualTo("12345.678 ns");
    }
}
