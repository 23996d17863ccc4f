package dev.clockwire.roce.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenBucketTest {
    private static final long CLOCK = 250_000_000;

    @ParameterizedTest
    @CsvSource({
        "tb_cir40g_cbs4096_pkt1024.csv, 40000000000, 4096, 1024",
        "tb_cir0.1g_cbs2048_pkt1024.csv, 100000000, 2048, 1024",
        "tb_cir100g_cbs16384_pkt4096.csv, 100000000000, 16384, 4096",
        "tb_cir99.7g_cbs8192_pkt1024.csv, 99700000000, 8192, 1024",
    })
    void packetsLeaveInTheCyclesOfTheGoldenFiles(String file, long rate, long burst, long packet) {
        TokenBucket bucket = new TokenBucket(TokenBucketSpec.of(rate, CLOCK, burst));
        long free = 0;
        for (String[] row : Golden.rows(file)) {
            long cycle = bucket.eligible(free, packet);
            assertThat(bucket.take(cycle, packet)).isTrue();
            long tokens = bucket.tokens(cycle);
            assertThat(List.of(
                            Long.toString(cycle),
                            row[1],
                            Long.toString(tokens >> TokenBucketSpec.REGISTER_BITS),
                            Long.toString(tokens & 0xFFFF)))
                    .containsExactly(row);
            free = cycle + 1;
        }
    }

    @Test
    void registerOf195Gbit() {
        // 97.7 bytes a clock, and the second message of 65,536 bytes leaves 671 clocks after the first: 195.4 Gbit/s
        TokenBucketSpec spec = new TokenBucketSpec(0x0061_B333, 16, 16_384);
        assertThat(TokenBucketSpec.perCycle(195_400_000_000L, CLOCK, 16)).isEqualTo(0x0061_B333);
        TokenBucket bucket = new TokenBucket(spec);
        assertThat(bucket.take(0, 65_536)).isTrue();
        assertThat(bucket.tokens(0) >> 16).isEqualTo(-49_152);
        assertThat(bucket.eligible(0, 65_536)).isEqualTo(671);
        assertThat(bucket.take(670, 65_536)).isFalse();
        assertThat(bucket.take(671, 65_536)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"100000000000, 16, 3276800", "1000000, 24, 8389", "1, 8, 1", "8000000000000, 24, 67108864000"})
    void ratesAreRoundedToTheNearestStep(long rate, int bits, long steps) {
        assertThat(TokenBucketSpec.perCycle(rate, CLOCK, bits)).isEqualTo(steps);
    }

    @Test
    void zeroIsUnlimited() {
        TokenBucket bucket = new TokenBucket(TokenBucketSpec.reset());
        assertThat(bucket.unlimited()).isTrue();
        for (int i = 0; i < 100; i++) {
            assertThat(bucket.take(5, 1 << 30)).isTrue();
        }
        bucket.rate(7, 1 << 16);
        assertThat(bucket.take(7, 65_536))
                .as("what was sent without limit was not charged")
                .isTrue();
        assertThat(bucket.take(8, 2)).isFalse();
    }

    @Test
    void aNewRateActsFromItsCycleOn() {
        TokenBucket bucket = new TokenBucket(new TokenBucketSpec(1 << 16, 16, 1000));
        assertThat(bucket.take(0, 1000)).isTrue();
        assertThat(bucket.eligible(100, 1000)).isEqualTo(1000);
        bucket.rate(100, 10 << 16);
        assertThat(bucket.tokens(100) >> 16).isEqualTo(100);
        assertThat(bucket.eligible(100, 1000)).isEqualTo(190);
        bucket.burst(100, 50);
        assertThat(bucket.tokens(100) >> 16).isEqualTo(50);
    }

    @Test
    void aLongRestFillsTheBucketAndNothingElse() {
        TokenBucket bucket = new TokenBucket(new TokenBucketSpec(0xFFFF_FFFFL, 16, 65_536));
        bucket.take(0, 65_536);
        assertThat(bucket.tokens(Long.MAX_VALUE) >> 16).isEqualTo(65_536);
        assertThat(bucket.timestamp()).as("looking changes nothing").isZero();
        assertThat(bucket.take(0x1_0000_0007L, 1)).isTrue();
        assertThat(bucket.timestamp()).as("the register has 32 bits").isEqualTo(7);
        assertThatThrownBy(() -> bucket.tokens(3)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void rangesAreChecked() {
        assertThatThrownBy(() -> new TokenBucketSpec(-1, 16, 1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> new TokenBucketSpec(1, 25, 1))
                .hasMessageContaining("25")
                .hasMessageContaining("0..24");
        assertThatThrownBy(() -> new TokenBucketSpec(1, 16, 0)).hasMessageContaining("1..4294967295");
    }

    @Test
    void theArticlesBucketDoesNotLimit() {
        TokenBucketSpec spec = new TokenBucketSpec(1 << 16, 16, 4096);
        LiteralTokenBucket literal = new LiteralTokenBucket(spec, false);
        TokenBucket right = new TokenBucket(spec);
        long sent = 0;
        long allowed = 0;
        for (int cycle = 0; cycle < 20_000; cycle++) {
            sent += literal.cycle(cycle, true, 1024) ? 1 : 0;
            allowed += right.take(cycle, 1024) ? 1 : 0;
        }
        assertThat(allowed).isEqualTo(4 + 19_999 / 1024);
        assertThat(sent).as("a packet in nearly every cycle").isGreaterThan(18_000);
    }

    @Test
    void theArticlesBucketNeverSendsAMessageLargerThanItself() {
        TokenBucketSpec spec = TokenBucketSpec.of(195_400_000_000L, CLOCK, 16_384);
        LiteralTokenBucket literal = new LiteralTokenBucket(spec, true);
        for (int cycle = 0; cycle < 10_000; cycle++) {
            assertThat(literal.cycle(cycle, true, 65_536)).isFalse();
        }
        assertThat(literal.tokens() >> 16).isEqualTo(16_384);
    }

    @Test
    void withNonBlockingAssignmentsADebitLosesTheRefill() {
        TokenBucketSpec spec = new TokenBucketSpec(64 << 16, 16, 4096);
        LiteralTokenBucket literal = new LiteralTokenBucket(spec, true);
        assertThat(literal.cycle(1, true, 1024)).isTrue();
        assertThat(literal.tokens() >> 16).isEqualTo(3072);
        LiteralTokenBucket blocking = new LiteralTokenBucket(spec, false);
        assertThat(blocking.cycle(0, true, 1024)).isTrue();
        assertThat(blocking.cycle(1, true, 1024)).isTrue();
        assertThat(blocking.tokens() >> 16).isEqualTo(2048 + 64);
    }
}
