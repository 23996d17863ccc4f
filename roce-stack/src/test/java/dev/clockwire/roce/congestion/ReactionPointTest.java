package dev.clockwire.roce.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReactionPointTest {
    private static final long G = 1_000_000_000;
    private static final double FIXED = 1 << ReactionPoint.RATE_BITS;
    /** Golden times have three places of a microsecond: cycles of 1 ps leave room for the fluid byte counter. */
    private static final long PS = 1_000_000_000_000L;

    @ParameterizedTest
    @CsvSource({
        "rp_paper_one_cnp_40g.csv, 40, 200, 10000000",
        "rp_paper_five_cnps_40g.csv, 40, 200, 10000000",
        "rp_paper_hyper_100g.csv, 100, 400, 1000000",
    })
    void goldenFilesOfThePaper(String file, long line, long hyper, long byteCounter) {
        DcqcnSpec spec = DcqcnSpec.paper(line * G, hyper * 1_000_000, PS).withByteCounter(byteCounter);
        ReactionPoint point = new ReactionPoint(spec);
        double bytes = 0;
        double last = 0;
        List<String[]> rows = Golden.rows(file);
        for (int i = 0; i < rows.size(); i++) {
            String[] row = rows.get(i);
            double us = Double.parseDouble(row[0]);
            long ps = Math.round(us * 1e6);
            bytes += point.current() / FIXED / 8 * (us - last) * 1e-6;
            last = us;
            switch (row[1]) {
                case "CNP" -> {
                    point.notification(ps);
                    bytes = 0;
                }
                case "BYTE" -> {
                    assertThat(bytes)
                            .as("row %d: the fluid reaches B", i)
                            .isCloseTo((double) byteCounter, within(20.0));
                    point.sent(ps, byteCounter);
                    bytes = 0;
                }
                case "init" -> {} // a notification of this instant comes first
                default -> point.settle(ps);
            }
            boolean lastOfItsTime = i + 1 == rows.size() || !rows.get(i + 1)[0].equals(row[0]);
            if (lastOfItsTime) {
                matches(point, row, i);
            }
        }
    }

    private static void matches(ReactionPoint point, String[] row, int i) {
        assertThat(List.of(point.timeStage(), point.byteStage()))
                .as("row %d", i)
                .containsExactly(Integer.parseInt(row[3]), Integer.parseInt(row[4]));
        assertThat(point.alpha() / (double) (1L << ReactionPoint.ALPHA_BITS))
                .as("alpha of row %d", i)
                .isCloseTo(Double.parseDouble(row[5]), within(6e-10));
        assertThat(point.current() / FIXED / G)
                .as("R_C of row %d", i)
                .isCloseTo(Double.parseDouble(row[6]), within(6e-7));
        assertThat(point.target() / FIXED / G)
                .as("R_T of row %d", i)
                .isCloseTo(Double.parseDouble(row[7]), within(6e-7));
    }

    /** Public fault: alibaba-edu/High-Precision-Congestion-Control issues 52 and 11, in which alpha was moved before the cut. */
    @Test
    void aCutUsesAlphaAsItWasBefore() {
        ReactionPoint point = new ReactionPoint(DcqcnSpec.paper(40 * G, 0, PS));
        point.notification(0);
        assertThat(point.current() / FIXED / G).as("alpha begins at 1").isEqualTo(20);
        point.settle(54_999_999);
        point.notification(55_000_000);
        assertThat(point.current() / FIXED / G).as("no decay came in between").isEqualTo(10);
        point.settle(110_000_000);
        double alpha = 255.0 / 256;
        assertThat(point.alpha() / (double) (1L << ReactionPoint.ALPHA_BITS)).isEqualTo(alpha);
        double before = point.current() / FIXED / G;
        point.notification(110_000_001);
        assertThat(point.current() / FIXED / G).isCloseTo(before * (1 - alpha / 2), within(1e-9));
        assertThat(point.alpha() / (double) (1L << ReactionPoint.ALPHA_BITS))
                .isCloseTo(alpha * 255 / 256 + 1.0 / 256, within(1e-12));
    }

    @Test
    void nothingHappensBeforeTheFirstNotification() {
        ReactionPoint point = new ReactionPoint(DcqcnSpec.paper(40 * G, 0, PS));
        point.sent(5, 9_000_000);
        point.settle(PS);
        assertThat(point.active()).isFalse();
        assertThat(point.due()).isEqualTo(Long.MAX_VALUE);
        assertThat(point.current()).isEqualTo((40 * G) << ReactionPoint.RATE_BITS);
    }

    @Test
    void manyNotificationsEndAtTheFloor() {
        ReactionPoint point = new ReactionPoint(DcqcnSpec.paper(400 * G, 0, PS));
        for (int i = 0; i < 100; i++) {
            point.notification(i);
        }
        assertThat(point.current()).isEqualTo(100_000_000L << ReactionPoint.RATE_BITS);
    }

    @Test
    void hyperIncreaseEndsAtTheLine() {
        DcqcnSpec spec = new DcqcnSpec(8_000 * G, 1, 8, 1, 1, 1, 1, 0, 8_000 * G);
        ReactionPoint point = new ReactionPoint(spec);
        point.notification(0);
        for (int i = 1; i < 200_000; i++) {
            point.sent(i, 1);
        }
        assertThat(point.target()).isEqualTo((8_000 * G) << ReactionPoint.RATE_BITS);
        assertThat(point.timeStage()).isEqualTo(0xFFFF);
    }

    @Test
    void timeDoesNotGoBack() {
        ReactionPoint point = new ReactionPoint(DcqcnSpec.paper(40 * G, 0, PS));
        point.settle(10);
        assertThatThrownBy(() -> point.settle(9)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> new DcqcnSpec(40 * G, 1, 0, 1, 1, 1, 1, 0, 0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("DCQCN gain shift 0 is not in 1..16");
    }

    @Test
    void theArticlesMachineHangsLosesAndUnderflows() {
        LiteralReactionPoint literal = new LiteralReactionPoint(100_000, 512, 5, 10, false);
        literal.clock(true, false);
        literal.clock(false, false);
        assertThat(Integer.toUnsignedLong(literal.rate()))
                .as("a cut that raises: alpha has no scale")
                .isGreaterThan(literal.maxRate());
        literal.clock(true, false);
        assertThat(literal.phase()).isEqualTo(LiteralReactionPoint.Phase.RECOVERY);
        assertThat(literal.lost()).isEqualTo(1);
        for (int i = 0; i < 12; i++) {
            literal.clock(false, false);
        }
        literal.clock(false, true);
        for (int i = 0; i < 1000; i++) {
            literal.clock(true, true);
        }
        assertThat(literal.phase()).isEqualTo(LiteralReactionPoint.Phase.INCREASE);
        assertThat(literal.lost()).isEqualTo(1001);
    }

    @Test
    void theArticlesResetHoldsTheBlock() {
        LiteralReactionPoint literal = new LiteralReactionPoint(100_000, 512, 5, 10, true);
        literal.clock(true, false);
        literal.clock(false, false);
        assertThat(literal.rate()).isEqualTo(100_000);
        assertThat(literal.lost()).isEqualTo(1);
    }
}
