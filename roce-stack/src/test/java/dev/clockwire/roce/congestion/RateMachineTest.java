package dev.clockwire.roce.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.roce.congestion.RateRules.Clamp;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateMachineTest {
    private static final long G = 1_000_000_000;
    private static final long US = 1_000_000;
    private static final long PS = 1_000_000_000_000L;

    /** The paper's rules at random values, against the same written down plainly; the block of the NIC, which counts cycles, is the machine too. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void thePapersRulesAreThoseOfThePaper(long seed) {
        Random random = new Random(seed);
        DcqcnSpec spec = seed <= 4 ? DcqcnSpec.paper(40 * G, 400_000_000, PS) : random(random);
        PlainReactionPoint expected = new PlainReactionPoint(spec);
        RateMachine machine = new RateMachine(spec.rules());
        ReactionPoint block = new ReactionPoint(spec);
        long now = 0;
        for (int i = 0; i < 6_000; i++) {
            now += 1 + (long) (random.nextDouble() * random.nextDouble() * 40 * US);
            switch (random.nextInt(i < 3_000 ? 4 : 400)) {
                case 0 -> {
                    expected.notification(now);
                    machine.notification(now);
                    block.notification(now);
                }
                case 1, 2 -> {
                    int bytes = random.nextInt((int) Math.min(4_000_000, spec.byteCounter()));
                    expected.sent(now, bytes);
                    machine.sent(now, bytes);
                    block.sent(now, bytes);
                }
                default -> {
                    expected.settle(now);
                    machine.settle(now);
                    block.settle(now);
                }
            }
            assertThat(machine.current()).as("step %d", i).isEqualTo(expected.current());
            assertThat(machine.target()).as("step %d", i).isEqualTo(expected.target());
            assertThat(machine.alpha() < 0 || machine.alpha() == expected.alpha() / (double) (1L << 48))
                    .as("step %d", i)
                    .isTrue();
            assertThat(block.current()).isEqualTo(expected.current());
            assertThat(block.target()).isEqualTo(expected.target());
            assertThat(block.alpha()).isEqualTo(expected.alpha());
            assertThat(block.active()).isEqualTo(expected.active());
        }
        assertThat(expected.current()).isLessThan(spec.lineRate() << 16);
    }

    private static DcqcnSpec random(Random r) {
        return new DcqcnSpec(
                G * (1 + r.nextInt(800)),
                1 + r.nextInt(1_000_000_000),
                1 + r.nextInt(16),
                US + r.nextInt((int) (100 * US)),
                US + r.nextInt((int) (100 * US)),
                1 + r.nextInt(20_000_000),
                1 + r.nextInt(20),
                r.nextInt(1_000_000_000),
                r.nextInt(1_000_000_000));
    }

    /** The rules published with HPCC, against a plain loop of one microsecond steps in floating point. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theRulesOfHpccAreThoseOfAPlainLoop(long seed) {
        RateMachine machine = new RateMachine(RateRules.hpcc(100 * G));
        Random random = new Random(seed);
        double rate = 100e9;
        double target = rate;
        double alpha = 1;
        int stage = 0;
        long timer = Long.MAX_VALUE;
        boolean alphaLatch = false;
        boolean cutLatch = false;
        boolean active = false;
        long check = 0;
        for (long us = 0; us < 30_000; us++) {
            if (active && us > 0) {
                alpha = alpha * 255 / 256 + (alphaLatch ? 1.0 / 256 : 0);
                alphaLatch = false;
                if (us == check) {
                    check += 4;
                    if (cutLatch) {
                        target = stage > 0 ? rate : target;
                        rate = Math.max(1e9, rate * (1 - alpha / 2));
                        stage = 0;
                        cutLatch = false;
                        timer = us + 300;
                    }
                }
                if (us == timer) {
                    timer += 300;
                    target = Math.min(100e9, target + (stage == 0 ? 0 : stage == 1 ? 20e6 : 200e6));
                    rate = (rate + target) / 2;
                    stage++;
                }
            }
            if (random.nextInt(us < 10_000 ? 60 : 2_000) == 0) {
                machine.notification(us * US);
                if (!active) {
                    active = true;
                    check = us + 4;
                } else {
                    alphaLatch = true;
                }
                cutLatch = true;
            }
            if (random.nextInt(7) == 0) { // nobody needs to look at each microsecond
                machine.settle(us * US);
                assertThat(machine.rate() / 1e9).as("us %d", us).isCloseTo(rate / 1e9, within(1e-6));
                assertThat(machine.target() / 65536.0 / 1e9).as("us %d", us).isCloseTo(target / 1e9, within(1e-6));
            }
        }
        assertThat(machine.cuts()).isGreaterThan(100);
    }

    @Test
    void eachDifferenceShows() {
        RateMachine paper = new RateMachine(RateRules.paper(100 * G));
        RateMachine nvidia = new RateMachine(RateRules.nvidia(100 * G));
        for (RateMachine m : new RateMachine[] {paper, nvidia}) {
            m.notification(0);
            m.notification(US);
        }
        assertThat(paper.rate()).as("each cuts").isEqualTo(25 * G);
        assertThat(nvidia.rate()).as("no check was due").isEqualTo(100 * G);
        assertThat(nvidia.due()).isEqualTo(4 * US);
        nvidia.settle(4 * US);
        assertThat(nvidia.cuts()).as("one for both").isEqualTo(1);
        assertThat(nvidia.target() >> 16).as("not clamped before an increase").isEqualTo(100 * G);
        assertThat(nvidia.rate()).isBetween(50 * G, 51 * G);
        nvidia.settle(304 * US);
        assertThat(nvidia.rate()).as("one fast recovery").isBetween(75 * G, 76 * G);
    }

    @Test
    void longIdlenessCostsNothing() {
        RateMachine machine = new RateMachine(RateRules.hpcc(100 * G));
        machine.notification(0);
        machine.settle(3_600 * PS);
        assertThat(machine.rate()).isEqualTo(100 * G);
        assertThat(machine.due()).isEqualTo(Long.MAX_VALUE);
        assertThat(machine.alpha()).isBetween(0.0, 1e-11);
    }

    @Test
    void impossibleRulesAreRefused() {
        assertThatThrownBy(() -> RateRules.paper(0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("DCQCN line rate in bit/s 0 is not in 1000000..8000000000000");
        assertThat(RateRules.hpcc(G).clamp()).isEqualTo(Clamp.AFTER_INCREASE);
    }
}
